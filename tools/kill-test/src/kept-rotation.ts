import {
  type DetailsToKeep,
  RegistrationForgotten,
  type RevealedInstrument,
} from '@sluice/contracts';
import { detailsMessage, HttpVault } from '@sluice/messaging';
import { Detail } from '@sluice/secrets';
import { type SeededRandom, seededRandom } from '@sluice/testing';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { KeptVaults } from './kept-vaults.js';

/** How large a run is. */
export interface KeptRotationOptions {
  readonly seed: string;
  /** Kept details at the beginning. */
  readonly rows: number;
  readonly kills: number;
  readonly perSecond: number;
  readonly onProgress: (line: string) => void;
}

/** What was seen of one kill. */
export interface KeptKill {
  /** Keys still wrapped under an old version when the process was killed. */
  readonly left: number;
  /** From the kill until its successor answered. */
  readonly backMs: number;
}

/** What a run found. */
export interface KeptRotationResult {
  readonly violations: readonly string[];
  readonly requests: number;
  readonly kills: readonly KeptKill[];
  readonly rotations: number;
  /**
   * Requests that were sent again, because the process that held their details for a moment was killed:
   * nobody else has those. All others are answered at once, by the other process if need be.
   */
  readonly heldAgain: number;
  /** Milliseconds from when a request was due. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly keptAtEnd: number;
}

const POLL_MS = 10;
const SEEDED_AT_ONCE = 24;
const SECOND_MS = 1_000;
/** Between two kills so many parts of all keys are wrapped again. */
const PARTS_BETWEEN_KILLS = 12;
/** Without progress for so long the rotation does not go on: a sweep comes every half minute. */
const PROGRESS_WITHIN_MS = 90_000;
const MERCHANT = 'merchant-1';
const ACCOUNT_DIGITS = 11;

/**
 * Rotates the wrapping key again and again over kept details while requests flow and processes of the
 * vault are killed in the middle; then looks whether anything is lost, left over or wrong. What is kept
 * never fails. What is only held (a card that comes in, a security code) is in the memory of one of the
 * two processes, and goes with it: whoever sent it sends it again, and how often that was is counted.
 */
export async function runKeptRotation(options: KeptRotationOptions): Promise<KeptRotationResult> {
  const vaults = await KeptVaults.start();
  const run = new KeptRotation(vaults, options);
  try {
    return await run.result();
  } finally {
    await run.close();
    await vaults.close();
  }
}

class KeptRotation {
  readonly #client: HttpVault;
  readonly #random: SeededRandom;
  /** What is kept, by its reference. */
  readonly #book = new Map<string, string>();
  /** The registration of each reference. */
  readonly #registrations = new Map<string, string>();
  readonly #violations: string[] = [];
  readonly #latencies: number[] = [];
  readonly #kills: KeptKill[] = [];
  #accounts = 0;
  #heldAgain = 0;
  #rotations = 0;
  #isOver = false;

  constructor(
    private readonly vaults: KeptVaults,
    private readonly options: KeptRotationOptions,
  ) {
    this.#client = new HttpVault({ urls: vaults.urls });
    this.#random = seededRandom(options.seed);
  }

  async result(): Promise<KeptRotationResult> {
    const { rows, kills, onProgress } = this.options;
    await inParallel(rows, () => this.#keep());
    onProgress(`${rows} kept`);
    const flow = this.#flow();
    while (this.#kills.length < kills) await this.#kill();
    await this.#progressTo(0);
    this.#isOver = true;
    await flow;
    await this.#verify();
    const sorted = this.#latencies.toSorted((left, right) => left - right);
    return {
      violations: this.#violations,
      requests: sorted.length,
      kills: this.#kills,
      rotations: this.#rotations,
      heldAgain: this.#heldAgain,
      p50Ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      keptAtEnd: this.#book.size,
    };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #kill(): Promise<void> {
    let left = await this.vaults.leftToWrap();
    if (left === 0) {
      await this.vaults.rotate();
      this.#rotations += 1;
      left = await this.vaults.leftToWrap();
    }
    const step = this.options.rows / PARTS_BETWEEN_KILLS;
    left = await this.#progressTo(Math.max(0, Math.floor(left - step)));
    const startMs = performance.now();
    await this.vaults.killAndRestart(this.#random.pick(this.vaults.numbers));
    const backMs = performance.now() - startMs;
    this.#kills.push({ left, backMs });
    this.options.onProgress(`kill ${this.#kills.length}: ${left} left, back in ${ms(backMs)}`);
  }

  /** Waits until no more than so many keys are left; how many are. */
  async #progressTo(wanted: number): Promise<number> {
    const endsAtMs = performance.now() + PROGRESS_WITHIN_MS;
    for (;;) {
      const left = await this.vaults.leftToWrap();
      if (left <= wanted) return left;
      if (performance.now() > endsAtMs) {
        throw new Error(`the rotation does not go on: ${left} keys are left`);
      }
      await pause(POLL_MS);
    }
  }

  /** Requests come at their rate, whether the ones before are answered or not. */
  async #flow(): Promise<void> {
    const startMs = performance.now();
    const underWay: Promise<void>[] = [];
    for (let index = 0; !this.#isOver; index += 1) {
      const dueMs = startMs + (index * SECOND_MS) / this.options.perSecond;
      await pause(Math.max(0, dueMs - performance.now()));
      underWay.push(this.#request(index, dueMs));
    }
    await Promise.all(underWay);
  }

  async #request(index: number, dueMs: number): Promise<void> {
    const work = WORKS[index % WORKS.length] ?? 'reveal';
    try {
      await this.#perform(work);
    } catch (error) {
      this.#violations.push(`${work}: ${String(error)}`);
    }
    this.#latencies.push(performance.now() - dueMs);
  }

  #perform(work: Work): Promise<void> {
    switch (work) {
      case 'keep':
        return this.#keep();
      case 'reveal':
        return this.#revealSome();
      case 'pay':
        return this.#pay();
      case 'forget':
        return this.#forget();
    }
  }

