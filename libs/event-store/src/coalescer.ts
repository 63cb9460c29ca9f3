import { StoreBusy } from './append-member.js';

/** The bounds of a coalescer. */
export interface CoalescerLimits {
  /** Statements under way at once: one is prepared while the other is committed. */
  readonly statementsMax: number;
  /** A second statement must carry at least this many: with fewer, waiting for more pays off. */
  readonly companionMembersMin: number;
  /** Appends in one statement. */
  readonly membersMax: number;
  /** Size of one statement: a cart may be large, and the server holds all of it in memory. */
  readonly statementBytesMax: number;
  /** Appends that wait, in all. */
  readonly waitingMax: number;
  /** Appends of one stream that wait (D-08). */
  readonly waitingPerStreamMax: number;
}

/** What the coalescer must know about an append. */
export interface Coalesced {
  readonly streamId: string;
  /** As with the stream, two appends under one key never share a statement. */
  readonly idempotencyKey: string | undefined;
  readonly bytes: number;
}

/**
 * Combines waiting appends: a statement takes everything that waits. While fewer than
 * `statementsMax` are under way, another one starts if enough waits. There is no timer, so a single
 * append waits for one statement at most. A stream, or an idempotency key, is in one statement at a
 * time.
 */
export class Coalescer<Item extends Coalesced> {
  /** A stream is present while one of its appends is ready or under way; the others wait here. */
  readonly #behind = new Map<string, Item[]>();
  readonly #keysUnderWay = new Set<string>();
  #ready: Item[] = [];
  #waiting = 0;
  #statements = 0;
  #scheduled = false;

  /** `run` deals with its own failures and ends when every item is settled. */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<void>,
    private readonly limits: CoalescerLimits,
  ) {}

  /** Appends that wait or are under way. */
  get size(): number {
    return this.#waiting;
  }

  /** @throws StoreBusy when there is no room. */
  add(item: Item): void {
    if (this.#waiting >= this.limits.waitingMax) throw new StoreBusy('queueFull');
    const behind = this.#behind.get(item.streamId);
    if (behind === undefined) {
      this.#behind.set(item.streamId, []);
      this.#ready.push(item);
    } else {
      if (behind.length >= this.limits.waitingPerStreamMax) throw new StoreBusy('streamQueueFull');
      behind.push(item);
    }
    this.#waiting += 1;
    this.#schedule();
  }

  /** At the end of this turn of the event loop, so that what arrived together leaves together. */
  #schedule(): void {
    if (this.#scheduled || this.#statements >= this.limits.statementsMax) return;
    if (this.#statements > 0 && this.#ready.length < this.limits.companionMembersMin) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  #start(): void {
    const items = this.#take();
    if (items.length === 0) return;
    this.#statements += 1;
    const ended = (): void => this.#ended(items);
    this.run(items).then(ended, ended);
    if (this.#ready.length > 0) this.#schedule();
  }

  #take(): readonly Item[] {
    const taken: Item[] = [];
    const left: Item[] = [];
    let bytes = 0;
    for (const item of this.#ready) {
      const key = item.idempotencyKey;
      const full =
        taken.length >= this.limits.membersMax ||
        (taken.length > 0 && bytes + item.bytes > this.limits.statementBytesMax);
      if (full || (key !== undefined && this.#keysUnderWay.has(key))) {
        left.push(item);
        continue;
      }
      taken.push(item);
      bytes += item.bytes;
      if (key !== undefined) this.#keysUnderWay.add(key);
    }
    this.#ready = left;
    return taken;
  }

  #ended(items: readonly Item[]): void {
    this.#statements -= 1;
    this.#waiting -= items.length;
    for (const { streamId, idempotencyKey } of items) {
      if (idempotencyKey !== undefined) this.#keysUnderWay.delete(idempotencyKey);
      const next = this.#behind.get(streamId)?.shift();
      if (next === undefined) this.#behind.delete(streamId);
      else this.#ready.push(next);
    }
    if (this.#ready.length > 0) this.#schedule();
  }
}
