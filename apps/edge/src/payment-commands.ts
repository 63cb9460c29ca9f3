import { redirectUrl } from '@sluice/answers';
import {
  type AuthenticationWish,
  type IdempotencyClaim,
  type InitialOperation,
  type InitiatePayment,
  type InitiatePaymentData,
  type Instrument,
  type PaymentCommandData,
  type PersonalEnvelope,
  type ReferenceOperation,
  type ReferToPayment,
  shownInstrument,
  type StandaloneOperation,
} from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { toMessage } from '@sluice/money';
import {
  amountOf,
  type AskedAuthentication,
  askedAuthentication,
  firstRejection,
  isNewPayment,
  needsShopper,
  notServedRejection,
  type Form,
  type Kind,
  type NewPaymentKind,
  read,
  type Rejection,
  storedNeedsShopper,
  testDirectivesIn,
  usedRegistrationOf,
} from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { Refused } from './answer.js';
import { commandMessage } from './command-message.js';
import { invalidParameters } from './refusals.js';
import { referenceContextOf, requestContextOf } from './request-context.js';
import { isReachable, returnUrl } from './shopper-addresses.js';

/** Nobody could send the shopper back: no acquirer, and no issuer. */
const NO_WAY_BACK = invalidParameters({
  name: 'Host',
  message: 'must be where browsers reach this gateway, or EDGE_PUBLIC_URL must say it',
});

/** What both commands are made of. */
export interface CommandParts {
  readonly admitted: AdmittedRequest;
  readonly kind: Kind;
  readonly transactionId: TransactionId;
  /** What is kept of the form in clear. */
  readonly parameters: PaymentCommandData['parameters'];
  /** What is personal in it, if anything is. */
  readonly sealed?: PersonalEnvelope;
  readonly idempotency?: IdempotencyClaim;
  /** Why it cannot be paid, beside what the form says. */
  readonly rejection?: Rejection;
}

/** What a payment is made with, and what is known of it. */
export interface PaidInstrument extends Pick<
  InitiatePaymentData,
  'accountFingerprint' | 'storedByPaymentId' | 'storedTerms' | 'issuerCountry'
> {
  readonly instrument: Instrument;
}

/** A form without violations as the command that begins a payment (Interface 4). */
export function initiatePayment(
  parts: CommandParts,
  operation: InitialOperation,
  { instrument, accountFingerprint, storedByPaymentId, storedTerms, issuerCountry }: PaidInstrument,
): InitiatePayment {
  const { admitted, kind, transactionId } = parts;
  const { form } = admitted;
  const amount = amountOf(form);
  if (amount === undefined) {
    throw new TypeError('a payment without amount passed the catalogue');
  }
  const numberOfCaptures = read(form, 'numberOfCaptures');
  const isSeen = isNewPayment(kind) && isShopperAsked(form, kind, instrument);
  // Of what is stored, and of a wallet, the form does not say what it is.
  const asked = askedAuthentication(form, { kind, mode: admitted.mode, instrument });
  const common = commonData(parts, authenticationRejection(asked));
  const wish = common.rejection === undefined ? authenticationWish(asked, parts) : undefined;
  const isAsked = isSeen || wish !== undefined;
  if (isAsked && !isReachable(admitted.publicUrl)) throw new Refused(NO_WAY_BACK);
  return commandMessage(admitted, transactionId, 'InitiatePayment', {
    ...common,
    context: requestContextOf(admitted),
    operation,
    amount: toMessage(amount),
    instrument,
    ...(accountFingerprint !== undefined && { accountFingerprint }),
    ...(storedByPaymentId !== undefined && { storedByPaymentId }),
    ...(storedTerms !== undefined && { storedTerms }),
    ...(issuerCountry !== undefined && { issuerCountry }),
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
    ...(isSeen && { returnUrl: returnUrl(admitted.publicUrl, transactionId) }),
    ...(wish !== undefined && { authentication: wish }),
    ...notAuthenticated(asked),
  });
}

/** A rule of risk may demand a challenge, and is told why there is none. */
function notAuthenticated(
  asked: AskedAuthentication,
): Pick<InitiatePaymentData, 'notAuthenticated'> {
  if (asked.kind === 'elsewhere') return { notAuthenticated: asked };
  if (asked.kind !== 'none') return {};
  return { notAuthenticated: { kind: 'impossible', reason: asked.reason } };
}

