import type { SealedDetails } from './detail-cipher.js';

/**
 * How many payments may have details in memory; beyond that the oldest are dropped. Their rows
 * remain, but their security codes are gone, and the payment continues without (D-42). About 1 KB
 * each.
 */
const HELD_MAX = 20_000;

/** What is remembered, and until when. */
export interface Remembered {
  readonly sealed: SealedDetails;
  /** The details that are never written; overwritten with zeros when forgotten. */
  inMemory: Buffer | undefined;
  readonly untilMs: number;
}

/**
 * What this instance remembers of what it holds: the ciphertext, so that revealing needs no
 * database, and a security code, which exists nowhere else and is never written anywhere (D-42,
 * S-PCI-03). Times are monotonic milliseconds, so setting the clock back does not prolong anything.
 */
export class DetailMemory {
  readonly #lifetimeMs: number;
  /** In the order of arrival. */
  readonly #held = new Map<string, Remembered>();

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** How many payments it remembers details of. */
  get size(): number {
    return this.#held.size;
  }

  /** Takes over the buffer: the caller must not keep it. */
  remember(
    reference: string,
    sealed: SealedDetails,
    inMemory: Buffer | undefined,
    nowMs: number,
  ): void {
    this.rememberUntil(reference, { sealed, inMemory, untilMs: nowMs + this.#lifetimeMs });
  }

  /** The same of what has an end of its own. */
  rememberUntil(reference: string, held: Remembered): void {
    this.#held.set(reference, held);
    if (this.#held.size > HELD_MAX) this.#forgetOldest();
  }

  /** What is remembered, until it expires; details that are never written come as a copy. */
  recall(
    reference: string,
    nowMs: number,
  ): { readonly sealed: SealedDetails; readonly inMemory: string | undefined } | undefined {
    const held = this.#held.get(reference);
    if (!held) return undefined;
    if (held.untilMs <= nowMs) {
      this.forget(reference);
      return undefined;
    }
    return { sealed: held.sealed, inMemory: held.inMemory?.toString('utf8') };
  }

  /** Forgets the details that are never written, and keeps the ciphertext of the others. */
  forgetUnwritten(reference: string): void {
    const held = this.#held.get(reference);
    if (held === undefined) return;
    held.inMemory?.fill(0);
    held.inMemory = undefined;
  }

  forget(reference: string): void {
    this.#held.get(reference)?.inMemory?.fill(0);
    this.#held.delete(reference);
  }

  /** Forgets everything that has expired. */
  sweep(nowMs: number): void {
    for (const [reference, { untilMs }] of this.#held) {
      if (untilMs <= nowMs) this.forget(reference);
    }
  }

  /** Forgets everything. */
  clear(): void {
    for (const { inMemory } of this.#held.values()) inMemory?.fill(0);
    this.#held.clear();
  }

  #forgetOldest(): void {
    const [oldest] = this.#held.keys();
    if (oldest !== undefined) this.forget(oldest);
  }
}
