import { projectionGroupOf, type ServiceName } from '@sluice/contracts';
import { type Events, type OpenSubscription, QueryUnavailable } from '@sluice/messaging';
import { type Logger, Outage, systemClock } from '@sluice/service';
import type { Pool } from 'pg';
import { fedTableSet } from './fed-table-set.js';
import { checkpointsOf, listTableSets, readTableSet, type ReadTableSet } from './bookkeeping.js';
import type { EventSource } from './event-source.js';
import { Feeder, type FeederParts, IncarnationChanged } from './feeder.js';
import { LiveRows } from './live-rows.js';
import type { Projection } from './projection.js';
import { type FedTables, Rebuilding, type RebuildingOptions } from './rebuilding.js';
import type { TableSet } from './table-set.js';

/** What feeding is started with. */
export interface FeedingOptions extends FeederParts, RebuildingOptions {
  /** Whose tables these are. */
  readonly service: ServiceName;
  readonly pool: Pool;
  readonly schema: string;
  readonly projection: Projection;
  readonly source: EventSource;
  readonly events: Events;
  readonly logger: Logger;
  readonly pollIntervalMs: number;
  readonly compareHeadsMs: number;
}

/** D-21: younger events may still be on their way. */
const HEADS_OLDER_THAN_MS = 30_000;
/**
 * While a table set catches up: missing events that are older than this show that it is not up to
 * date yet.
 */
const CATCHING_UP_OLDER_THAN_MS = 1_000;
/**
 * Each comparison brings the rows to the store's state at that time, so after this long a table set
 * that never quite catches up is good enough.
 */
const CATCH_UP_WITHIN_MS = 60_000;

/** At rest so many intervals pass from one look to the next: so late a redrive or a switch is seen. */
const REST_INTERVALS = 5;

/** One table set that is fed here, and what feeds it. */
interface Fed {
  readonly feeder: Feeder;
  readonly subscription: OpenSubscription;
  /** When it was first compared with the owner to the end; undefined before that. */
  comparedSinceMs: number | undefined;
  comparedAtMs: number;
  hasCaughtUp: boolean;
}

/**
 * Feeds every table set of a projection that is read, may be read again, or will be. It checks each
 * second which those are, and rarely at rest, so that a rebuild need not notify this process.
 */
export class Feeding implements FedTables {
  readonly #fed = new Map<number, Fed>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** The look that comes next is a late one, because nothing has to be looked after. */
  #isResting = false;
  #round: Promise<void> | undefined;
  #looks: Promise<unknown> = Promise.resolve();
  #live: ReadTableSet | undefined;
  #incarnation: string | undefined;
  #incarnationAskedAtMs = -Infinity;
  readonly #warned = new Set<string>();
  readonly #outage: Outage;
  readonly #rebuilding: Rebuilding;
  /** What queries read. */
  readonly rows: LiveRows;

