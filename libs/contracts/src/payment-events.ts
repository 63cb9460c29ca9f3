import type { EntityId, TransactionId } from '@sluice/identifiers';
import {
  authenticationCompleted,
  authenticationPending,
  reviewDecided,
  riskAssessed,
} from './decision-events.js';
import { checks, decline } from './declines.js';
import { amount } from './event-codec.js';
import { type EventsOf, eventTable } from './event-table.js';
import { beginningOperations, operations, referenceOperations } from './operations.js';
import { paidInstrument, refusedInstrument } from './instruments.js';
import type { Mode } from './payments.js';
import { redirect } from './redirects.js';
import { type MerchantAccountId, type RouteId, routeRules } from './routing.js';
import type { RunSource } from './schedule-events.js';
import { closed, described, flag, formed, integer, oneOf, text, texts } from './schema.js';

/** Who asked and when: the same for all events of one transaction. */
export interface PaymentEventMetadata {
  /** When it was decided, milliseconds since the epoch, by the clock of the deciding process. */
  readonly recordedAtMs: number;
  readonly entityId: EntityId;
  readonly channelName: string;
  /** The request id that support follows. */
  readonly ndc: string;
  readonly mode: Mode;
  /** The id of the access token's node, never the token. */
  readonly actor: string;
  /** What asked for it where no merchant or shopper did; absent where one did (wire contract 2). */
  readonly source?: RunSource;
  readonly correlationId: string;
  readonly causationId: string;
  /**
   * The trace context of the work that decided it, in W3C's form; only if its trace is recorded.
   */
  readonly traceparent?: string;
  /**
   * The request names a `notificationUrl`, which is called once its outcome is final (page 0079). The address
   * is sealed with what is personal of the request.
   */
  readonly hasNotificationUrl?: true;
}

/** Why nothing was performed. Only after `notFound` could something arrive late (D-27). */
export const notPerformedReasons = [
  ...(['expired', 'bulkheadFull', 'sendWindowOver', 'cardGone', 'registrationForgotten'] as const),
  ...(['neverSent', 'notReachable', 'givenUpBeforeSending', 'refused', 'unsupported'] as const),
  ...(['notFound'] as const),
] as const;

/** What became of an attempt that another one follows: nothing of it is booked, and nothing will be. */
export const rerouteReasons = [...notPerformedReasons, 'declined'] as const;

/** Why an operator has to look: closed by recorded evidence alone (R-UNK-04). */
export const caseReasons = [
  ...(['unresolved', 'lateApprovalNotUndone', 'chargebackExcess'] as const),
  'rejectedNotGivenBack',
] as const;

/** What the inquiry an hour after the end said (D-27). */
export const lateAnswers = ['notFound', 'declined', 'reversed'] as const;

/** Who reports a chargeback. */
export const chargebackSources = ['merchant', 'settlement'] as const;

const transactionId = formed<TransactionId>('^[0-9a-f]{32}$');
const referencedId = transactionId;
const resultCode = formed('^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$');

/** That something may have been sent to an acquirer, and its reference there (D-24). */
const request = closed({
  connector: text,
  acquirerReference: text,
  deadlineMs: described(
    integer,
    'When the caller gave up at the latest, milliseconds since the epoch.',
  ),
});

const formedId = '^[0-9a-f]{32}$';
/** Why a payment went to the acquirer that its request names. */
const route = described(
  closed(
    {
      rule: oneOf(routeRules, 'Why this one and no other.'),
      candidates: described(integer, 'How many routes the payment could have taken.'),
    },
    {
      routeId: formed<RouteId>(formedId),
      merchantAccountId: formed<MerchantAccountId>(
        formedId,
        'The account with the acquirer: of all that follows in this payment, too.',
      ),
      weight: described(integer, 'The share of the route that was drawn.'),
      weights: described(integer, 'The sum of the shares.'),
      drawn: described(integer, 'The number that was drawn, from 0.'),
    },
  ),
  'The way it took; absent in an installation without routes.',
);

/** Parameters kept with a transaction: never account data, secrets or clear personal data. */
const kept = { parameters: described(texts, 'By wire name.') };
/** Of a transaction that refers to a payment. */
/** The agreement of a later payment, if its first payment is known. */
const agreement = described(
  closed({
    firstPaymentId: formed<TransactionId>(
      '^[0-9a-f]{32}$',
      'Or the registration, if it was agreed when that was stored.',
    ),
    terms: described(texts, 'What was agreed with the first payment, by wire name.'),
  }),
  'The first payment of its agreement; absent if none is known here.',
);
const issuerCountry = formed(
  '^[A-Z]{2}$',
  'Of the card, ISO 3166-1; of a payment that took a route.',
);
const accountFingerprint = described(
  text,
  'Keyed hash of the account, the same for it in one merchant.',
);
const methodOfPayment = {
  paymentMethod: described(text, 'What the payment is made with, if not a card (Interface 2.19).'),
};
const sealed = {
  personal: described(text, "Sealed under the payment's own key: AES-256-GCM, base64."),
};

const answered = { transactionId, resultCode };
const issuerFact = {
  ...{ transactionId, referencedId, amount, resultCode },
  source: oneOf(chargebackSources),
  ...kept,
};

/**
 * Everything that can have happened to a payment: what is stored, and published one for one. Card
 * numbers, security codes and clear personal data are in none of them. Fields may be added; a
 * meaning never changes (D-18).
 */
