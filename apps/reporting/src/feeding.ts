import type { Events, OpenSubscription } from '@sluice/messaging';
import {
  checkpointsOf,
  type FedTableSet,
  fedTableSet,
  listTableSets,
  type Projection,
  type TableSet,
} from '@sluice/projections';
import { type Logger, Outage, systemClock } from '@sluice/service';
import type { Pool } from 'pg';
import { Feeder, type FeederParts } from './feeder.js';
import type { PaymentSource } from './payment-source.js';

/** What feeding is started with. */
export interface FeedingOptions extends FeederParts {
  readonly pool: Pool;
  readonly schema: string;
  readonly projection: Projection;
  readonly payments: PaymentSource;
  readonly events: Events;
  readonly logger: Logger;
  readonly pollIntervalMs: number;
  readonly compareHeadsMs: number;
}

/** D-21: what is younger may still be on its way. */
const HEADS_OLDER_THAN_MS = 30_000;

/** One table set that is fed here, and what feeds it. */
interface Fed {
  readonly feeder: Feeder;
  readonly subscription: OpenSubscription;
  comparedAtMs: number;
}

/**
 * Keeps every table set fed that is read, may be read again, or will be: looks each second which
 * those are, so that a rebuild needs no word to this process.
 */
export class Feeding {
  readonly #fed = new Map<number, Fed>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #live: FedTableSet | undefined;
  readonly #warned = new Set<number>();
  readonly #outage: Outage;

  constructor(private readonly options: FeedingOptions) {
    this.#outage = new Outage(systemClock, options.logger, {
      begins: 'Rows cannot be compared with payments now; published events still arrive.',
      goesOn: 'Rows still cannot be compared with payments.',
      ends: 'Rows are compared with payments again.',
    });
  }

  /** The table set that queries read; undefined before there is one. */
  get live(): FedTableSet | undefined {
    return this.#live;
  }

  /** Of the rows that are read; what fills others is behind for good reasons. */
  get oldestInHandMs(): number | undefined {
    const id = this.#live?.id;
    return id === undefined ? undefined : this.#fed.get(id)?.feeder.oldestInHandMs;
  }

  /** Resolves when the table sets of now are fed; throws when the database cannot be read. */
  async start(): Promise<void> {
    await this.#sets();
    this.#schedule();
  }

  /** Looks at once which table set is live, e.g. because the one that was is gone. */
  async refresh(): Promise<void> {
    await this.#sets();
  }

  /** Lets the batches in hand end. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#round;
    const all = [...this.#fed.values()];
    this.#fed.clear();
    await Promise.all(all.map(({ subscription }) => subscription.close()));
  }

  #schedule(): void {
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#look().finally(() => {
        this.#schedule();
      });
    }, this.options.pollIntervalMs).unref();
  }

  async #look(): Promise<void> {
    try {
      await this.#sets();
      for (const fed of this.#fed.values()) await this.#tend(fed);
      this.#outage.over();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#outage.failed(error);
    }
  }

  async #sets(): Promise<void> {
    const { pool, schema, projection } = this.options;
    const sets = await listTableSets(pool, schema, projection.name);
    const live = sets.find(({ state }) => state === 'live');
    if (this.#live?.id !== live?.id) this.#live = live && fedTableSet(projection, schema, live.id);
    const wanted = sets.filter((set) => this.#isFed(set));
    for (const [id, { subscription }] of this.#fed) {
      if (wanted.some((set) => set.id === id)) continue;
      this.#fed.delete(id);
      await subscription.close();
    }
    for (const { id } of wanted) {
      if (!this.#fed.has(id) && !this.#closing.signal.aborted) await this.#feed(id);
    }
  }

  #isFed({ id, state, version }: TableSet): boolean {
    if (state === 'filling') return false;
    const { projection, logger } = this.options;
    if (version === projection.version) return true;
    if (!this.#warned.has(id)) {
      this.#warned.add(id);
      logger.warn(
        { tableSet: id, version, ours: projection.version },
        'A table set of another version is not fed here; rebuild the projection.',
      );
    }
    return false;
  }

  async #feed(id: number): Promise<void> {
    const { pool, schema, projection, events } = this.options;
    const feeder = new Feeder(fedTableSet(projection, schema, id), this.options);
    const subscription = await events.subscribe({
      group: `reporting.${id}`,
      topics: [projection.topic],
      startAfter: async (topic, partition) => {
        const checkpoints = await checkpointsOf(pool, schema, id);
        return checkpoints.find((each) => each.topic === topic && each.partition === partition)
          ?.offset;
      },
      handle: (batch) => feeder.handle(batch),
    });
    this.#fed.set(id, { feeder, subscription, comparedAtMs: -Infinity });
  }

  async #tend(fed: Fed): Promise<void> {
    const { compareHeadsMs, logger } = this.options;
    const { feeder } = fed;
    const redriven = await feeder.redrive();
    if (redriven > 0)
      logger.info({ tableSet: feeder.set.id, redriven }, 'Parked streams are well.');
    const nowMs = performance.now();
    if (nowMs - fed.comparedAtMs < compareHeadsMs) return;
    // The first time everything counts: a table set without history here has no messages under way.
    const isFirst = fed.comparedAtMs === -Infinity;
    const healed = await feeder.compareHeads(
      isFirst ? 0 : Math.min(HEADS_OLDER_THAN_MS, compareHeadsMs),
    );
    fed.comparedAtMs = nowMs;
    if (healed > 0) {
      logger.info({ tableSet: feeder.set.id, healed }, 'Streams were behind and are healed.');
    }
  }
}
