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
 * being recorded, and those that wait for the answers before theirs. A process that dies leaves no more than
 * that to be told twice.
 */
export const OPEN_FOR_EACH_CALL = 4;
/**
 * A call that takes longer gives its place to others: who hangs delays nobody. A receiver that answers sooner
 * has its next calls ready, so that it need not wait for the database in between.
 */
export const SLOW_AFTER_MS = 1_000;
/** Without places: each has a connection and the text that it says. */
export const SLOW_CALLS_MAX = 2_048;
/** A receiver that lets so many calls hang and answers none gets no others until they end. */
export const SILENT_CALLS_MAX = 2;
/** What waits for a receiver is asked for once this part of its room is free: each look is a transaction. */
const ROOM_SHARE = 1 / 4;

interface Sent {
  readonly receiver: string;
  readonly sentAtMs: number;
}

interface OpenAttempts {
  readonly calls: number;
  /** Answered, and not recorded yet. */
  readonly unrecorded: number;
  /** Calls that have become slow since it answered anything quickly. */
  readonly silent: number;
  /** Its latest answer came before its call was slow. */
  readonly isQuick: boolean;
}

const NONE_OPEN: OpenAttempts = { calls: 0, unrecorded: 0, silent: 0, isQuick: false };

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
  /** By attempt: the receivers of those that have a place, of those that are slow, and of those that are answered. */
  readonly #placed = new Map<string, string>();
  readonly #slow = new Map<string, string>();
  readonly #unrecorded = new Map<string, string>();
  /** Of those that have a place, those that are sent, the oldest first. */
  readonly #sent = new Map<string, Sent>();

  constructor(private readonly limits: CallLimits) {}

  /** How many more calls there may be. */
  get free(): number {
    return this.limits.callsMax - this.#placed.size;
  }

  /** Those that are called as often as they may be, or whose answers are not recorded yet. */
  get busy(): readonly string[] {
    return [...this.#open.keys()].filter((receiver) => this.room(receiver) <= 0);
  }

  /** Those that do not answer. */
  get away(): number {
    return [...this.#breakers.values()].filter(({ openUntilMs }) => openUntilMs !== undefined)
      .length;
  }

  /** How many more attempts of it may begin, as far as it alone goes. */
  room(receiver: string): number {
    const { calls, unrecorded, silent } = this.#openOf(receiver);
    if (silent >= SILENT_CALLS_MAX) return 0;
    const { callsPerReceiverMax } = this.limits;
    const openMax = OPEN_FOR_EACH_CALL * callsPerReceiverMax;
    return Math.min(this.#callsMaxOf(receiver) - calls, openMax - calls - unrecorded);
  }

  /** Whether there is room for so many of its attempts that it is worth a look at what waits for it. */
  hasRoom(receiver: string): boolean {
    return this.room(receiver) >= this.#callsMaxOf(receiver) * ROOM_SHARE;
  }

  /**
   * Whether one more call of it may begin; a time: not before then, because it does not answer. Where an entity
   * has a clock of its own, the receiver has a breaker by that clock.
   */
  mayCall(receiver: string, nowMs: number, name = receiver): boolean | number {
    if (this.free <= 0 || this.room(receiver) <= 0) return false;
    const breaker = this.#breakerOf(name);
    return mayBegin(breaker, nowMs) ? true : opensWayAtMs(breaker);
  }

  /** A call of it begins. */
  begin(receiver: string, attemptId: string, nowMs: number, name = receiver): void {
    const open = this.#openOf(receiver);
    this.#open.set(receiver, { ...open, calls: open.calls + 1 });
    this.#placed.set(attemptId, receiver);
    this.#note(name, afterBegin(this.#breakerOf(name), attemptId, nowMs));
  }

  /**
   * It is sent, at a time of the monotonic clock: from here on it is the receiver that takes its time, and not
   * somebody who is asked what to say.
   */
  sent(attemptId: string, atMs: number): void {
    const receiver = this.#placed.get(attemptId);
    if (receiver !== undefined) this.#sent.set(attemptId, { receiver, sentAtMs: atMs });
  }

  /** Calls that take long give their places to others, as far as so many may hang. */
  noteSlow(atMs: number): void {
    for (const [attemptId, { receiver, sentAtMs }] of this.#sent) {
      if (atMs - sentAtMs < SLOW_AFTER_MS || this.#slow.size >= SLOW_CALLS_MAX) return;
      this.#sent.delete(attemptId);
      this.#placed.delete(attemptId);
      this.#slow.set(attemptId, receiver);
      const open = this.#openOf(receiver);
      this.#open.set(receiver, { ...open, silent: open.silent + 1, isQuick: false });
    }
  }

  /** It has answered, or never will: it may have its next call, though what came of it is not recorded yet. */
  answered(attemptId: string, atMs: number): void {
    const receiver = this.#placed.get(attemptId) ?? this.#slow.get(attemptId);
    if (receiver === undefined) return;
    const sentAtMs = this.#sent.get(attemptId)?.sentAtMs ?? Number.NEGATIVE_INFINITY;
    const isQuick = atMs - sentAtMs < SLOW_AFTER_MS;
    const wasSlow = this.#slow.delete(attemptId);
    this.#placed.delete(attemptId);
    this.#sent.delete(attemptId);
    this.#unrecorded.set(attemptId, receiver);
    const { calls, unrecorded, silent } = this.#openOf(receiver);
    const stillSilent = Math.max(0, silent - (wasSlow ? 1 : 0));
    this.#open.set(receiver, {
      ...{ calls: calls - 1, unrecorded: unrecorded + 1 },
      ...{ silent: isQuick ? 0 : stillSilent, isQuick },
    });
  }

  /** That is recorded, or never will be. */
  end(attemptId: string): void {
    const receiver = this.#unrecorded.get(attemptId);
    if (receiver === undefined) return;
    this.#unrecorded.delete(attemptId);
    const open = this.#openOf(receiver);
    if (open.calls + open.unrecorded <= 1) this.#open.delete(receiver);
    else this.#open.set(receiver, { ...open, unrecorded: open.unrecorded - 1 });
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

  #callsMaxOf(receiver: string): number {
    const { callsPerReceiverMax } = this.limits;
    // Those of whom something bad is known get no more calls than there may be at once.
    const isReady = this.#openOf(receiver).isQuick && !this.#breakers.has(receiver);
    return isReady ? OPEN_FOR_EACH_CALL * callsPerReceiverMax : callsPerReceiverMax;
  }

  #openOf(receiver: string): OpenAttempts {
    return this.#open.get(receiver) ?? NONE_OPEN;
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
