import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { type Clock, type Logger, Outage } from '@sluice/service';
import type { Pool } from 'pg';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SepaMetrics } from './sepa-metrics.js';
import type { Gatherer } from './gatherer.js';
import type { Incoming } from './incoming.js';
import { dayOf } from './orders.js';
import type { OutgoingFolder } from './outgoing-folder.js';
import type { Retention } from './retention.js';
import type { Returns } from './returns.js';
import type { SepaSettings } from './settings.js';
import type { StrandedRefunds } from './stranded-refunds.js';

const HOUR_MS = 60 * 60 * 1_000;
const TIME_AT = 'yyyy-mm-ddT'.length;
const TIME_CHARACTERS = 'HH:MM'.length;

/** The parts it is made of. */
export interface SepaLifecycleParts {
  readonly pool: Pool;
  readonly gatherer: Gatherer;
  readonly incoming: Incoming;
  readonly returns: Returns;
  readonly stranded: StrandedRefunds;
  readonly retention: Retention;
  readonly outgoing: OutgoingFolder;
  readonly machine: Clock;
  readonly logger: Logger;
  readonly metrics: SepaMetrics;
  readonly settings: SepaSettings;
}

/** The folders of files, below the one of the settings. */
export function foldersIn(folder: string) {
  return { outgoing: join(folder, 'outgoing'), incoming: join(folder, 'incoming') };
}

const GATHERED = 'SELECT FROM gatherings WHERE day = $1';
const NOTE_GATHERING = 'INSERT INTO gatherings (day) VALUES ($1) ON CONFLICT (day) DO NOTHING';

/** What is done again and again, one thing after the other. */
export class SepaLifecycle implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #isStopped = false;
  #gatheredAtMs = -Infinity;
  #forgotAtMs = -Infinity;
  readonly #outages = new Map<string, Outage>();

  constructor(private readonly parts: SepaLifecycleParts) {}

  /** A folder that cannot be made is seen at the start. */
  async onModuleInit(): Promise<void> {
    const { outgoing, incoming } = foldersIn(this.parts.settings.folder);
    const folders = [outgoing, incoming, join(incoming, 'read'), join(incoming, 'refused')];
    for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
    await this.parts.outgoing.tidy();
  }

  onApplicationBootstrap(): void {
    this.parts.metrics.watch(this.parts.pool);
    this.#next(0);
  }

  async onApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#underWay;
  }

  /** Does once whatever is due, after the look that is under way. */
  look(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.#lookOnce());
    return this.#underWay;
  }

  /** Gathers once what is due of an entity by its clock; how many files there are more. */
  async gatherOf(entityId: string): Promise<number> {
    const { gatherer } = this.parts;
    const gathered = this.#underWay.then(async () => {
      const files = await gatherer.gatherOf(entityId);
      if (files > 0) await gatherer.write();
      return files;
    });
    this.#underWay = gathered.then(
      () => undefined,
      () => undefined,
    );
    return gathered;
  }

  /** What fails is tried again at the next look, and holds up nothing else. */
  async #lookOnce(): Promise<void> {
    const { gatherer, incoming, returns, stranded } = this.parts;
    await this.#try('Orders cannot be gathered', () => this.#gather());
    await this.#try('Files for the bank cannot be written', () => gatherer.write());
    await this.#try('Files of the bank cannot be read', () => incoming.read());
    await this.#try('Refunds cannot be withheld', () => stranded.withhold());
    await this.#try('Payments cannot be told what the bank took back', () => returns.report());
    await this.#try('Accounts cannot be forgotten', () => this.#forget());
  }

  #next(afterMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      void this.look().finally(() => this.#next(this.parts.settings.lookEveryMs));
    }, afterMs);
  }

  /** Once a day, after the cut-off; noted when it is done, so a day that was missed is made up for. */
  async #gather(): Promise<void> {
    const { pool, gatherer, machine, settings } = this.parts;
    const { gatherEveryMs, cutOff } = settings;
    const nowMs = machine.monotonicMs();
    if (gatherEveryMs !== undefined) {
      if (nowMs - this.#gatheredAtMs < gatherEveryMs) return;
      this.#gatheredAtMs = nowMs;
      await gatherer.gather();
      return;
    }
    const now = new Date(machine.now()).toISOString();
    if (now.slice(TIME_AT, TIME_AT + TIME_CHARACTERS) < cutOff) return;
    const day = dayOf(machine.now());
    if ((await pool.query(GATHERED, [day])).rowCount !== 0) return;
    await gatherer.gather();
    await pool.query(NOTE_GATHERING, [day]);
  }

  async #forget(): Promise<void> {
    const { machine, retention } = this.parts;
    if (machine.monotonicMs() - this.#forgotAtMs < HOUR_MS) return;
    await retention.forget();
    this.#forgotAtMs = machine.monotonicMs();
  }

  async #try(failure: string, work: () => Promise<void>): Promise<void> {
    if (this.#isStopped) return;
    const { machine, logger } = this.parts;
    const sentences = {
      begins: `${failure}.`,
      goesOn: `${failure}, still.`,
      ends: `It works again: ${failure.replace('cannot', 'can')}.`,
    };
    const outage = this.#outages.get(failure) ?? new Outage(machine, logger, sentences);
    this.#outages.set(failure, outage);
    try {
      await work();
      outage.over();
    } catch (error) {
      outage.failed(error);
    }
  }
}
