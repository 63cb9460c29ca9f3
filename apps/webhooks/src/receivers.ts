import {
  afterBegin,
  afterEnd,
  type AttemptOutcome,
  closedBreaker,
  isAcknowledged,
  isThereAgain,
  mayBegin,
  opensWayAtMs,
  type ReceiverBreaker,
} from '@sluice/domain-webhooks';

/** How many calls there may be. */
export interface CallLimits {
  readonly callsMax: number;
  readonly callsPerReceiverMax: number;
}

/**
 * So many attempts of a receiver may be open for each call that there may be at once: those whose answers are
 * being recorded. A process that dies leaves no more than that to be told twice.
 */
export const OPEN_FOR_EACH_CALL = 4;

interface OpenAttempts {
  readonly calls: number;
  /** Answered, and not recorded yet. */
  readonly unrecorded: number;
}

/**
 * Whom this process calls at the moment, and who does not answer. Breakers are of a process: one that begins
 * again finds out by a few calls who is still away, and does not know for whom something waits that was away
 * before. So the first acknowledgement of each receiver counts as its being there again.
 */
export class Receivers {
  readonly #breakers = new Map<string, ReceiverBreaker>();
  readonly #open = new Map<string, OpenAttempts>();
  /** Those that have acknowledged something to this process: no more than there are addresses. */
  readonly #met = new Set<string>();
  #callsOfAll = 0;

  constructor(private readonly limits: CallLimits) {}

  /** How many more calls there may be. */
  get free(): number {
    return this.limits.callsMax - this.#callsOfAll;
  }

  /** Those that are called as often as they may be, or whose answers are not recorded yet. */
  get busy(): readonly string[] {
    return [...this.#open.keys()].filter((receiver) => this.#isBusy(receiver));
  }

  /** Those that do not answer. */
  get away(): number {
    return [...this.#breakers.values()].filter(({ openUntilMs }) => openUntilMs !== undefined)
      .length;
  }

  /**
   * Whether one more call of it may begin; a time: not before then, because it does not answer. Where an entity
   * has a clock of its own, the receiver has a breaker by that clock.
   */
  mayCall(receiver: string, nowMs: number, name = receiver): boolean | number {
    if (this.free <= 0) return false;
    if (this.#isBusy(receiver)) return false;
    const breaker = this.#breakerOf(name);
    return mayBegin(breaker, nowMs) ? true : opensWayAtMs(breaker);
  }

  /** A call of it begins. */
  begin(receiver: string, attemptId: string, nowMs: number, name = receiver): void {
    const open = this.#open.get(receiver) ?? { calls: 0, unrecorded: 0 };
    this.#open.set(receiver, { ...open, calls: open.calls + 1 });
    this.#callsOfAll += 1;
    this.#note(name, afterBegin(this.#breakerOf(name), attemptId, nowMs));
  }

  /** It has answered: it may have its next call, though what it answered is not recorded yet. */
  answered(receiver: string): void {
    const { calls, unrecorded } = this.#open.get(receiver) ?? { calls: 1, unrecorded: 0 };
    this.#open.set(receiver, { calls: calls - 1, unrecorded: unrecorded + 1 });
    this.#callsOfAll -= 1;
  }

  /** That is recorded, or never will be. */
  end(receiver: string): void {
    const { calls, unrecorded } = this.#open.get(receiver) ?? { calls: 0, unrecorded: 1 };
    if (calls + unrecorded > 1) this.#open.set(receiver, { calls, unrecorded: unrecorded - 1 });
    else this.#open.delete(receiver);
  }

  /** What came of it, by the name of its breaker; true: it is there again, and what waits for it need not wait any more (R-WH-06). */
  learn(
    name: string,
    ended: { readonly attemptId: string; readonly outcome: AttemptOutcome },
    nowMs: number,
  ): boolean {
    const before = this.#breakerOf(name);
    this.#note(name, afterEnd(before, ended, nowMs));
    const isFirst = isAcknowledged(ended.outcome) && !this.#met.has(name);
    if (isFirst) this.#met.add(name);
    return isFirst || isThereAgain(before, ended.outcome, nowMs);
  }

  #isBusy(receiver: string): boolean {
    const { calls, unrecorded } = this.#open.get(receiver) ?? { calls: 0, unrecorded: 0 };
    const { callsPerReceiverMax } = this.limits;
    return (
      calls >= callsPerReceiverMax || calls + unrecorded >= OPEN_FOR_EACH_CALL * callsPerReceiverMax
    );
  }

  #breakerOf(name: string): ReceiverBreaker {
    return this.#breakers.get(name) ?? closedBreaker;
  }

  /** Those of which nothing bad is known need not be kept. */
  #note(name: string, breaker: ReceiverBreaker): void {
    if (breaker === closedBreaker) this.#breakers.delete(name);
    else this.#breakers.set(name, breaker);
  }
}
