import { runningKafka, startLocalKafka } from '@sluice/local-kafka';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

/** A broker that a spec file shares with others, and the names that are its own. */
export interface TestKafka {
  /** Host and port; several are separated by commas. */
  readonly brokers: readonly string[];
  /** Goes before the name of every topic and group; begins with `test-`. */
  readonly topicPrefix: string;
}

/** Java and, at the very first start on a machine, Maven. */
const START_WITHIN_MS = 180_000;

/**
 * A broker for a whole spec file or `describe`: the one of this jest worker, or the one that
 * `KAFKA_BROKERS` names. Read its fields inside tests and hooks only. Nothing has to be stopped
 * afterwards: the broker ends and is deleted with the worker, even when that is killed.
 */
export function testKafka(): TestKafka {
  const hooks = globalThis as unknown as JestHooks;
  let found: readonly string[] | undefined;
  const topicPrefix = `test-${randomBytes(6).toString('hex')}.`;
  hooks.beforeAll(async () => {
    found = await testBrokers();
  }, START_WITHIN_MS);
  return {
    get brokers() {
      if (found === undefined) throw new Error('the test Kafka exists only while tests run');
      return found;
    },
    topicPrefix,
  };
}

/** The same without hooks, for programs and for specs with a broker of their own. */
export async function testBrokers(): Promise<readonly string[]> {
  const given = process.env['KAFKA_BROKERS'] ?? '';
  return (given === '' ? await workerBroker() : given).split(',');
}

/** Not imported from @jest/globals, which refuses to be loaded where no jest runs. */
interface JestHooks {
  beforeAll(hook: () => Promise<void>, timeoutMs?: number): void;
}

let broker: Promise<string> | undefined;

/** One broker per process, known by its number and start time as with the test database. */
function workerBroker(): Promise<string> {
  const startedAt = Math.round(performance.timeOrigin);
  const name = `sluice-test-kafka-${String(process.pid)}-${String(startedAt)}`;
  broker ??= brokerIn(join(tmpdir(), name));
  return broker;
}

async function brokerIn(folder: string): Promise<string> {
  const running = await runningKafka(folder);
  return (running ?? (await startLocalKafka({ folder, removeFolderAtEnd: true }))).brokers;
}
