import { TEST_TEXT, testedUrlOf } from '@sluice/domain-webhooks';
import { newMessageId } from '@sluice/identifiers';
import type { Clock, Logger } from '@sluice/service';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type AttemptEnd, attemptEnd } from './attempt-records.js';
import type { Attempts } from './attempts.js';
import type { ReceiverAnswer } from './receiver-calls.js';
import { KNOWN_FOR_MS, type Subscriptions } from './subscriptions.js';

/** A test that somebody has asked for, and what came of it. */
export interface ReceiverTest {
  readonly id: string;
  readonly begunAt: Date | null;
  readonly endedAt: Date | null;
  readonly outcome: AttemptEnd | 'noSubscription' | null;
  readonly statusCode: number | null;
  readonly said: string | null;
}

/** The parts they are made of. */
export interface ReceiverTestsParts {
  readonly pool: Pool;
  readonly subscriptions: Pick<Subscriptions, 'now' | 'decide'>;
  readonly attempts: Pick<Attempts, 'send'>;
  /** Of the machine: somebody waits for each. */
  readonly machine: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'error'>;
  /** See `KNOWN_FOR_MS`. */
  readonly knownForMs?: number;
}

/** A person waits for each, and one whose receiver hangs takes a minute: it is to hold up nobody else's. */
const TESTS_AT_ONCE = 64;
const TESTER = 'test';
const MS_PER_SECOND = 1_000;

const ASK = `INSERT INTO tests (id, subscription_id, asked_at) VALUES ($1, $2, to_timestamp($3))`;
const FIND = `SELECT id, begun_at AS "begunAt", ended_at AS "endedAt", outcome,
    status_code AS "statusCode", said FROM tests WHERE id = $1`;
const BEGIN = `UPDATE tests SET begun_at = to_timestamp($1) WHERE id IN (
    SELECT id FROM tests WHERE begun_at IS NULL ORDER BY asked_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING id, subscription_id AS "subscriptionId"`;
const END = `UPDATE tests SET ended_at = to_timestamp($2), outcome = $3, status_code = $4, said = $5
  WHERE id = $1`;

/** Asks for a test; this service makes it, because nobody else may call receivers. */
export async function askForTest(
  pool: Pick<Pool, 'query'>,
  subscriptionId: string,
  nowMs: number,
): Promise<string> {
  const id = newMessageId(nowMs);
  await pool.query(ASK, [id, subscriptionId, nowMs / MS_PER_SECOND]);
  return id;
}

/** How a test stands. */
export async function findTest(
  pool: Pick<Pool, 'query'>,
  id: string,
): Promise<ReceiverTest | undefined> {
  const { rows } = await pool.query<ReceiverTest>(FIND, [id]);
  return rows[0];
}

/** So much else is under way to its receiver that nobody has reached it. */
const NOT_CALLED: ReceiverAnswer = { outcome: { kind: 'notSent', reason: 'notReachable' } };

interface BegunTest {
  readonly id: string;
  readonly subscriptionId: string;
}

/** Calls receivers once each, to see whether they are there; one that acknowledges is active from then on. */
export class ReceiverTests {
  readonly #underWay = new Set<Promise<void>>();

  constructor(private readonly parts: ReceiverTestsParts) {}

  /** Makes those that were asked for, and waits until they have ended. */
  async look(): Promise<void> {
    await this.begin();
    await this.ended();
  }

  /** Begins those that were asked for. A test that ends with its process was none: whoever asked asks again. */
  async begin(): Promise<void> {
    const { pool, machine } = this.parts;
    const free = TESTS_AT_ONCE - this.#underWay.size;
    if (free === 0) return;
    const values = [machine.now() / MS_PER_SECOND, free];
    const { rows } = await pool.query<BegunTest>({ name: 'begin tests', text: BEGIN, values });
    for (const row of rows) {
      const test = this.#make(row).finally(() => this.#underWay.delete(test));
      this.#underWay.add(test);
    }
  }

  /** When those that have begun have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #make(test: BegunTest): Promise<void> {
    try {
      await this.#tried(test);
    } catch (error) {
      const { id, subscriptionId } = test;
      this.parts.logger.error({ err: error, testId: id, subscriptionId }, 'A test was not made.');
    }
  }

  async #tried({ id, subscriptionId }: BegunTest): Promise<void> {
    const { pool, subscriptions, attempts, machine, knownForMs = KNOWN_FOR_MS } = this.parts;
    const subscription = (await subscriptions.now()).get(subscriptionId);
    if (subscription === undefined || subscription.standing === 'removed') {
      await pool.query(END, [id, machine.now() / MS_PER_SECOND, 'noSubscription', null, null]);
      return;
    }
    const url = testedUrlOf(subscription);
    const sending = { subscription, url, deliveryId: id, text: TEST_TEXT };
    const { outcome, said } = (await attempts.send(sending)) ?? NOT_CALLED;
    const statusCode = outcome.kind === 'answered' ? outcome.statusCode : 0;
    await subscriptions.decide(subscriptionId, TESTER, (metadata) => ({
      ...{ type: 'RecordTest', url, statusCode, metadata },
    }));
    // Whoever waits for it and then pays is to hear of that, whichever process hears of it first.
    if (attemptEnd(outcome) === 'acknowledged') await delay(knownForMs);
    const endedAt = machine.now() / MS_PER_SECOND;
    await pool.query(END, [id, endedAt, attemptEnd(outcome), statusCode || null, said ?? null]);
  }
}