/** What demands an authentication where nothing else is asked for; completes "and … demands it". */
const ASKED_ALONE = 'the request';

/** A form without violations as the command that begins an authentication or a risk check alone. */
export function beginStandalone(
  parts: CommandParts,
  operation: StandaloneOperation,
  { instrument, accountFingerprint, issuerCountry }: PaidInstrument,
): InitiatePayment {
  const { admitted, transactionId } = parts;
  const { form, publicUrl } = admitted;
  const amount = amountOf(form);
  if (amount === undefined) throw new TypeError('a form without amount passed the catalogue');
  const common = commonData(parts);
  const isShopperAsked = operation === 'authentication' && common.rejection === undefined;
  if (isShopperAsked && !isReachable(publicUrl)) throw new Refused(NO_WAY_BACK);
  return commandMessage(admitted, transactionId, 'InitiatePayment', {
    ...common,
    context: requestContextOf(admitted),
    operation,
    amount: toMessage(amount),
    instrument,
    ...(accountFingerprint !== undefined && { accountFingerprint }),
    ...(issuerCountry !== undefined && { issuerCountry }),
    ...(isShopperAsked && {
      authentication: {
        demandedBy: ASKED_ALONE,
        redirectUrl: redirectUrl(publicUrl, transactionId),
      },
    }),
  });
}

function authenticationRejection(asked: AskedAuthentication): Rejection | undefined {
  return asked.kind === 'refused' ? notServedRejection(asked.reason) : undefined;
}

/** Of each payment of whom a shopper may be authenticated: whether he is, the channel may say (page 0071). */
function authenticationWish(
  asked: AskedAuthentication,
  { admitted, transactionId }: CommandParts,
): AuthenticationWish | undefined {
  if (asked.kind !== 'possible') return undefined;
  const { demandedBy } = asked;
  return {
    ...(demandedBy !== undefined && { demandedBy }),
    redirectUrl: redirectUrl(admitted.publicUrl, transactionId),
  };
}

/** By registration, what is stored says so, and not the form. */
function isShopperAsked(form: Form, kind: NewPaymentKind, instrument: Instrument): boolean {
  return usedRegistrationOf(form) === undefined
    ? needsShopper(form, kind)
    : storedNeedsShopper(shownInstrument(instrument), form);
}

/** A form without violations as the command that refers to a transaction (D-29 to D-33). */
export function referToPayment(
  parts: CommandParts,
  operation: ReferenceOperation,
  referencedId: TransactionId,
): ReferToPayment {
  const { admitted, transactionId } = parts;
  const { form } = admitted;
  const chargebackResultCode =
    operation === 'chargeback' ? form.get('chargebackResultCode') : undefined;
  return commandMessage(admitted, transactionId, 'ReferToPayment', {
    ...commonData(parts),
    context: referenceContextOf(admitted),
    referencedId,
    operation,
    ...amountFields(form),
    final: form.get('sequence') === 'FINAL',
    ...(chargebackResultCode !== undefined && { chargebackResultCode }),
  });
}

/** A reversal may come without an amount; its currency is compared nevertheless (D-29). */
function amountFields(form: Form): Pick<ReferToPayment['data'], 'amount' | 'currency'> {
  const amount = amountOf(form);
  if (amount !== undefined) return { amount: toMessage(amount) };
  const currency = form.get('currency');
  return currency === undefined ? {} : { currency };
}

type CommonData = Omit<PaymentCommandData, 'context'> &
  Pick<ReferToPayment['data'], 'rejection' | 'rejectionDescription'>;

function commonData(parts: CommandParts, ofAuthentication?: Rejection): CommonData {
  const { admitted, kind, transactionId, parameters, sealed, idempotency } = parts;
  const { form, mode, receivedAtMs } = admitted;
  const asked = { kind, mode, nowMs: receivedAtMs };
  const rejection = firstRejection(form, asked) ?? parts.rejection ?? ofAuthentication;
  const description = rejection?.description;
  const testDirectives = mode === 'LIVE' ? undefined : testDirectivesIn(form);
  return {
    transactionId,
    parameters,
    ...(sealed !== undefined && { personal: sealed }),
    ...(testDirectives !== undefined && { testDirectives }),
    ...(idempotency !== undefined && { idempotency }),
    ...(rejection !== undefined && { rejection: rejection.code }),
    ...(description !== undefined && { rejectionDescription: description }),
  };
}
