import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Queries } from '@sluice/messaging';
import {
  type Clock,
  DependencyMissing,
  type HealthChecks,
  type Logger,
  type OpenKeys,
  Outage,
} from '@sluice/service';
import type { Database } from '@sluice/service-module';
import type { AddressFiles } from './address-files.js';
import type { Outcomes } from './outcomes.js';
import type { PayerHashes } from './payer-hashes.js';
import type { Reviews } from './reviews.js';
import type { RiskMetrics } from '../risk-metrics.js';
import type { RuleBook } from './rule-book.js';
import type { ScorerCalls } from './scorer-calls.js';
import type { Scorers } from './scorers.js';

/** How soon a change of rules holds: as soon as one of routes. */
const REFRESH_MS = 2_000;
/** Old counts and answers are in nobody's way for so long. */
const FORGET_EVERY_MS = 60_000;
/**
 * While there are so many they go with each look, 10,000 a second: more than an instance counts. Nobody waits for
 * a lock of theirs.
 */
const FORGOTTEN_AT_ONCE = 20_000;
const FORGET = `DELETE FROM payer_counts WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM payer_counts WHERE at < now() - interval '31 days' LIMIT $1))`;

/** The parts it is made of. */
export interface AssessmentsLifecycleParts {
  readonly database: Database;
  readonly rules: RuleBook;
  readonly addresses: AddressFiles;
  /** Closed at the end. */
  readonly scorers: Scorers;
  readonly scorerCalls: ScorerCalls;
  readonly hashes: PayerHashes;
  readonly reviews: Reviews;
  readonly outcomes: Outcomes;
  readonly queries: Queries;
  /** Closed at the end. */
  readonly keys: OpenKeys;
  readonly health: HealthChecks;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: RiskMetrics;
}

/**
 * What is done again and again: rules and outcomes of payments are read, reviews released and told of, old counts
 * forgotten.
 */
export class AssessmentsLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown
{
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** Of the monotonic clock. */
  #forgottenAtMs = -Infinity;
  readonly #outage: Outage;
  readonly #outcomesOutage: Outage;

  constructor(private readonly parts: AssessmentsLifecycleParts) {
    const { clock, logger } = parts;
    this.#outcomesOutage = new Outage(clock, logger, {
      begins: 'What became of payments cannot be read.',
      goesOn: 'What became of payments still cannot be read.',
      ends: 'What became of payments is read again.',
    });
    this.#outage = new Outage(clock, logger, {
      begins: 'Rules cannot be refreshed, or payments cannot be told of reviews.',
      goesOn: 'Rules still cannot be refreshed, or payments cannot be told of reviews.',
      ends: 'Rules are refreshed, and payments is told of reviews again.',
    });
  }

  async onModuleInit(): Promise<void> {
    const { database, rules, hashes, health, addresses, scorers } = this.parts;
    await addresses.open();
    await scorers.open();
    health.readyWhen('rules', () =>
      rules.assessedNodes === undefined
        ? Promise.reject(new DependencyMissing('The rules have not been read yet.'))
        : Promise.resolve(),
    );
    await database.whenThere(() => hashes.open());
    await database.whenThere(() => rules.noteAddressData(addresses.known));
    await database.whenThere(() => rules.noteScorers(scorers.names));
    await database.whenThere(() => this.#refresh());
    this.#tellOfUnknown();
  }

  onApplicationBootstrap(): void {
    const { metrics, database, rules, addresses } = this.parts;
    metrics.watch(database.pool, rules, addresses);
    this.#next();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#underWay;
    await this.parts.scorers.close();
    this.parts.keys.close();
  }

  /** Does what is due now, after what is under way. @param forgets whether old counts and answers go as well */
  look(forgets = true): Promise<void> {
    this.#underWay = this.#underWay.then(async () => {
      await this.#look(forgets);
      await this.#takeOutcomes();
    });
    return this.#underWay;
  }

  /** Releases what is due of an entity by its clock, once it is known what was approved; how many those were. */
  async releaseOf(entityId: string): Promise<number> {
    const { reviews, outcomes, queries, logger } = this.parts;
    const released = this.#underWay.then(async () => {
      if (!(await outcomes.areWanted())) return 0;
      await outcomes.take(queries);
      const count = await reviews.releaseDue(entityId);
      if (count > 0) await reviews.tell(queries, logger);
      return count;
    });
    this.#underWay = released.then(
      () => undefined,
      () => undefined,
    );
    return released;
  }

  /** Rules that look at it wait; what is not known counts as approved meanwhile. */
  async #takeOutcomes(): Promise<void> {
    const { outcomes, queries } = this.parts;
    try {
      if (await outcomes.areWanted()) await outcomes.take(queries);
      this.#outcomesOutage.over();
    } catch (error) {
      this.#outcomesOutage.failed(error);
    }
  }

  #next(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      void this.look(this.#isTimeToForget()).finally(() => this.#next());
    }, REFRESH_MS);
    this.#timer.unref();
  }

  #isTimeToForget(): boolean {
    return this.parts.clock.monotonicMs() - this.#forgottenAtMs >= FORGET_EVERY_MS;
  }

  async #refresh(): Promise<void> {
    const { rules, logger } = this.parts;
    for (const { newest, held, fault } of await rules.refresh()) {
      const { nodeId, version } = newest;
      logger.error(
        { nodeId, version, heldVersion: held?.version, fault },
        held === undefined
          ? 'The rules of a node cannot be read, nor any before them: its payments are not taken.'
          : 'The newest rules of a node cannot be read: older ones hold.',
      );
    }
  }

  /** They were set while their file was there. */
  #tellOfUnknown(): void {
    const { rules, addresses, logger } = this.parts;
    for (const nodeId of rules.without(addresses.known)) {
      logger.error({ nodeId }, 'A rule looks at addresses, and this instance has no file for it.');
    }
  }

  async #look(forgets: boolean): Promise<void> {
    const { reviews, outcomes, queries, logger } = this.parts;
    try {
      await this.parts.addresses.refresh();
      await this.#refresh();
      if (forgets) await this.#forget();
      // The last, because it needs another service.
      if (await outcomes.areWanted()) {
        await reviews.releaseDue();
        await reviews.tell(queries, logger);
      }
      this.#outage.over();
    } catch (error) {
      this.#outage.failed(error);
    }
  }

  async #forget(): Promise<void> {
    const { database, scorerCalls, clock } = this.parts;
    const { rowCount } = await database.pool.query(FORGET, [FORGOTTEN_AT_ONCE]);
    const areAll = await scorerCalls.forgetOld();
    if (!areAll || rowCount === FORGOTTEN_AT_ONCE) return;
    this.#forgottenAtMs = clock.monotonicMs();
  }
}
