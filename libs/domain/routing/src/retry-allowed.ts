import type { MerchantAccountId, Operation } from '@sluice/contracts';
import { describeResult, retryOf } from '@sluice/result-codes';
import { type Advice, adviceFor, type Correction, type RetryRule } from './advice-table.js';

/** Who decides that a payment is tried again: the gateway by itself, the merchant, the shopper. */
export type Initiator = 'gateway' | 'merchant' | 'shopper';

/** What one attempt to pay was made with and by; those compared are of one card and one merchant. */
interface PaymentAttempt {
  readonly operation: Operation;
  readonly brand?: string;
  readonly by: Initiator;
  /** Equal for equal details of the card: its expiry, or the token. Nothing that must not be kept. */
  readonly details: string;
  /** Whether the cardholder was authenticated. */
  readonly isAuthenticated: boolean;
  /** Of a standing instruction, if it has one. */
  readonly agreementId?: string;
}

/** An earlier attempt, and what the issuer said. */
export interface EarlierAttempt extends PaymentAttempt {
  /** Where it went. */
  readonly account: MerchantAccountId | 'simulator';
  /** When its outcome was recorded, milliseconds since the epoch. */
  readonly decidedAtMs: number;
  readonly outcome: 'approved' | 'declined';
  readonly resultCode: string;
  /** `resultDetails.MerchantAdviceCode`, as the acquirer sent it. */
  readonly adviceCode?: string;
}

