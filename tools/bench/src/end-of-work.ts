import { eventTopics } from '@sluice/contracts';
import { runningPostgres } from '@sluice/embedded-postgres';
import { createKafka } from '@sluice/messaging';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { InstallationUnderTest } from './installation-under-test.js';

type Kafka = ReturnType<typeof createKafka>;

const TOPIC = eventTopics.payments;
const DATABASE = 'sluice';
const POLL_INTERVAL_MS = 50;
const ENDED_WITHIN_MS = 120_000;

/** Partitions to read, as offsets by number. */
export type Offsets = ReadonlyMap<number, bigint>;

/** Looks into an installation from outside: whether work is left, and how late events were. */
export class InstallationWork {
  private constructor(
    private readonly database: pg.Client,
    private readonly kafka: Kafka | undefined,
    private readonly admin: ReturnType<Kafka['admin']> | undefined,
  ) {}

  /** Connects once, so that looking costs next to nothing. */
  static async of({ profile, dataFolder }: InstallationUnderTest): Promise<InstallationWork> {
    const url = new URL((await runningPostgres(dataFolder)) ?? '');
    url.pathname = `/${DATABASE}`;
    const database = new pg.Client({ connectionString: url.href });
    await database.connect();
    if (profile === 'sandbox') return new InstallationWork(database, undefined, undefined);
    const file = readFileSync(join(dataFolder, 'installation.json'), 'utf8');
    const { brokers } = JSON.parse(file) as { readonly brokers: string };
    const kafka = createKafka({ brokers: brokers.split(','), clientId: 'bench' });
    const admin = kafka.admin();
    await admin.connect();
    return new InstallationWork(database, kafka, admin);
  }

  /** Waits until outbox, group lag and inquiries are at zero (D-60); returns how long it took. */
  async ended(): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const left = await this.#left();
      const tookMs = performance.now() - startedAt;
      if (left === 0) return tookMs;
      if (tookMs > ENDED_WITHIN_MS) throw new Error(`${left} pieces of work are left`);
      await pause(POLL_INTERVAL_MS);
    }
  }

  /** Where the topic of events ends now; nothing in a sandbox, which has no topic. */
  async topicEnds(): Promise<Offsets> {
    const partitions = (await this.admin?.fetchTopicOffsets(TOPIC)) ?? [];
    return new Map(partitions.map(({ partition, high }) => [partition, BigInt(high)]));
  }

  /**
   * How long after its commit each event was in the topic, in ascending milliseconds: the broker's
   * time of appending against the database's of recording, on one machine's clock.
   */
  async relayLagsMs(from: Offsets, to: Offsets): Promise<readonly number[]> {
    if (this.kafka === undefined) return [];
    const appended = await this.#appendedAt(from, to);
    const { rows } = await this.database.query<{ id: string; at: string }>(
      `SELECT event_id AS id, extract(epoch FROM recorded_at) * 1000 AS at
       FROM payments.events WHERE event_id = ANY ($1::uuid[])`,
      [[...appended.keys()]],
    );
    const lags = rows.map(({ id, at }) => (appended.get(id) ?? 0) - Number(at));
    return lags.sort((one, other) => one - other);
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await this.admin?.disconnect();
    await this.database.end();
  }

  async #left(): Promise<number> {
    const { rows } = await this.database.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM payments.outbox)::int
            + (SELECT count(*) FROM payments.streams WHERE due_at IS NOT NULL)::int AS left`,
    );
    const left = rows[0]?.left ?? 0;
    return left > 0 ? left : this.#groupLag();
  }

  /** Messages that reporting has not committed in its own tables. */
  async #groupLag(): Promise<number> {
    if (this.admin === undefined) return 0;
    const ends = await this.topicEnds();
    const { rows } = await this.database.query<{ partition: number; offset: string }>(
      `SELECT partition, "offset" FROM reporting.checkpoints
       JOIN reporting.table_sets ON id = table_set WHERE state = 'live' AND topic = $1`,
      [TOPIC],
    );
    const done = new Map(rows.map(({ partition, offset }) => [partition, BigInt(offset) + 1n]));
    let lag = 0n;
    for (const [partition, end] of ends) lag += end - (done.get(partition) ?? 0n);
    return Number(lag);
  }

  async #appendedAt(from: Offsets, to: Offsets): Promise<ReadonlyMap<string, number>> {
    const open = new Map([...to].filter(([partition, end]) => end > (from.get(partition) ?? 0n)));
    const appended = new Map<string, number>();
    if (open.size === 0 || this.kafka === undefined) return appended;
    const consumer = this.kafka.consumer({ groupId: `bench-${process.pid}-${Date.now()}` });
    await consumer.connect();
    await consumer.subscribe({ topics: [TOPIC], fromBeginning: true });
    const isRead = new Promise<void>((resolve, reject) => {
      consumer
        .run({
          autoCommit: false,
          eachMessage: ({ partition, message }) => {
            const offset = BigInt(message.offset);
            if (offset >= (from.get(partition) ?? 0n)) {
              // A repeated one counts by its first appearance.
              const id = String(message.headers?.['id']);
              if (!appended.has(id)) appended.set(id, Number(message.timestamp));
            }
            if (offset + 1n >= (open.get(partition) ?? 0n)) open.delete(partition);
            if (open.size === 0) resolve();
            return Promise.resolve();
          },
        })
        .catch(reject);
    });
    for (const partition of open.keys()) {
      consumer.seek({ topic: TOPIC, partition, offset: String(from.get(partition) ?? 0n) });
    }
    await isRead;
    await consumer.disconnect();
    return appended;
  }
}