  constructor(private readonly options: FeedingOptions) {
    const { owner } = options.projection;
    this.#outage = new Outage(systemClock, options.logger, {
      begins: `Rows cannot be compared with ${owner} now; published events still arrive.`,
      goesOn: `Rows still cannot be compared with ${owner}.`,
      ends: `Rows are compared with ${owner} again.`,
    });
    this.#rebuilding = new Rebuilding(options, this);
    this.rows = new LiveRows(this, options);
  }

  /** The name of what is fed. */
  get projection(): string {
    return this.options.projection.name;
  }

  /** Where the table sets are. */
  get schema(): string {
    return this.options.schema;
  }

  /** The table set that queries read; undefined before there is one that can be read. */
  get live(): ReadTableSet | undefined {
    return this.#live;
  }

  /** For the live rows only; other table sets are behind because they are being filled. */
  get oldestInHandMs(): number | undefined {
    const id = this.#live?.id;
    return id === undefined ? undefined : this.#fed.get(id)?.feeder.oldestInHandMs;
  }

  /** Resolves when the current table sets are fed; throws when the database cannot be read. */
  async start(): Promise<void> {
    await this.#sets();
    // If the start of another projection failed, all are started again.
    if (this.#timer === undefined) this.#schedule();
  }

  /** Checks at once which table set is live, e.g. because the previous one is gone. */
  async refresh(incarnation?: string): Promise<void> {
    this.#incarnation = incarnation ?? this.#incarnation;
    await this.#sets();
  }

  /**
   * Whether a table set has everything that the store had a moment ago; undefined if it is not fed.
   */
  hasCaughtUp(id: number): boolean | undefined {
    return this.#fed.get(id)?.hasCaughtUp;
  }

  /** Waits for the current batches. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await Promise.all([this.#round, this.#rebuilding.close()]);
    const all = [...this.#fed.values()];
    this.#fed.clear();
    await Promise.all(all.map(({ subscription }) => subscription.close()));
  }

  #schedule(isAtRest = false): void {
    if (this.#closing.signal.aborted) return;
    const { pollIntervalMs, compareHeadsMs } = this.options;
    // The stores are compared as often as ever.
    const restMs = Math.min(REST_INTERVALS * pollIntervalMs, compareHeadsMs);
    const afterMs = isAtRest ? Math.max(pollIntervalMs, restMs) : pollIntervalMs;
    this.#isResting = isAtRest;
    this.#timer = setTimeout(() => {
      this.#isResting = false;
      this.#round = this.#look().then((isFinished) => this.#schedule(isFinished));
    }, afterMs).unref();
  }

  /** Events have come: a crash that undoes their rows is to be seen as soon as ever (page 0046). */
  #stir(): void {
    if (!this.#isResting) return;
    clearTimeout(this.#timer);
    this.#schedule();
  }

  /** Whether nothing is left that has to be looked after soon; never rejects. */
  async #look(): Promise<boolean> {
    try {
      const failures: unknown[] = [];
      await this.#askIncarnation().catch((error: unknown) => failures.push(error));
      const sets = await this.#sets();
      this.#rebuilding.consider(sets, this.#incarnation);
      for (const fed of this.#fed.values()) {
        await this.#tend(fed).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
      this.#outage.over();
      const isMaking = sets.some(({ state }) => state === 'filling' || state === 'following');
      return !isMaking && !this.#rebuilding.isUnderWay && [...this.#fed.values()].every(isAtRest);
    } catch (error) {
      if (this.#closing.signal.aborted || error instanceof IncarnationChanged) return false;
      // Whoever starts or stops is asked again in a moment, and nobody has to be told.
      if (error instanceof QueryUnavailable && error.reason === 'closed') return false;
      this.#outage.failed(error);
      return false;
    }
  }

  /** Without feeding, nothing notices that the store was restored, so its owner is asked (D-23). */
  async #askIncarnation(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#incarnationAskedAtMs < this.options.compareHeadsMs) return;
    this.#incarnation = await this.options.source.incarnation();
    this.#incarnationAskedAtMs = nowMs;
  }

  /** One check at a time, so that no table set is fed twice. */
  #sets(): Promise<readonly TableSet[]> {
    const look = this.#looks.then(() => this.#setsNow());
    this.#looks = look.catch(() => undefined);
    return look;
  }

  async #setsNow(): Promise<readonly TableSet[]> {
    const { pool, schema, projection } = this.options;
    const sets = await listTableSets(pool, schema, projection.name);
    await this.#chooseLive(sets);
    const wanted = sets.filter((set) => this.#isFed(set));
    for (const [id, { subscription }] of this.#fed) {
      if (wanted.some((set) => set.id === id)) continue;
      this.#fed.delete(id);
      await subscription.close();
    }
    for (const set of wanted) {
      if (!this.#fed.has(set.id) && !this.#closing.signal.aborted) await this.#feed(set);
    }
    return sets;
  }

  /**
   * Chooses the live table set, in a shape that this release can read. If a later release has
   * already switched, this one reads the previous tables as long as they are kept.
   */
  async #chooseLive(sets: readonly TableSet[]): Promise<void> {
    const { pool, schema, projection } = this.options;
    const { version } = projection;
    const live = sets.find(({ state }) => state === 'live');
    const own = sets.find((set) => set.state === 'previous' && set.version === version);
    const chosen = live !== undefined && live.version > version ? (own ?? live) : live;
    if (this.#live?.id === chosen?.id && this.#live !== undefined) return;
    this.#live = chosen && (await readTableSet(pool, projection, schema, chosen.id));
    if (chosen === undefined || chosen.version === version) return;
    const { id: tableSet, version: theirs } = chosen;
    const sentence =
      this.#live === undefined
        ? 'Queries cannot be answered: the live tables have another shape.'
        : 'Queries read tables of another version as far as they go.';
    this.#warnOnce(sentence, { tableSet, version: theirs, ours: version });
  }

  #isFed({ id: tableSet, state, version, incarnation }: TableSet): boolean {
    if (state === 'filling') return false;
    const { version: ours, owner } = this.options.projection;
    if (version !== ours) {
      const sentence = 'A table set of another version is not fed here.';
      this.#warnOnce(sentence, { tableSet, version, ours });
      return false;
    }
    const now = this.#incarnation;
    if (incarnation === null || now === undefined || incarnation === now) return true;
    const sentence = `The store of ${owner} was restored; a table set of the one before is not fed.`;
    this.#warnOnce(sentence, { tableSet, incarnation, now });
    return false;
  }

  #warnOnce(sentence: string, fields: Readonly<Record<string, unknown>>): void {
    const said = `${String(fields['tableSet'])} ${sentence}`;
    if (this.#warned.has(said)) return;
    this.#warned.add(said);
    this.options.logger.warn(fields, sentence);
  }

  async #feed(tableSet: TableSet): Promise<void> {
    const { service, pool, schema, projection, events } = this.options;
    const { id } = tableSet;
    const feeder = new Feeder(fedTableSet(projection, schema, id), this.options);
    const subscription = await events.subscribe({
      group: projectionGroupOf(service, tableSet),
      topics: [projection.topic],
      startAfter: async (topic, partition) => {
        const checkpoints = await checkpointsOf(pool, schema, id);
        const last = checkpoints.find(
          (each) => each.topic === topic && each.partition === partition,
        );
        if (last !== undefined) feeder.readsAfter(last);
        return last?.offset;
      },
      handle: (batch) => {
        this.#stir();
        return feeder.handle(batch).catch((error: unknown) => {
          this.#noteChange(error);
          throw error;
        });
      },
    });
    const comparedSinceMs = undefined;
    const fed = { feeder, subscription, comparedSinceMs, comparedAtMs: -Infinity };
    this.#fed.set(id, { ...fed, hasCaughtUp: false });
  }

  /** The next check stops feeding the table sets of the previous store. */
  #noteChange(error: unknown): void {
    if (error instanceof IncarnationChanged) this.#incarnation = error.found;
  }

  /** From its checkpoints, and compared with the owner at once, like a table set that is new here. */
  async #feedAgain(fed: Fed): Promise<void> {
    const { id } = fed.feeder.set;
    this.options.logger.warn(
      { tableSet: id },
      'The database has lost rows that it had taken, as in a crash; their events are read again.',
    );
    this.#fed.delete(id);
    this.rows.forget();
    await fed.subscription.close();
    await this.#sets();
  }

  async #tend(fed: Fed): Promise<void> {
    const { compareHeadsMs, logger } = this.options;
    const { feeder } = fed;
    if (await feeder.hasLostRows()) return this.#feedAgain(fed);
    const redriven = await feeder.redrive();
    if (redriven > 0)
      logger.info(
        { tableSet: feeder.set.id, redriven },
        'Parked streams were applied and are no longer parked.',
      );
    const nowMs = performance.now();
    if (fed.hasCaughtUp && nowMs - fed.comparedAtMs < compareHeadsMs) return;
    const caughtUp = await feeder.compareHeads(this.#ageCompared(fed)).catch((error: unknown) => {
      this.#noteChange(error);
      throw error;
    });
    fed.comparedAtMs = nowMs;
    fed.comparedSinceMs ??= nowMs;
    fed.hasCaughtUp ||= caughtUp === 0 || nowMs - fed.comparedSinceMs > CATCH_UP_WITHIN_MS;
    if (caughtUp > 0) {
      logger.info({ tableSet: feeder.set.id, caughtUp }, 'Streams were behind and have caught up.');
    }
  }

  #ageCompared({ comparedSinceMs, hasCaughtUp }: Fed): number {
    // The first time, everything counts: a table set that was not fed here before has no messages
    // under way.
    if (comparedSinceMs === undefined) return 0;
    const olderThanMs = hasCaughtUp ? HEADS_OLDER_THAN_MS : CATCHING_UP_OLDER_THAN_MS;
    return Math.min(olderThanMs, this.options.compareHeadsMs);
  }
}

/** New table sets, and rows that may yet be undone, are looked at as often as ever. */
function isAtRest({ hasCaughtUp, feeder }: Fed): boolean {
  return hasCaughtUp && feeder.isSettled;
}
