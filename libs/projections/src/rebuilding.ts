import { setTimeout as delay } from 'node:timers/promises';
import { type CounterSeries, type Logger, Outage, systemClock } from '@sluice/service';
import type { Pool } from 'pg';
import { listTableSets } from './bookkeeping.js';
import type { EventSource } from './event-source.js';
import type { Projection } from './projection.js';
import { type RebuildLock, rebuildLock } from './rebuild-lock.js';
import { nextRebuildStep, type RebuildStep } from './rebuild-step.js';
import { fillTableSet } from './rebuild.js';
import { type RebuildProgress, type RebuildSource, type RebuildTarget } from './rebuild-options.js';
import { dropTableSet, rollBackTableSet, switchTableSet } from './switching.js';
import type { TableSet } from './table-set.js';

/** What a rebuild needs besides what feeding has. */
export interface RebuildMeans {
  /** The owner's connection: tables are made and dropped. */
  readonly target: RebuildTarget;
  readonly source: RebuildSource;
}

/** What rebuilding is started with. */
export interface RebuildingOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly projection: Projection;
  readonly source: EventSource;
  readonly logger: Logger;
  readonly pollIntervalMs: number;
  /** Absent if this process does not have both addresses; then an operator has to rebuild. */
  readonly rebuild?: RebuildMeans;
  /** Counts the events that a rebuild has read. */
  readonly replayed: CounterSeries;
  /** The pause between attempts. */
  readonly rebuildRetryMs?: number;
  /** See RebuildOptions. */
  readonly chunkEvents?: number;
}

/** What rebuilding needs from feeding. */
export interface FedTables {
  /**
   * Checks at once which table sets there are, and feeds those of this incarnation of the store.
   */
  refresh(incarnation: string | undefined): Promise<void>;
  /** Whether a table set has all that the store has; undefined when it is not fed here. */
  hasCaughtUp(id: number): boolean | undefined;
}

/** Why the live tables must be replaced. */
type Need = Extract<RebuildStep, { readonly live: TableSet }>;

/** A stop waits for one chunk, a fifth of a second; larger chunks are hardly faster. */
const CHUNK_EVENTS = 10_000;
/** A failed attempt is repeated after this; what it had filled is kept. */
const RETRY_MS = 5_000;
/** Often enough to see that it is alive. */
const PROGRESS_EVERY_MS = 5_000;
const PERCENT = 100;
const MS_PER_S = 1_000;

/**
 * Rebuilds automatically if the live tables are of an earlier version, or of a store that was
 * restored since (D-22, D-23): fills new tables beside the live ones, waits until they have caught
 * up, and switches. Only one of the instances does it; when that one ends, however it ends, another
 * one continues from there.
 */
export class Rebuilding {
  readonly #closing = new AbortController();
  readonly #outage: Outage;
  #job: Promise<void> | undefined;
  #notBeforeMs = -Infinity;
  #told: string | undefined;

