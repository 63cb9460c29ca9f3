import type {
  AttemptOutcome,
  NotificationScheduleName,
  RetryScheduleName,
} from '@sluice/domain-webhooks';
import { type Clock, type EntityClock, inTransaction, type Logger, Outage } from '@sluice/service';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { attemptEnd, type AttemptRecord, noteAttempts } from './attempt-records.js';
import type { Claim } from './beginnings.js';
import {
  decideQueue,
  isDue,
  lockQueues,
  lockQueuesWaitingFor,
  type QueueKey,
  saveQueues,
  type WaitingPlace,
  waitingSince,
} from './delivery-queues.js';

/** What came of an attempt. */
export interface Ending {
  readonly claim: Claim;
  readonly outcome: AttemptOutcome;
  readonly said?: string;
}

/** The parts they are made of. */
export interface EndingsParts {
  readonly pool: Pool;
  readonly schedule: NotificationScheduleName;
  /** Of the machine. */
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** See `HASTENED_AT_ONCE`. */
  readonly hastenedAtOnce?: number;
}

/** One statement's worth. */
const RECORDED_MAX = 256;
/** A database that is away comes back within seconds, or minutes. */
const AGAIN_AFTER_MS = 500;
/** What waits for one receiver that is there again: others have their turn in between. */
const HASTENED_AT_ONCE = 1_000;

interface Waiting {
  readonly ending: Ending;
  readonly resolve: (isNextDue: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Records what came of attempts: those that end while some are being recorded wait, and are recorded together.
 * What a receiver has acknowledged is not sent again because the database was away for a moment.
 */
export class Endings {
  readonly #waiting: Waiting[] = [];
  readonly #outage: Outage;
  #isRunning = false;
  #isClosed = false;

  constructor(private readonly parts: EndingsParts) {
    const { machine, logger } = parts;
    this.#outage = new Outage(machine, logger as Logger, {
      begins: 'What came of calls of receivers cannot be recorded.',
      goesOn: 'What came of calls of receivers cannot be recorded, still.',
      ends: 'What comes of calls of receivers is recorded again.',
    });
  }

  /**
   * Resolves once it is recorded: whether the next one of the same object is due.
   * Rejects if this process ends first, and then the attempt lapses.
   */
  record(ending: Ending): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ending, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** What waits for a receiver need not wait any more: it is there again (R-WH-06). */
  async hasten(receiver: string): Promise<void> {
    let place: WaitingPlace | undefined = waitingSince(this.parts.machine.now());
    while (place !== undefined) place = await this.#hastenSome(receiver, place);
  }

  /** What cannot be recorded now is not recorded. */
  close(): void {
    this.#isClosed = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, RECORDED_MAX);
      await this.#recordSome(some);
    }
    this.#isRunning = false;
  }

  async #recordSome(some: readonly Waiting[]): Promise<void> {
    for (;;) {
      try {
        const endings = some.map(({ ending }) => ending);
        const due = await inTransaction(this.parts.pool, (client) => this.#write(client, endings));
        this.#outage.over();
        for (const { ending, resolve } of some) resolve(due.has(nameOf(ending.claim)));
        return;
      } catch (error) {
        this.#outage.failed(error);
        if (this.#isClosed) {
          for (const { reject } of some) reject(error);
          return;
        }
        await delay(AGAIN_AFTER_MS);
      }
    }
  }

  /** @returns the place of the last one if there may be more */
  #hastenSome(receiver: string, after: WaitingPlace): Promise<WaitingPlace | undefined> {
    const { pool, clock, hastenedAtOnce: limit = HASTENED_AT_ONCE } = this.parts;
    return inTransaction(pool, async (client) => {
      const { queues, next } = await lockQueuesWaitingFor(client, receiver, { after, limit });
      for (const queue of queues) {
        decideQueue(queue, { type: 'HastenDeliveries', nowMs: clock.now(queue.entityId) });
      }
      // Also those without an event: they were put off for the receiver's sake, not by their schedule.
      await saveQueues(client, queues, clock);
      return next;
    });
  }

  /** @returns the names of queues that are due */
  async #write(client: PoolClient, endings: readonly Ending[]): Promise<ReadonlySet<string>> {
    const { clock } = this.parts;
    const keys = endings.map(({ claim }) => claim);
    const queues = new Map(
      (await lockQueues(client, keys)).map((queue) => [nameOf(queue), queue] as const),
    );
    const records: AttemptRecord[] = [];
    for (const { claim, outcome, said } of endings) {
      const { attemptId, deliveryId, subscriptionId, beganAtMs } = claim;
      const queue = queues.get(nameOf(claim));
      const nowMs = clock.now(claim.told.source.entityId);
      if (queue !== undefined) {
        const schedule = this.#scheduleOf(claim);
        decideQueue(queue, { type: 'EndAttempt', attemptId, outcome, schedule, nowMs });
      }
      records.push({
        ...{ id: attemptId, deliveryId, subscriptionId, beganAtMs, endedAtMs: nowMs },
        outcome: attemptEnd(outcome),
        ...(outcome.kind === 'answered' && { statusCode: outcome.statusCode }),
        ...(said !== undefined && { answer: said }),
      });
    }
    await saveQueues(
      client,
      [...queues.values()].filter(({ events }) => events.length > 0),
      clock,
    );
    await noteAttempts(client, records);
    const due = [...queues].filter(([, queue]) => isDue(queue, clock.now(queue.entityId)));
    return new Set(due.map(([name]) => name));
  }

  #scheduleOf({ told }: Claim): RetryScheduleName {
    return told.source.type === 'CHECKOUT_CALL' ? 'resultPage' : this.parts.schedule;
  }
}

function nameOf({ subscriptionId, objectId }: QueueKey): string {
  return `${subscriptionId} ${objectId}`;
}
