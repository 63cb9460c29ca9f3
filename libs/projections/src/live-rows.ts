import type { ReadTableSet } from './bookkeeping.js';
import { RowProgress, type RowProgressParts } from './row-progress.js';

/** Which table set is live, and how to find the new one when it is gone. */
export interface LiveTables {
  /** Undefined before there is one that can be read. */
  readonly live: ReadTableSet | undefined;
  refresh(): Promise<void>;
}

/** SQLSTATE: the table set was dropped between our look at the pointer and the query. */
const UNDEFINED_TABLE = '42P01';

/** The rows of a projection that queries read, whichever table set has them now. */
export class LiveRows {
  #progress = new WeakMap<ReadTableSet, RowProgress>();

  constructor(
    private readonly tables: LiveTables,
    private readonly parts: RowProgressParts,
  ) {}

  /** Runs on the live table set; tries once more if that has just been dropped. */
  async read<Answer>(
    work: (live: ReadTableSet, progress: RowProgress) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.tables.live === undefined) await this.tables.refresh();
    try {
      return await this.#run(work);
    } catch (error) {
      if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
      await this.tables.refresh();
      return this.#run(work);
    }
  }

  /** Rows that were there are gone: what is known of their progress counts no more. */
  forget(): void {
    this.#progress = new WeakMap();
  }

  async #run<Answer>(
    work: (live: ReadTableSet, progress: RowProgress) => Promise<Answer>,
  ): Promise<Answer> {
    const { live } = this.tables;
    if (live === undefined) throw new Error('No table set can be read.');
    let progress = this.#progress.get(live);
    if (progress === undefined) {
      progress = new RowProgress(this.parts, live.id);
      this.#progress.set(live, progress);
    }
    return work(live, progress);
  }
}