/** An attempt that somebody wants to make. */
export interface WantedAttempt extends PaymentAttempt {
  /** Where it is to go; `untried`: to an account that none of the attempts went to. */
  readonly account: MerchantAccountId | 'simulator' | 'untried';
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** Why a retry may be made. */
export type AllowedReason =
  /** Nothing was declined with an advice that is known. */
  | 'noAdvice'
  /** The time that the advice asks for is over. */
  | 'waited'
  | Correction
  | 'otherRoute'
  /** The shopper asks, or it is another agreement: the advice was about one that has ended. */
  | 'otherAgreement'
  | 'merchantDecides';

/** Why the gateway does not retry by itself, though nothing forbids it to others. */
export type NotAutomaticReason =
  | 'noAdvice'
  /** The result code itself says never. */
  | 'hardDecline'
  /** The advice is not about waiting or another route. */
  | 'notAdvised'
  /** The advice is another route, and this account has been tried. */
  | 'routeTried'
  | 'attemptsExceeded';

/** Whether a payment may be tried again. */
export type RetryRuling =
  | { readonly kind: 'allowed'; readonly reason: AllowedReason }
  /** The payment is refused before anything is called. */
  | {
      readonly kind: 'blocked';
      readonly reason: Exclude<RetryRule['retry'], 'merchantDecides'>;
      readonly advice: Pick<Advice, 'network' | 'code'>;
      readonly resultCode: string;
      /** In place of the code's own text, where that speaks of another advice. */
      readonly resultDescription: string;
      /** Milliseconds since the epoch; absent: for ever, or until it is corrected. */
      readonly untilMs?: number;
    }
  | { readonly kind: 'notAutomatic'; readonly reason: NotAutomaticReason };

type Blocked = Extract<RetryRuling, { readonly kind: 'blocked' }>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Documented of schedules that recover declined payments: five attempts in twenty days. */
export const AUTOMATIC_ATTEMPTS_MAX = 5;
/** The days in which those are counted. */
export const AUTOMATIC_ATTEMPTS_DAYS = 20;

/** What an advice can be about. */
export type AdviceSide = 'charge' | 'payout' | 'reversal';

/**
 * What an advice is about: that a card has no funds says nothing of a refund to it. Captures and
 * chargebacks are not asked of the issuer, so that no advice can stop them.
 */
const sides: Readonly<Partial<Record<Operation, AdviceSide>>> = {
  authorization: 'charge',
  debit: 'charge',
  rebill: 'charge',
  incrementalAuthorization: 'charge',
  reauthorization: 'charge',
  refund: 'payout',
  credit: 'payout',
  reversal: 'reversal',
};

/** What an advice to an operation is about; undefined if the issuer is not asked about it. */
export function adviceSideOf(operation: Operation): AdviceSide | undefined {
  return sides[operation];
}

/** What is known of a decline that may block what comes after it. */
export interface AdvisedBlock {
  /** Milliseconds since the epoch; absent: for ever, or until it is corrected. */
  readonly untilMs?: number;
  /** Whether an approval ends it. */
  readonly endsWithApproval: boolean;
}

/** Whether a declined attempt blocks anything after it, and how long; undefined if nothing. */
export function advisedBlock(declined: EarlierAttempt): AdvisedBlock | undefined {
  const advice = adviceFor(declined.brand, declined.adviceCode);
  if (advice?.blockedBy === undefined || isApproved(declined)) return undefined;
  const untilMs = declined.decidedAtMs + blockedForMs(advice.rule);
  return {
    endsWithApproval: !isOfAgreement(advice),
    ...(Number.isFinite(untilMs) && { untilMs }),
  };
}

/**
 * Whether an attempt to pay may be made after earlier ones of the same card and the same merchant, in
 * any order (B12). The gateway retries by itself only what the network advises to retry; others
 * are free unless the advice forbids it. An approval ends what was advised before it.
 */
export function retryAllowed(
  wanted: WantedAttempt,
  earlier: readonly EarlierAttempt[],
): RetryRuling {
  const ofSide = sameSide(wanted, earlier);
  const approvedAtMs = Math.max(
    ...ofSide.filter(isApproved).map(({ decidedAtMs }) => decidedAtMs),
    -Infinity,
  );
  const rulings = ofSide.flatMap((attempt) => {
    const advice = isApproved(attempt) ? undefined : adviceOfAttempt(attempt, wanted);
    if (advice === undefined) return [];
    const isOver = attempt.decidedAtMs <= approvedAtMs && !isOfAgreement(advice);
    return isOver ? [] : [ruling(advice, attempt, wanted)];
  });
  const blocks = rulings.filter((each) => each.kind === 'blocked');
  const [longest] = blocks.sort((one, other) => endOf(other) - endOf(one));
  if (longest !== undefined) return longest;
  if (wanted.by === 'gateway') return automatic(wanted, ofSide);
  return rulings.at(-1) ?? { kind: 'allowed', reason: 'noAdvice' };
}

/** The attempts that an advice about this one can come from, the latest last. */
function sameSide(
  { operation }: WantedAttempt,
  earlier: readonly EarlierAttempt[],
): readonly EarlierAttempt[] {
  const side = sides[operation];
  return earlier
    .filter((attempt) => side !== undefined && sides[attempt.operation] === side)
    .sort((one, other) => one.decidedAtMs - other.decidedAtMs);
}

/** Of a card of two networks, what one of them advises does not bind the other. */
function adviceOfAttempt(
  { brand, adviceCode }: EarlierAttempt,
  wanted: WantedAttempt,
): Advice | undefined {
  const advice = adviceFor(brand, adviceCode);
  const binds = advice !== undefined && adviceFor(wanted.brand, adviceCode) === advice;
  return binds ? advice : undefined;
}

/** What one advice says of a retry. */
function ruling(advice: Advice, declined: EarlierAttempt, wanted: WantedAttempt): RetryRuling {
  const { rule } = advice;
  const reason = exemption(rule, declined, wanted);
  if (reason !== undefined) return { kind: 'allowed', reason };
  const untilMs = declined.decidedAtMs + blockedForMs(rule);
  if (wanted.nowMs >= untilMs) return { kind: 'allowed', reason: 'waited' };
  return blocked(advice, untilMs);
}

/** Why a retry is not what the advice is about. */
function exemption(
  rule: RetryRule,
  declined: EarlierAttempt,
  wanted: WantedAttempt,
): AllowedReason | undefined {
  switch (rule.retry) {
    case 'never':
      return rule.of === 'agreement' && isOtherAgreement(declined, wanted)
        ? 'otherAgreement'
        : undefined;
    case 'afterHours':
      return undefined;
    case 'afterCorrection':
      return rule.corrections.find((correction) => isCorrected(correction, declined, wanted));
    case 'otherRoute':
      if (wanted.account !== declined.account) return 'otherRoute';
      return rule.days === undefined ? 'merchantDecides' : undefined;
    case 'merchantDecides':
      return 'merchantDecides';
  }
}

/** How long after the decline a rule blocks. */
function blockedForMs(rule: RetryRule): number {
  switch (rule.retry) {
    case 'afterHours':
      return rule.hours * HOUR_MS;
    case 'never':
    case 'afterCorrection':
    case 'otherRoute':
      return rule.days === undefined ? Infinity : rule.days * DAY_MS;
    case 'merchantDecides':
      return 0;
  }
}

/** A shopper who ended one agreement may pay, or begin another one. */
function isOtherAgreement(declined: EarlierAttempt, wanted: WantedAttempt): boolean {
  if (wanted.by === 'shopper') return true;
  const { agreementId } = wanted;
  return (
    agreementId !== undefined &&
    declined.agreementId !== undefined &&
    agreementId !== declined.agreementId
  );
}

function isCorrected(
  correction: Correction,
  declined: EarlierAttempt,
  wanted: WantedAttempt,
): boolean {
  switch (correction) {
    case 'newDetails':
      return wanted.details !== declined.details;
    case 'authentication':
      return wanted.isAuthenticated && !declined.isAuthenticated;
    case 'shopper':
      return wanted.by === 'shopper';
  }
}

function blocked(advice: Advice, untilMs: number): RetryRuling {
  const { network, code, rule, blockedBy: resultCode } = advice;
  if (rule.retry === 'merchantDecides' || resultCode === undefined) {
    throw new Error(`Advice ${code} of ${network} blocks nothing.`);
  }
  return {
    ...{ kind: 'blocked', reason: rule.retry, advice: { network, code }, resultCode },
    resultDescription: describedBlock(advice, resultCode),
    ...(Number.isFinite(untilMs) && { untilMs }),
  };
}

/** The codes' own texts speak of the advice whose number they end with, as MASTER numbers it. */
function describedBlock({ network, code, means, rule }: Advice, resultCode: string): string {
  if (network === 'MASTER' && resultCode.endsWith(`.0${code}`)) return describeResult(resultCode);
  const named = `retry blocked by merchant advice code ${code}`;
  if (rule.retry !== 'afterHours') return `${named} of ${network} (${means})`;
  const hours = rule.hours === 1 ? '1 hour' : `${rule.hours} hours`;
  return `${named} (please wait ${hours})`;
}

/** Whether the gateway retries by itself what nothing blocks. */
function automatic(wanted: WantedAttempt, ofSide: readonly EarlierAttempt[]): RetryRuling {
  const last = ofSide.at(-1);
  const advice = last && !isApproved(last) ? adviceOfAttempt(last, wanted) : undefined;
  if (last === undefined || advice === undefined) return notAutomatic('noAdvice');
  if (retryOf(last.resultCode) === 'never') return notAutomatic('hardDecline');
  const sinceMs = wanted.nowMs - AUTOMATIC_ATTEMPTS_DAYS * DAY_MS;
  const own = ofSide.filter(({ by, decidedAtMs }) => by === 'gateway' && decidedAtMs > sinceMs);
  if (own.length >= AUTOMATIC_ATTEMPTS_MAX) return notAutomatic('attemptsExceeded');
  switch (advice.rule.retry) {
    case 'afterHours':
      return { kind: 'allowed', reason: 'waited' };
    case 'otherRoute': {
      const isTried = ofSide.some(({ account }) => account === wanted.account);
      return isTried ? notAutomatic('routeTried') : { kind: 'allowed', reason: 'otherRoute' };
    }
    case 'never':
    case 'afterCorrection':
    case 'merchantDecides':
      return notAutomatic('notAdvised');
  }
}

function notAutomatic(reason: NotAutomaticReason): RetryRuling {
  return { kind: 'notAutomatic', reason };
}

function isApproved({ outcome }: EarlierAttempt): boolean {
  return outcome === 'approved';
}

function isOfAgreement({ rule }: Advice): boolean {
  return rule.retry === 'never' && rule.of === 'agreement';
}

function endOf({ untilMs }: Blocked): number {
  return untilMs ?? Infinity;
}