export const paymentEvents = eventTable({
  PaymentInitiated: {
    version: 1,
    description: 'A payment was opened; with `request` it may have been sent to the acquirer.',
    data: closed(
      {
        ...{ transactionId, operation: oneOf(beginningOperations), amount },
        ...{ instrument: paidInstrument, ...kept },
      },
      {
        ...{ numberOfCaptures: integer, request, route, issuerCountry },
        ...{ accountFingerprint, agreement, ...sealed },
      },
    ),
  },
  RiskAssessed: {
    version: 1,
    description:
      "The merchant's rules have spoken, before anything left the installation; again where they look at what the issuer found.",
    data: riskAssessed,
  },
  AuthenticationPending: {
    version: 1,
    description: 'The shopper has to be authenticated before the acquirer is asked, or again.',
    data: authenticationPending,
  },
  AuthenticationCompleted: {
    version: 1,
    description: 'The authentication of the shopper has ended.',
    data: authenticationCompleted,
  },
  AuthorizationRequested: {
    version: 1,
    description: 'After an authentication, the payment may have been sent to the acquirer.',
    data: closed({ transactionId, request }, { route }),
  },
  StandaloneCompleted: {
    version: 1,
    description: 'An authentication or a risk check without a payment has succeeded.',
    data: closed(answered),
  },
  ReviewDecided: {
    version: 1,
    description: 'A payment under review was released or rejected.',
    data: reviewDecided,
  },
  TransactionRerouted: {
    version: 1,
    description:
      'An attempt certainly booked nothing and never will; another one may have been sent to this acquirer, under this reference.',
    data: closed(
      {
        ...{ transactionId, request, route },
        reason: oneOf(rerouteReasons, 'Of the attempt before.'),
      },
      {
        decline: described(decline, 'What its acquirer said, if it was declined.'),
      },
    ),
  },
  TransactionRequested: {
    version: 1,
    description: 'An operation on an earlier transaction was accepted.',
    data: closed(
      {
        ...{ transactionId, referencedId, operation: oneOf(referenceOperations), amount },
        final: flag,
        ...kept,
      },
      {
        releases: described(
          amount,
          'Reauthorization only: the open remainder that it gives back when it succeeds.',
        ),
        request,
        ...methodOfPayment,
        ...sealed,
      },
    ),
  },
  TransactionRejected: {
    version: 1,
    description: 'Refused before asking anyone; also the first event of a refused payment.',
    data: closed(
      { transactionId, operation: oneOf(operations), resultCode, ...kept },
      {
        ...{ referencedId, amount },
        instrument: described(refusedInstrument, 'Of a new payment.'),
        resultDescription: described(text, "In place of the code's own text."),
        ...methodOfPayment,
        ...sealed,
      },
    ),
  },
  TransactionApproved: {
    version: 1,
    description: 'The acquirer said yes.',
    data: closed({ ...answered, connectorTxId: text }, checks),
  },
  TransactionDeclined: {
    version: 1,
    description: 'The acquirer said no.',
    data: closed(answered, { connectorTxId: text, ...checks }),
  },
  TransactionPending: {
    version: 1,
    description: 'The acquirer will decide later.',
    data: closed(answered, {
      connectorTxId: text,
      ...checks,
      redirect: described(redirect, 'Where the shopper has to go first.'),
    }),
  },
  TransactionNotPerformed: {
    version: 1,
    description: 'Nothing happened at the acquirer.',
    data: closed({ ...answered, reason: oneOf(notPerformedReasons, 'For operators.') }),
  },
  TransactionOutcomeUnknown: {
    version: 1,
    description: 'The answer was lost; the amount counts as used until it is found out.',
    data: closed({ transactionId, reason: text }),
  },
  UnknownTransactionReversed: {
    version: 1,
    description: 'What may have been booked was undone by its reference.',
    data: closed({ ...answered, connectorTxId: text }),
  },
  ChargebackReceived: {
    version: 1,
    description: 'The issuer took money back: a fact, whatever we think of it.',
    data: closed(issuerFact, {
      excess: described(
        amount,
        'What it takes beyond the captured rest; only settlement files may do so.',
      ),
      ...methodOfPayment,
      ...sealed,
    }),
  },
  ChargebackReversed: {
    version: 1,
    description: 'The issuer gave money of a chargeback back.',
    data: closed(issuerFact, { ...methodOfPayment, ...sealed }),
  },
  LateApprovalReceived: {
    version: 1,
    description: 'An approval came after the end; it is undone and never a success.',
    data: closed({ transactionId, connectorTxId: text }),
  },
  LateApprovalRefundRequested: {
    version: 1,
    description:
      'A late approval, too old to be reversed, may have been refunded under this reference.',
    data: closed({ transactionId, request }),
  },
  LateApprovalUndone: {
    version: 1,
    description: 'A late approval is undone: net 0.',
    data: closed({ transactionId, by: oneOf(['reversal', 'refund']), connectorTxId: text }),
  },
  LateInquiryAnswered: {
    version: 1,
    description: 'The inquiry an hour after the end found nothing that counts.',
    data: closed({ transactionId, answer: oneOf(lateAnswers) }),
  },
  CaseOpened: {
    version: 1,
    description: 'Recovery has done all it may; an operator has to look.',
    data: closed({ transactionId, reason: oneOf(caseReasons), amount }),
  },
});

/** The data of each event that payments publishes, by its name. */
export type PaymentEvents = EventsOf<typeof paymentEvents>;

/** The name of a published event. */
export type PaymentEventName = keyof PaymentEvents;
