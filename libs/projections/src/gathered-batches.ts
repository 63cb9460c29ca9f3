import type { NextCheckpoint } from './bookkeeping.js';
import type { SourceEvent } from './source-event.js';

/** The events of one partition that arrived together, and its checkpoint after them. */
export interface PartitionBatch {
  readonly events: readonly SourceEvent[];
  readonly checkpoint: NextCheckpoint;
}

interface Waiting {
  readonly batch: PartitionBatch;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Events in one transaction: a few milliseconds of the event loop and of row locks. */
const EVENTS_MAX = 1_000;

/**
 * Applies batches of several partitions in one transaction: while one is under way, those that
 * arrive gather for the next. There is no timer, so a single batch does not wait.
 */
export class GatheredBatches {
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(
    /** Returns whether all were applied; after false or a rejection none is. */
    private readonly applyTogether: (batches: readonly PartitionBatch[]) => Promise<boolean>,
    /** Handles one batch, whatever it takes. */
    private readonly applyAlone: (batch: PartitionBatch) => Promise<void>,
  ) {}

  /** Settles when the batch does. A partition may have one batch here at a time. */
  add(batch: PartitionBatch): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // What arrived in the same turn of the event loop leaves together.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#apply(this.#take());
    this.#isRunning = false;
  }

  #take(): readonly Waiting[] {
    let events = 0;
    let count = 0;
    for (const { batch } of this.#waiting) {
      events += batch.events.length;
      if (count > 0 && events > EVENTS_MAX) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #apply(together: readonly Waiting[]): Promise<void> {
    if (together.length > 1) {
      const applied = await this.applyTogether(together.map(({ batch }) => batch)).catch(
        () => false,
      );
      if (applied) {
        for (const { resolve } of together) resolve();
        return;
      }
    }
    const ended = together.map(({ batch, resolve, reject }) =>
      this.applyAlone(batch).then(resolve, reject),
    );
    // Several are not waited for: a fault in one must not hold up all others.
    if (together.length === 1) await Promise.all(ended);
  }
}
