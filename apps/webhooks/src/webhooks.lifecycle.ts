import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { type Logger, type OpenKeys, Outage, type RemoteClock } from '@sluice/service';
import type { Database } from '@sluice/service-module';
import type { DeliveriesProcessor } from './deliveries.processor.js';
import { NOTED_WITHIN_MS } from './heard-offsets.js';
import type { Intake } from './intake.js';
import type { MailsProcessor } from './mails/mails.processor.js';
import type { ReceiverCalls } from './receiver-calls.js';
import type { ReceiverTests } from './receiver-tests.js';
import type { Receivers } from './receivers.js';
import type { Retention } from './retention.js';
import type { Subscriptions } from './subscriptions.js';
import type { WebhookMetrics } from './webhooks-metrics.js';

/** The parts that begin and end. */
export interface WebhooksLifecycleParts {
  readonly database: Database;
  readonly clock: RemoteClock;
  readonly subscriptions: Subscriptions;
  readonly intake: Intake;
  readonly deliveries: DeliveriesProcessor;
  readonly tests: ReceiverTests;
  readonly retention: Retention;
  readonly mails: MailsProcessor;
  readonly receivers: Receivers;
  readonly calls: ReceiverCalls;
  readonly keys: OpenKeys;
  readonly metrics: WebhookMetrics;
  readonly logger: Logger;
  readonly lookEveryMs: number;
}

const HOUR_MS = 60 * 60 * 1_000;

/** Starts webhooks, and ends it: first what it hears, then what it tells. */
export class WebhooksLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown
{
  readonly #outage: Outage;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;
  #forgotAtMs = Number.NEGATIVE_INFINITY;
  #notedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: WebhooksLifecycleParts) {
    const { clock, logger } = parts;
    this.#outage = new Outage(clock, logger, {
      begins: 'Tests of receivers cannot be made, or nothing can be noted or forgotten.',
      goesOn: 'Tests of receivers cannot be made, or nothing can be noted or forgotten, still.',
      ends: 'Tests of receivers can be made again.',
    });
  }

  async onModuleInit(): Promise<void> {
    const { database, clock, subscriptions, intake, mails } = this.parts;
    await database.whenThere(async () => {
      await clock.begin();
      await subscriptions.now();
      await mails.begin();
    });
    await intake.start();
  }

  onApplicationBootstrap(): void {
    const { deliveries, metrics, database, receivers, mails } = this.parts;
    metrics.watch(database.pool, receivers);
    deliveries.start();
    mails.start();
    this.#next(0);
  }

  async onApplicationShutdown(): Promise<void> {
    const { intake, deliveries, tests, calls, mails, subscriptions, clock, keys } = this.parts;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await intake.close();
    await deliveries.close();
    await calls.close();
    await mails.close();
    await this.#looking;
    await tests.ended();
    subscriptions.close();
    clock.close();
    keys.close();
  }

  #next(afterMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#next(this.parts.lookEveryMs));
    }, afterMs);
  }

  async #look(): Promise<void> {
    const { tests, intake, retention, clock } = this.parts;
    try {
      // Not until they have ended: a receiver that hangs holds up neither other tests nor what follows.
      await tests.begin();
      if (clock.monotonicMs() - this.#notedAtMs > NOTED_WITHIN_MS) {
        await intake.noteHeard();
        this.#notedAtMs = clock.monotonicMs();
      }
      if (clock.monotonicMs() - this.#forgotAtMs > HOUR_MS) {
        await retention.forget();
        this.#forgotAtMs = clock.monotonicMs();
      }
      this.#outage.over();
    } catch (error) {
      this.#outage.failed(error);
    }
  }
}
