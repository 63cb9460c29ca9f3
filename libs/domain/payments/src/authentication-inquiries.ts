import type { TransactionId } from '@sluice/identifiers';
import type { Transaction } from './transaction.js';

/** Asks risk what has become of an authentication. */
export interface InquireAuthentication {
  readonly kind: 'inquireAuthentication';
  readonly transactionId: TransactionId;
  readonly authenticationId: TransactionId;
  /** Its time is over: where risk knows of no end, it has failed. */
  readonly isOver: boolean;
  /** Nobody waits for risk any longer: without any answer, it has failed. */
  readonly last: boolean;
}

/** When to ask, in milliseconds. */
interface InquirySchedule {
  /** Counted from when the shopper was needed; ascending. */
  readonly inquireAfterMs: readonly number[];
  /** By how much the clocks of two processes may differ. */
  readonly clockMarginMs: number;
}

/**
 * For how long after its end an authentication is asked about while risk does not answer: that risk is away says
 * nothing of the issuer. It is time for somebody to bring risk back. The card of a payment without a registration
 * is gone from the vault long before, and then no acquirer is asked.
 */
const ASKED_FOR_MS = 86_400_000;

/** Asked again after such a part of the time for which nobody has answered: often at first, then rarely. */
const PART_OF_SILENCE = 4;
/**
 * The same where no browser comes back that would tell us: in an app, and where the issuer asks elsewhere. The
 * shopper looks at a screen meanwhile.
 */
const PART_OF_WAITING = 10;

/**
 * With the shopper: risk is asked on the schedule of inquiries, or more often where no browser comes back, when the
 * time is over, and where it has not answered then, again and again for a day.
 */
export function planInquiring(
  { id: transactionId, awaited, changedAtMs, redirect }: Transaction,
  nowMs: number,
  { inquireAfterMs, clockMarginMs }: InquirySchedule,
):
  | {
      readonly attemptsMs: readonly number[];
      step(nowMs: number, last: boolean): InquireAuthentication;
    }
  | undefined {
  if (awaited === undefined) return undefined;
  const { authenticationId, expiresAtMs } = awaited;
  const endMs = expiresAtMs + clockMarginMs;
  const lastMs = endMs + ASKED_FOR_MS;
  const before = inquireAfterMs.map((afterMs) => changedAtMs + afterMs);
  const [soonestMs = 0] = inquireAfterMs;
  const isOver = nowMs >= endMs;
  const silentMs = Math.floor(
    isOver ? (nowMs - endMs) / PART_OF_SILENCE : (nowMs - changedAtMs) / PART_OF_WAITING,
  );
  const againMs = nowMs + Math.max(soonestMs, silentMs);
  const isRepeated = isOver ? againMs < lastMs : redirect === undefined && againMs < endMs;
  const step = { kind: 'inquireAuthentication', transactionId, authenticationId } as const;
  return {
    attemptsMs: [
      ...before.filter((atMs) => atMs < endMs),
      ...[endMs, ...(isRepeated ? [againMs] : []), lastMs],
    ].sort((left, right) => left - right),
    step: (atMs, last) => ({ ...step, isOver: atMs >= endMs, last }),
  };
}