  /** As a merchant would: sends the account again if the process that held it was killed. */
  async #keep(): Promise<void> {
    this.#accounts += 1;
    const number = `42000${String(this.#accounts).padStart(ACCOUNT_DIGITS, '0')}`;
    const registrationId = this.#random.bytes(16).toString('hex');
    for (;;) {
      const killsBefore = this.vaults.kills;
      const { reference: heldReference } = await this.#client.hold(cardOf(number));
      const toKeep: DetailsToKeep = { heldReference, registrationId, merchantId: MERCHANT };
      const kept = await this.#client.keep(toKeep);
      if (kept !== undefined && 'reference' in kept) {
        this.#book.set(kept.reference, number);
        this.#registrations.set(kept.reference, registrationId);
        return;
      }
      if (!this.vaults.isHolderKilled(heldReference, killsBefore)) {
        throw new Error('details were gone without a kill of who held them');
      }
      this.#heldAgain += 1;
    }
  }

  async #revealSome(): Promise<void> {
    const [reference, number] = this.#some();
    this.#check(reference, number, await this.#revealed(reference));
  }

  /** Undefined if it is gone, whether it was forgotten or lost. */
  async #revealed(reference: string, use?: 'last'): Promise<RevealedInstrument | undefined> {
    try {
      return await this.#client.reveal(reference, use);
    } catch (error) {
      if (error instanceof RegistrationForgotten) return undefined;
      throw error;
    }
  }

  /** A payment by a registration that sends a security code; only that may be lost in a kill. */
  async #pay(): Promise<void> {
    const [kept, number] = this.#some();
    const inMemory = { 'card.cvv': new Detail('918') };
    for (;;) {
      const killsBefore = this.vaults.kills;
      const held = await this.#client.hold({ kind: 'card', details: {}, inMemory, kept });
      const revealed = await this.#revealed(held.reference, 'last');
      if (revealed !== undefined || !this.vaults.isHolderKilled(held.reference, killsBefore)) {
        this.#check(kept, number, revealed);
        return;
      }
      this.#heldAgain += 1;
    }
  }

  async #forget(): Promise<void> {
    const [reference] = this.#some();
    this.#book.delete(reference);
    await this.#client.forgetKept(this.#registrations.get(reference) ?? '');
    const revealed = await this.#revealed(reference);
    if (revealed !== undefined) this.#violations.push(`${reference} was not forgotten`);
  }

  #check(reference: string, number: string, revealed: RevealedInstrument | undefined): void {
    // Somebody may have had it forgotten meanwhile.
    if (revealed === undefined && !this.#book.has(reference)) return;
    if (revealed && detailsMessage(revealed).details['card.number'] === number) return;
    this.#violations.push(`${reference} was revealed as something else or nothing`);
  }

  #some(): readonly [reference: string, number: string] {
    const steps = this.#random.integer(0, Math.min(this.#book.size, CHOSEN_FROM_MAX) - 1);
    let index = 0;
    for (const entry of this.#book) {
      if (index === steps) return entry;
      index += 1;
    }
    throw new Error('nothing is kept');
  }

  /** With no other wrapping key than the last one, all must be there, and nothing besides. */
  async #verify(): Promise<void> {
    await this.vaults.retireOld();
    const found = await this.vaults.kept();
    if (found !== this.#book.size) {
      this.#violations.push(`${this.#book.size} should be kept, but ${found} are`);
    }
    const kept = [...this.#book];
    await inParallel(kept.length, async (index) => {
      const [reference, number] = kept[index] ?? ['', ''];
      this.#check(reference, number, await this.#revealed(reference));
    });
  }
}

type Work = 'keep' | 'reveal' | 'pay' | 'forget';
const WORKS: readonly Work[] = [
  ...(['reveal', 'pay', 'reveal', 'keep', 'reveal'] as const),
  ...(['reveal', 'pay', 'reveal', 'keep', 'forget'] as const),
];
/** Choosing walks along the book. */
const CHOSEN_FROM_MAX = 2_000;

function cardOf(number: string) {
  return {
    kind: 'card',
    details: {
      'card.number': new Detail(number),
      'card.expiryMonth': new Detail('05'),
      'card.expiryYear': new Detail('2034'),
    },
  } as const;
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: SEEDED_AT_ONCE }, worker));
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
