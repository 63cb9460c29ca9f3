import type { Instrument, Mode, Operation } from '@sluice/contracts';
import {
  agreementOf,
  type PaymentState,
  type RouteTaken,
  type Transaction,
} from '@sluice/domain-payments';
import {
  type AdviceSide,
  adviceSideOf,
  type EarlierAttempt,
  type WantedAttempt,
} from '@sluice/domain-routing';

/** `threeDSecure.eci` of who was authenticated, or whose issuer took part (Interface 2.17). */
const AUTHENTICATED: ReadonlySet<string> = new Set(['01', '02', '05', '06']);

/** Where those go that no account of a merchant is recorded of: by the installation's settings, too. */
const NO_ACCOUNT = 'simulator';

/** What pays, in one mode. */
export interface Account {
  /** By the vault; absent if there is no account, or nobody said it. */
  readonly accountFingerprint: string | undefined;
  readonly mode: Mode;
}

/** The account of a payment on record. */
export function accountOf({ accountFingerprint, metadata: { mode } }: Transaction): Account {
  return { accountFingerprint, mode };
}

/** What an attempt is made with; the same of a new payment and of one on record. */
export interface AttemptParts {
  readonly operation: Operation;
  readonly instrument: Instrument | undefined;
  readonly parameters: Transaction['parameters'];
  readonly route: RouteTaken | undefined;
  readonly agreementId: string | undefined;
}

/**
 * Under what the advised declines of an account are marked; undefined if nothing can be advised of it.
 * Tests and live payments tell each other nothing.
 */
export function subjectOfAccount(
  { accountFingerprint, mode }: Account,
  operation: Operation,
): string | undefined {
  const side: AdviceSide | undefined = adviceSideOf(operation);
  if (accountFingerprint === undefined || side === undefined) return undefined;
  return `account:${mode}:${side}:${accountFingerprint}`;
}

/** An attempt as the rules of retries compare it with others (page 0054). */
export function attemptOf(
  parts: AttemptParts,
): Omit<WantedAttempt, 'nowMs' | 'account'> & Pick<EarlierAttempt, 'account'> {
  const { operation, instrument, parameters, route, agreementId } = parts;
  const brand = instrument && 'brand' in instrument ? instrument.brand : undefined;
  const isOfMerchant = operation === 'rebill' || parameters['standingInstruction.source'] === 'MIT';
  return {
    operation,
    ...(brand !== undefined && { brand }),
    by: isOfMerchant ? 'merchant' : 'shopper',
    details: detailsOf(instrument),
    isAuthenticated: AUTHENTICATED.has(parameters['threeDSecure.eci'] ?? ''),
    ...(agreementId !== undefined && { agreementId }),
    account: route?.merchantAccountId ?? NO_ACCOUNT,
  };
}

/** A transaction that was declined, as later attempts look back at it; `first` began its payment. */
export function declinedAttempt(
  state: PaymentState,
  first: Transaction,
  { operation, changedAtMs, resultCode, resultDetails, parameters, ...attempt }: Transaction,
): EarlierAttempt {
  const isRetry = attempt.failedAttempts?.some(({ reason }) => reason === 'declined') === true;
  const adviceCode = resultDetails?.['MerchantAdviceCode'];
  const { instrument, route } = first;
  const agreementId = agreementIdOf(first, agreementOf(state)?.firstPaymentId);
  return {
    ...attemptOf({
      ...{ operation, instrument, route, agreementId },
      parameters: { ...first.parameters, ...parameters },
    }),
    ...(isRetry && { by: 'gateway' }),
    ...{ decidedAtMs: changedAtMs, outcome: 'declined', resultCode },
    ...(adviceCode !== undefined && { adviceCode }),
  };
}

/** The merchant's own name of it, else the id of the first payment (page 0049). */
export function agreementIdOf(
  { id, parameters }: Pick<Transaction, 'id' | 'parameters'>,
  firstPaymentId: string | undefined,
): string | undefined {
  const isFirst = parameters['standingInstruction.mode'] === 'INITIAL';
  return (
    parameters['standingInstruction.agreementId'] ?? firstPaymentId ?? (isFirst ? id : undefined)
  );
}

/** The expiry alone: a card that was issued again has another one, and is the same account. */
function detailsOf(instrument: Instrument | undefined): string {
  if (instrument === undefined || !('expiryMonth' in instrument)) return '';
  const { expiryYear, expiryMonth } = instrument;
  return expiryYear === undefined ? '' : `${expiryYear}-${expiryMonth}`;
}
