import type { SealedCard } from './card-cipher.js';

/**
 * Cards kept in memory; the oldest beyond it are dropped. Their rows remain, their security codes
 * are gone, and the payment goes on without (D-42). About 1 KB each.
 */
const CARDS_MAX = 20_000;

interface RememberedCard {
  readonly sealed: SealedCard;
  /** The security code's digits; overwritten with zeros when forgotten. */
  readonly code: Buffer | undefined;
  readonly untilMs: number;
}

/**
 * What this instance remembers of the cards it holds: the ciphertext, so that revealing needs no
 * database, and the security code, which exists nowhere else and is never written anywhere (D-42,
 * S-PCI-03). Times are monotonic milliseconds, so a clock that is set back prolongs nothing.
 */
export class CardMemory {
  readonly #lifetimeMs: number;
  /** In the order of expiry, since every card lives equally long. */
  readonly #cards = new Map<string, RememberedCard>();

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** How many cards it remembers. */
  get size(): number {
    return this.#cards.size;
  }

  /** Takes the code's buffer over: nobody else may keep it. */
  remember(reference: string, sealed: SealedCard, code: Buffer | undefined, nowMs: number): void {
    this.#cards.set(reference, { sealed, code, untilMs: nowMs + this.#lifetimeMs });
    if (this.#cards.size > CARDS_MAX) this.#forgetOldest();
  }

  /** What is remembered, as long as it lives; the code is a copy. */
  recall(
    reference: string,
    nowMs: number,
  ): { readonly sealed: SealedCard; readonly code: string | undefined } | undefined {
    const card = this.#cards.get(reference);
    if (!card) return undefined;
    if (card.untilMs <= nowMs) {
      this.forget(reference);
      return undefined;
    }
    return { sealed: card.sealed, code: card.code?.toString('latin1') };
  }

  forget(reference: string): void {
    this.#cards.get(reference)?.code?.fill(0);
    this.#cards.delete(reference);
  }

  /** Forgets everything that has lived its time. */
  sweep(nowMs: number): void {
    for (const [reference, { untilMs }] of this.#cards) {
      if (untilMs > nowMs) return;
      this.forget(reference);
    }
  }

  /** Forgets everything. */
  clear(): void {
    for (const { code } of this.#cards.values()) code?.fill(0);
    this.#cards.clear();
  }

  #forgetOldest(): void {
    const [oldest] = this.#cards.keys();
    if (oldest !== undefined) this.forget(oldest);
  }
}
