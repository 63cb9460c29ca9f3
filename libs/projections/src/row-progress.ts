import { setTimeout as delay } from 'node:timers/promises';
import type { StreamHeadsAnswer } from '@sluice/contracts';
import { SharedLook } from '@sluice/messaging';
import type { Pool } from 'pg';
import { fedTableSet, type FedTableSet, parkedStreams, versionsOf } from './fed-table-set.js';
import type { EventSource } from './event-source.js';
import type { Projection } from './projection.js';

/** What the progress of rows is determined by. */
export interface RowProgressParts {
  readonly pool: Pool;
  readonly schema: string;
  readonly projection: Projection;
  readonly source: Pick<EventSource, 'headsNow'>;
  /** How often all rows are compared with the owner anyway. */
  readonly compareHeadsMs: number;
}

/** The versions of streams, and their store (D-23). */
export type ReachedHeads = Pick<StreamHeadsAnswer, 'heads' | 'incarnation'>;

/** A query that waits for rows: the streams that are still behind, and the versions they need. */
interface Waiting {
  readonly left: Map<string, number>;
  readonly untilMs: number;
  readonly resolve: (reached: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

/** An event is in the rows some ten milliseconds after its commit, as a rule. */
const LOOK_INTERVAL_MS = 10;
/**
 * Longer than the interval of regular comparisons, so that a comparison's mark is normally the
 * newer one.
 */
const MARK_AGE_MAX_MS = 60_000;

/**
 * Whether the rows of one table set have what the owner's store had at a moment (D-65). Waits by
 * reading the rows, because another instance may write them.
 */
export class RowProgress {
  readonly #set: FedTableSet;
  readonly #headsNow = new SharedLook(() => this.#lookAtHeads());
  readonly #waiting = new Set<Waiting>();
  #isWatching = false;
  /** Everything before it is in the rows. */
  #mark: string | undefined;
  #markedAtMs = -Infinity;
  #incarnation: string | undefined;

  constructor(
    private readonly parts: RowProgressParts,
    tableSet: number,
  ) {
    this.#set = fedTableSet(parts.projection, parts.schema, tableSet);
  }

  /**
   * Whether these streams are in the rows, at the latest by `untilMs` on performance.now()'s clock.
   */
  async has({ heads, incarnation }: ReachedHeads, untilMs: number): Promise<boolean> {
    if (!(await this.#isOf(incarnation))) return false;
    const left = new Map(heads.map(({ streamId, version }) => [streamId, version]));
    if (left.size === 0) return true;
    drop(left, await this.#versionsOf(left.keys()));
    if (left.size === 0) return true;
    // Parked streams wait for an operator, so queries do not wait for them.
    const parked = await parkedStreams(this.parts.pool, this.#set, [...left.keys()]);
    return parked.size === 0 && this.#wait(left, untilMs);
  }

  /**
   * Whether the rows have everything that the owner had when this was called, at the latest by
   * `untilMs`.
   */
  async hasAll(untilMs: number): Promise<boolean> {
    while (performance.now() < untilMs) {
      const { page, after } = await this.#headsNow.now();
      if (!(await this.has(page, untilMs))) return false;
      this.#mark = page.next;
      this.#markedAtMs = performance.now();
      if (!page.more) return true;
      // So many changes wait for one old transaction of the store that they fill a whole page.
      if (page.next === after) return false;
    }
    return false;
  }

  async #lookAtHeads(): Promise<{
    readonly page: StreamHeadsAnswer;
    readonly after: string | undefined;
  }> {
    const maxAgeMs = MARK_AGE_MAX_MS + this.parts.compareHeadsMs;
    const isYoung = performance.now() - this.#markedAtMs < maxAgeMs;
    const after = isYoung ? this.#mark : await this.#comparedTo();
    return { page: await this.parts.source.headsNow(after), after };
  }

  /** How far the rows were compared with the owner the last time. */
  async #comparedTo(): Promise<string | undefined> {
    const { schema, id } = this.#set;
    const text = `SELECT heads_cursor AS mark FROM ${schema}.table_sets WHERE id = $1`;
    const { rows } = await this.parts.pool.query<{ mark: string | null }>(text, [id]);
    return rows[0]?.mark ?? undefined;
  }

  /** The versions of rows of another store are meaningless. */
  async #isOf(incarnation: string): Promise<boolean> {
    if (this.#incarnation === undefined) {
      const { schema, id } = this.#set;
      const text = `SELECT incarnation FROM ${schema}.table_sets WHERE id = $1`;
      const { rows } = await this.parts.pool.query<{ incarnation: string | null }>(text, [id]);
      // None yet: there are no rows, and the first event decides.
      this.#incarnation = rows[0]?.incarnation ?? undefined;
    }
    return this.#incarnation === undefined || this.#incarnation === incarnation;
  }

  #versionsOf(streamIds: Iterable<string>): Promise<ReadonlyMap<string, number>> {
    return versionsOf(this.parts.pool, this.#set, [...streamIds]);
  }

  #wait(left: Map<string, number>, untilMs: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ left, untilMs, resolve, reject });
      if (!this.#isWatching) void this.#watch();
    });
  }

  /** One read for all who wait, however many there are. */
  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (this.#waiting.size > 0) {
      await delay(LOOK_INTERVAL_MS);
      const looking = [...this.#waiting];
      try {
        const wanted = new Set(looking.flatMap(({ left }) => [...left.keys()]));
        const versions = await this.#versionsOf(wanted);
        for (const waiting of looking) this.#settle(waiting, versions);
      } catch (error) {
        for (const waiting of looking) {
          this.#waiting.delete(waiting);
          waiting.reject(error);
        }
      }
    }
    this.#isWatching = false;
  }

  #settle(waiting: Waiting, versions: ReadonlyMap<string, number>): void {
    drop(waiting.left, versions);
    const reached = waiting.left.size === 0;
    if (!reached && performance.now() < waiting.untilMs) return;
    this.#waiting.delete(waiting);
    waiting.resolve(reached);
  }
}

/** Removes the streams that have reached their version. */
function drop(left: Map<string, number>, versions: ReadonlyMap<string, number>): void {
  for (const [streamId, version] of left) {
    if ((versions.get(streamId) ?? 0) >= version) left.delete(streamId);
  }
}
