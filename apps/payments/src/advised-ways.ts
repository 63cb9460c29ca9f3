import type { InitiatePayment, MerchantAccountId } from '@sluice/contracts';
import {
  agreementOf,
  type Decline,
  initialTransaction,
  noAgreementRefusal,
  type PaymentState,
} from '@sluice/domain-payments';
import { type EarlierAttempt, retryAllowed } from '@sluice/domain-routing';
import type { EarlierPayments } from './earlier-payments.js';
import {
  agreementIdOf,
  type AttemptParts,
  attemptOf,
  declinedAttempt,
} from './payment-attempts.js';
import type { NoWay, PaymentRouting, WayTaken } from './payment-routing.js';

/** A new payment, as far as advice is concerned. */
type NewPaymentData = Pick<
  InitiatePayment['data'],
  | 'transactionId'
  | 'operation'
  | 'instrument'
  | 'context'
  | 'amount'
  | 'parameters'
  | 'issuerCountry'
>;

interface Blocked extends NoWay {
  /** Another account of the merchant may be tried at once. */
  readonly mayTakeOtherRoute: boolean;
}

/**
 * Where a new payment goes, or why it goes nowhere: what it names has begun no agreement, or an advice
 * is against it. An advice to take another route is obeyed where there is one; every other one that
 * still blocks refuses the payment (B12).
 */
export function adviseNewPayment(
  routing: Pick<PaymentRouting, 'forNewPayment'>,
  data: NewPaymentData,
  { attempts, agreement, firstHasFailed }: EarlierPayments,
  nowMs: number,
): WayTaken | NoWay | undefined {
  if (firstHasFailed === true) return noAgreementRefusal();
  const { transactionId: id, operation, instrument, parameters } = data;
  const agreementId = agreementIdOf({ id, parameters }, agreement?.firstPaymentId);
  const parts = { operation, instrument, parameters, agreementId };
  const blockOf = (way: WayTaken | NoWay | undefined): Blocked | undefined =>
    way !== undefined && 'connector' in way
      ? blockOfAttempt({ ...parts, route: way.route }, attempts, nowMs)
      : undefined;
  const way = routing.forNewPayment(data);
  const block = blockOf(way);
  if (block?.mayTakeOtherRoute !== true) return block ?? way;
  const other = routing.forNewPayment(data, accountsIn(attempts));
  const isOther = other !== undefined && 'connector' in other && blockOf(other) === undefined;
  return isOther ? other : block;
}

/** Why a rebill is refused: its account is the one of its payment. */
export function adviseRebill(
  state: PaymentState,
  parameters: AttemptParts['parameters'],
  attempts: readonly EarlierAttempt[],
  nowMs: number,
): NoWay | undefined {
  const first = initialTransaction(state);
  const { instrument, route } = first;
  const agreementId = agreementIdOf(first, agreementOf(state)?.firstPaymentId);
  const said = { ...first.parameters, ...parameters };
  const parts = { operation: 'rebill', instrument, route, agreementId, parameters: said } as const;
  return blockOfAttempt(parts, attempts, nowMs);
}

/** Declines of an account that an advice came with, and the time. */
interface Advised {
  readonly attempts: readonly EarlierAttempt[];
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** Whether advice forbids that a payment which booked nothing takes this way instead. */
export function isAdvisedAgainst(
  state: PaymentState,
  way: WayTaken,
  { attempts, nowMs }: Advised,
): boolean {
  return blockOfAttempt(partsOf(state, way), attempts, nowMs) !== undefined;
}

/**
 * Whether a payment that has just been declined may take this way by itself: the advice says so, and
 * nothing that was advised before forbids it (B12).
 */
export function isRetryAdvised(
  state: PaymentState,
  way: WayTaken,
  { attempts, nowMs, decline }: Advised & { readonly decline: Decline },
): boolean {
  const first = initialTransaction(state);
  const declined = declinedAttempt(state, first, { ...first, ...decline, changedAtMs: nowMs });
  const wanted = { ...attemptOf(partsOf(state, way)), by: 'gateway', nowMs } as const;
  return retryAllowed(wanted, [...attempts, declined]).kind === 'allowed';
}

/** The first attempt of a payment, if it had gone this way. */
function partsOf(state: PaymentState, { route }: WayTaken): AttemptParts {
  const first = initialTransaction(state);
  const { operation, instrument, parameters } = first;
  const agreementId = agreementIdOf(first, agreementOf(state)?.firstPaymentId);
  return { operation, instrument, parameters, route, agreementId };
}

function blockOfAttempt(
  parts: AttemptParts,
  attempts: readonly EarlierAttempt[],
  nowMs: number,
): Blocked | undefined {
  if (attempts.length === 0) return undefined;
  const ruling = retryAllowed({ ...attemptOf(parts), nowMs }, attempts);
  if (ruling.kind !== 'blocked') return undefined;
  const { resultCode, resultDescription, reason } = ruling;
  return { resultCode, resultDescription, mayTakeOtherRoute: reason === 'otherRoute' };
}

function accountsIn(attempts: readonly EarlierAttempt[]): ReadonlySet<MerchantAccountId> {
  return new Set(attempts.flatMap(({ account }) => (account === 'simulator' ? [] : [account])));
}
