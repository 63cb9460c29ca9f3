import {
  type AuthenticateQuery,
  type AuthenticationAnswer,
  type AuthenticationSettings,
  type Instrument,
  type RequestContext,
  type TestDirectives,
  vaultReferenceOf,
} from '@sluice/contracts';
import type { Transaction } from '@sluice/domain-payments';
import type { TransactionId } from '@sluice/identifiers';
import { type Amount, type AmountText, toMessage } from '@sluice/money';
import type { LiveRoutes } from './live-routes.js';
import type { RiskQuestions } from './risk-questions.js';

/** A payment whose shopper is to be authenticated, new or on record. */
export interface PaymentToAuthenticate {
  readonly authenticationId: TransactionId;
  readonly paymentId: TransactionId;
  readonly context: Pick<RequestContext, 'entityId' | 'mode'>;
  readonly instrument: Instrument | undefined;
  readonly amount: AmountText;
  /** As they were sent, personal ones in clear. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly testDirectives?: TestDirectives;
  readonly redirectUrl?: string;
  readonly challengeIsMandated?: true;
  /** A rule demands it: of the statuses that the channel goes on with, only Y satisfies that, for all that is paid. */
  readonly isOfRule?: true;
}

/** What proves to a rule who the shopper is; an attempt, and an issuer that cannot say, do not. */
const PROVEN: AuthenticationSettings['goesOnWith'] = ['Y'];

/** Why nobody can be authenticated, in words that follow "3-D Secure". */
export type NoAuthentication = { readonly kind: 'refused'; readonly reason: string };

/** The parts they are made of. */
export interface AuthenticationsParts {
  readonly questions: Pick<RiskQuestions, 'authenticate'>;
  readonly routes: Pick<LiveRoutes, 'index'>;
}

/** Authentications of shoppers by 3-D Secure, as risk makes them for a channel (Interface 2.17). */
export class Authentications {
  constructor(private readonly parts: AuthenticationsParts) {}

  /** What the channel, or a node above it, says of 3-D Secure; undefined if none does. */
  settingsOf(entityId: RequestContext['entityId']): AuthenticationSettings | undefined {
    return this.parts.routes.index?.authenticationOf(entityId);
  }

  /**
   * Begins one, or answers how it stands: the same for the same id.
   * @throws QueryUnavailable where risk does not answer
   */
  async begin(payment: PaymentToAuthenticate): Promise<AuthenticationAnswer | NoAuthentication> {
    const settings = this.settingsOf(payment.context.entityId);
    if (settings === undefined) return refused('3-D Secure is not configured for this channel');
    const query = questionFor(payment, settings);
    if (query === undefined) return refused('only a card is authenticated by 3-D Secure');
    return this.parts.questions.authenticate(query);
  }
}

function refused(reason: string): NoAuthentication {
  return { kind: 'refused', reason };
}

/** Undefined for anything but a card. */
function questionFor(
  payment: PaymentToAuthenticate,
  settings: AuthenticationSettings,
): AuthenticateQuery | undefined {
  const { context, instrument, parameters, ...others } = payment;
  const vaultReference = instrument && vaultReferenceOf(instrument);
  if (instrument?.kind !== 'card' || vaultReference === undefined) return undefined;
  const { brand, expiryMonth: month, expiryYear: year } = instrument;
  return {
    ...{ ...others, entityId: context.entityId, mode: context.mode, parameters },
    category: parameters['threeDSecure.npa'] === 'true' ? 'nonPayment' : 'payment',
    ...{ brand, vaultReference, expiry: { month, year } },
    settings: payment.isOfRule === true ? { ...settings, goesOnWith: PROVEN } : settings,
  };
}

/** What an acquirer is told of an authentication; the cryptogram is with the card. */
export function authenticationTold({
  authentication,
}: Pick<Transaction, 'authentication'>): Readonly<Record<string, string>> {
  if (authentication?.status === undefined) return {};
  const { eci, version, dsTransactionId, acsTransactionId, status, statusReason } = authentication;
  return {
    'threeDSecure.authenticationStatus': status,
    ...(eci !== undefined && { 'threeDSecure.eci': eci }),
    ...(version !== undefined && { 'threeDSecure.version': version }),
    ...(dsTransactionId !== undefined && { 'threeDSecure.dsTransactionId': dsTransactionId }),
    ...(acsTransactionId !== undefined && { 'threeDSecure.acsTransactionId': acsTransactionId }),
    ...(statusReason !== undefined && { 'threeDSecure.transactionStatusReason': statusReason }),
  };
}

/** A payment on record, to be authenticated again or for the first time. */
export function recordedPayment(
  { id, instrument, metadata }: Transaction,
  amount: Amount,
): Pick<PaymentToAuthenticate, 'paymentId' | 'context' | 'instrument' | 'amount'> {
  const { entityId, mode } = metadata;
  return { paymentId: id, context: { entityId, mode }, instrument, amount: toMessage(amount) };
}
