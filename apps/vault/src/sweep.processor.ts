import type { Clock, Logger } from '@sluice/service';
import type { DetailMemory } from './detail-memory.js';
import type { DataKeys } from './data-keys.js';
import type { HeldDetailRows } from './held-detail-rows.js';
import type { KeptDetails } from './kept-details.js';
import type { SavedDetails } from './saved-details.js';
import type { UsedTokens } from './used-tokens.js';

/** A security code may be held for 30 minutes (D-42); this and its lifetime together stay below. */
export const SWEEP_INTERVAL_MS = 30_000;
/** Rows of one statement, so that none of them runs long. */
const ROWS_PER_STEP = 1_000;
/** Steps of one sweep; what is left waits for the next. */
const STEPS_MAX = 20;

/** What is swept. */
export interface SweptParts {
  readonly memory: DetailMemory;
  readonly saved: Pick<SavedDetails, 'sweep'>;
  readonly rows: HeldDetailRows;
  readonly dataKeys: DataKeys;
  readonly kept: KeptDetails;
  readonly usedTokens: UsedTokens;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Removes what has expired, from memory and from the database, wraps data keys again after the
 * wrapping key was rotated, and erases those that no card needs any more.
 */
export class SweepProcessor {
  readonly #parts: SweptParts;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;

  constructor(parts: SweptParts) {
    this.#parts = parts;
  }

  /** Sweeps now, in case a process that was killed left something, and from now on. */
  start(): void {
    void this.sweep();
    this.#timer = setInterval(() => void this.sweep(), SWEEP_INTERVAL_MS).unref();
  }

  /** One sweep; a second caller joins the one under way. Failures are logged, the next one retries. */
  sweep(): Promise<void> {
    // Memory first, on its own: it needs no database, and security codes must go in time.
    const { memory, saved, clock } = this.#parts;
    for (const remembered of [memory, saved]) remembered.sweep(clock.monotonicMs());
    this.#underWay ??= this.#sweepDatabase().finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  /** Stops, after the sweep under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
  }

  async #sweepDatabase(): Promise<void> {
    const { rows, dataKeys, kept, usedTokens, logger } = this.#parts;
    try {
      for (const table of [rows, usedTokens]) {
        let expired = ROWS_PER_STEP;
        for (let step = 0; step < STEPS_MAX && expired === ROWS_PER_STEP; step += 1) {
          expired = await table.sweepExpired(ROWS_PER_STEP);
        }
      }
      for (const keys of [dataKeys, kept]) {
        const { rewrapped, unreadable } = await keys.rewrap();
        if (rewrapped > 0)
          logger.info({ rewrapped }, 'Data keys wrapped under the current version');
        if (unreadable > 0) logger.warn({ unreadable }, 'Data keys whose wrapping key was retired');
      }
      await dataKeys.sweep();
    } catch (error) {
      logger.error({ err: error }, 'The vault could not be swept');
    }
  }
}
