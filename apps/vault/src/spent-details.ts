import type { DetailMemory } from './detail-memory.js';
import type { HeldDetailRows } from './held-detail-rows.js';
import type { VaultMetrics } from './vault-metrics.js';

/** Where spent details are, and who is told. */
export interface SpentDetailsParts {
  readonly memory: Pick<DetailMemory, 'forget'>;
  readonly rows: Pick<HeldDetailRows, 'delete' | 'leaveUnwritten'>;
  readonly metrics: Pick<VaultMetrics, 'forgotten'>;
  /** Told of rows that could not be deleted; they expire. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * At least so long, and at most twice, a request whose answer was lost may be repeated: longer than a
 * caller tries to have details revealed.
 */
export const SPENT_FOR_MS = 2_000;

interface Spent {
  readonly reference: string;
  readonly mayHaveRow: boolean;
}

/**
 * Details that were revealed for the last time. If they have no row yet, they get none; a moment
 * later they are forgotten, and the rows of many are deleted together.
 */
export class SpentDetails {
  /** Of this round and of the one before. */
  #young: Spent[] = [];
  #old: Spent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(private readonly parts: SpentDetailsParts) {}

  /** Nobody will need them again. */
  add(reference: string): void {
    this.#young.push({ reference, mayHaveRow: !this.parts.rows.leaveUnwritten(reference) });
    this.#timer ??= this.#nextRound();
  }

  /** Forgets what is spent, now. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#underWay;
    await this.#forget([...this.#old, ...this.#young]);
    this.#old = [];
    this.#young = [];
  }

  #nextRound(): NodeJS.Timeout {
    return setTimeout(() => {
      const due = this.#old;
      this.#old = this.#young;
      this.#young = [];
      this.#timer = this.#old.length > 0 ? this.#nextRound() : undefined;
      this.#underWay = this.#forget(due);
    }, SPENT_FOR_MS).unref();
  }

  async #forget(spent: readonly Spent[]): Promise<void> {
    const { memory, rows, metrics, onFailed } = this.parts;
    for (const { reference } of spent) {
      memory.forget(reference);
      metrics.forgotten.add();
    }
    const written = spent.filter(({ mayHaveRow }) => mayHaveRow);
    await Promise.all(written.map(({ reference }) => rows.delete(reference))).catch(onFailed);
  }
}