  constructor(
    private readonly options: RebuildingOptions,
    private readonly tables: FedTables,
  ) {
    this.#outage = new Outage(systemClock, options.logger, {
      begins: 'The tables cannot be rebuilt now; it is tried again.',
      goesOn: 'The tables still cannot be rebuilt.',
      ends: 'The tables can be rebuilt again.',
    });
  }

  /** Begins what these table sets need, unless it is already under way. */
  consider(sets: readonly TableSet[], incarnation: string | undefined): void {
    const step = nextRebuildStep(sets, this.options.projection.version, incarnation);
    if (step.kind === 'none') this.#told = undefined;
    const { rebuild } = this.options;
    if (step.kind === 'none' || this.isUnderWay || this.#closing.signal.aborted) return;
    if (rebuild === undefined) {
      this.#tell(ASK_OPERATOR, step);
      return;
    }
    this.#job = this.#try(rebuild, step).finally(() => {
      this.#job = undefined;
    });
  }

  /** Whether this process rebuilds, or has to try again. */
  get isUnderWay(): boolean {
    return this.#job !== undefined || performance.now() < this.#notBeforeMs;
  }

  /** Ends at the next chunk; what is filled is kept for the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#job;
  }

  async #try(means: RebuildMeans, step: RebuildStep): Promise<void> {
    try {
      const lock = await rebuildLock(means.target, this.options.projection);
      if (lock === undefined) {
        this.#tell('Another process rebuilds the tables; this one waits for it.', step);
        return;
      }
      try {
        await this.#rebuild(means, lock);
        this.#outage.over();
      } finally {
        await lock.release();
      }
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#notBeforeMs = performance.now() + (this.options.rebuildRetryMs ?? RETRY_MS);
      this.#outage.failed(error);
    }
  }

  /**
   * Works step by step until nothing is left to do; each step depends on the state at that time.
   */
  async #rebuild(means: RebuildMeans, lock: RebuildLock): Promise<void> {
    const { pool, schema, projection, logger, pollIntervalMs } = this.options;
    const { signal } = this.#closing;
    for (;;) {
      signal.throwIfAborted();
      const incarnation = await this.#incarnation();
      const sets = await listTableSets(pool, schema, projection.name);
      const step = nextRebuildStep(sets, projection.version, incarnation);
      switch (step.kind) {
        case 'none':
          return;
        case 'drop': {
          const { id, version } = step.tableSet;
          await dropTableSet({ ...means, projection }, id);
          logger.info({ tableSet: id, version }, 'Tables that are of no use any more are dropped.');
          break;
        }
        case 'fill':
          this.#tell(`The tables are rebuilt from the events of ${projection.owner}.`, step);
          await this.#fill(means, lock, incarnation);
          break;
        case 'follow':
          if (this.tables.hasCaughtUp(step.tableSet.id) === true) {
            await lock.assertHeld();
            await this.#switch(means, sets, step);
          } else {
            await delay(pollIntervalMs, undefined, { signal });
          }
      }
      await this.tables.refresh(incarnation);
    }
  }

  /** If the owner does not answer, only the fill asks its database. */
  async #incarnation(): Promise<string | undefined> {
    return this.options.source.incarnation().catch(() => undefined);
  }

  async #fill(
    means: RebuildMeans,
    lock: RebuildLock,
    incarnation: string | undefined,
  ): Promise<void> {
    const { projection, logger, replayed, chunkEvents = CHUNK_EVENTS } = this.options;
    let toldMs = -Infinity;
    const filled = await fillTableSet({
      ...means,
      ...{ projection, lock, incarnation, chunkEvents, resumable: true },
      signal: this.#closing.signal,
      onProgress: (progress) => {
        replayed.add(progress.eventsSince);
        if (performance.now() - toldMs < PROGRESS_EVERY_MS) return;
        toldMs = performance.now();
        logger.info(progressFields(progress), `Rebuilding: ${progressText(progress)}.`);
      },
    });
    const { tableSet, events, rows, setAside, durationMs } = filled;
    logger.info(
      { tableSet, events, rows, setAside, durationMs: Math.round(durationMs) },
      'The new tables are filled; queries read them once they have caught up.',
    );
    if (setAside > 0) {
      logger.error({ tableSet, setAside }, 'Streams that cannot be folded are parked.');
    }
  }

  async #switch(
    means: RebuildMeans,
    sets: readonly TableSet[],
    { live, tableSet }: Extract<RebuildStep, { kind: 'follow' }>,
  ): Promise<void> {
    const options = { ...means, projection: this.options.projection };
    if (tableSet.state === 'previous') {
      await rollBackTableSet(options);
    } else {
      // Only one earlier copy can be kept, and the one that is live now is the better choice.
      const previous = sets.find(({ state }) => state === 'previous');
      if (previous !== undefined) await dropTableSet(options, previous.id);
      await switchTableSet(options, tableSet.id);
    }
    this.options.logger.warn(
      { tableSet: tableSet.id, version: tableSet.version, before: live.id },
      'Queries read the rebuilt tables.',
    );
  }

  /** Logs a message once, until there is another one. */
  #tell(sentence: string, step: RebuildStep): void {
    const { projection, logger } = this.options;
    if (this.#told === sentence) return;
    this.#told = sentence;
    const fields = {
      projection: projection.name,
      ...(isNeed(step) && {
        live: step.live.id,
        version: step.live.version,
        incarnation: step.live.incarnation,
      }),
      ours: projection.version,
    };
    logger.warn(fields, sentence);
  }
}

const ASK_OPERATOR =
  'The tables are of an earlier version, or of the store before a restore: rebuild the projection ' +
  'with "sluice replay", or give this process the addresses to do it by itself.';

function isNeed(step: RebuildStep): step is Need {
  return step.kind === 'fill' || step.kind === 'follow';
}

function progressFields(progress: RebuildProgress): object {
  const { tableSet, events, eventsEstimated, eventsPerSecond, remainingMs } = progress;
  return {
    ...{ tableSet, events, eventsEstimated },
    eventsPerSecond: Math.round(eventsPerSecond),
    remainingMs: Math.round(remainingMs),
  };
}

/** As an operator reads it: `45 %, 12000 events/s, 34 s left`. */
function progressText(progress: RebuildProgress): string {
  const { events, eventsEstimated, eventsPerSecond, remainingMs } = progress;
  const share = Math.min(1, events / Math.max(eventsEstimated, events, 1));
  const rate = Math.round(eventsPerSecond);
  const left = Math.ceil(remainingMs / MS_PER_S);
  return `${Math.floor(share * PERCENT)} %, ${rate} events/s, ${left} s left`;
}
