import { Client } from 'pg';
import type { ChainTransaction } from './ledger-fold.js';
import type { Merchant } from './merchant.js';
import type { ReadBack, RecordedTransaction, Violation } from './records.js';
import { after, seconds } from './times.js';
import { verifyLedger } from './verify-ledger.js';

const RECOVERY_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 100;
const READERS = 16;
const READ_TRIES = 10;
const READ_AGAIN_MS = 1_000;
/** Busy, throttled, infrastructure down. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['800.600.100', '800.120.100', '800.800.800']);
const PENDING = '000.200.000';
/** The life of a command, and what its first append may take to come to light. */
const YOUNG_MS = 90_000;
const PAYMENTS_SCHEMA = 'payments';

/** What the gateway has recorded, read from its store. */
export interface GatewaySide {
  readonly recorded: readonly RecordedTransaction[];
  readonly chains: readonly ChainTransaction[];
  /** What is wrong with the store itself, and what was left undone. */
  readonly violations: readonly Violation[];
}

/** Reads every event, once, in each database of payments: one, or one for each cell. */
export async function readGatewaySide(...urls: readonly string[]): Promise<GatewaySide> {
  const recorded: RecordedTransaction[] = [];
  const chains: ChainTransaction[] = [];
  const violations: Violation[] = [];
  const streams = new Set<string>();
  for (const url of urls) {
    const onChain = (streamId: string, transactions: Iterable<ChainTransaction>): void => {
      if (streams.has(streamId)) violations.push(inTwoCells(streamId));
      streams.add(streamId);
      for (const transaction of transactions) {
        chains.push(transaction);
        recorded.push(recordedOf(streamId, transaction));
      }
    };
    await withClient(url, async (client) => {
      violations.push(...(await notCarried(client)));
      const ledger = await verifyLedger(client, { schema: PAYMENTS_SCHEMA, onChain });
      const rule = { rule: 'ledger', subject: 'ledger' };
      violations.push(...ledger.violations.map((sentence) => ({ ...rule, sentence })));
    });
  }
  violations.push(...chains.filter(({ late }) => late === 'approved').map(lateLeft));
  return { recorded, chains, violations };
}

function inTwoCells(streamId: string): Violation {
  return { rule: 'cells', subject: streamId, sentence: 'is in two cells' };
}

/** Streams in a cell that does not carry their shard: nobody would ever read or finish them. */
async function notCarried(client: Client): Promise<readonly Violation[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT stream_id AS id FROM payments.streams WHERE NOT payments.shard_of(stream_id) <@
       (SELECT carried FROM payments.carried_shards) LIMIT 1000`,
  );
  const sentence = 'is in a cell that does not carry its shard';
  return rows.map(({ id }) => ({ rule: 'cells', subject: id, sentence }));
}

/** Reads every transaction that was answered or recorded as its merchant would. */
export async function readAllBack(
  merchant: Merchant,
  url: string,
  recorded: readonly RecordedTransaction[],
): Promise<ReadBack[]> {
  const answered = merchant
    .records()
    .flatMap(({ reference, attempts }) =>
      attempts.flatMap((attempt) =>
        attempt.kind === 'answered' && attempt.id !== undefined
          ? [[attempt.id, reference] as const]
          : [],
      ),
    );
  const references = new Map<string, string | undefined>([
    ...recorded.map(({ id, reference }) => [id, reference] as const),
    ...answered,
  ]);
  const ids = new Set(recorded.map(({ id }) => id));
  const youngUntilMs = performance.now() + YOUNG_MS;
  /** What nobody has recorded is pending while it may still appear; that is over soon (D-04). */
  const readNow = async (id: string, reference: string | undefined) => {
    for (;;) {
      const answer = await merchant.read(url, id, reference);
      const isYoung = answer.code === PENDING && !ids.has(id) && performance.now() < youngUntilMs;
      if (!isYoung) return answer;
      await after(READ_AGAIN_MS, () => Promise.resolve());
    }
  };
  const left = [...references];
  const readBack: ReadBack[] = [];
  const read = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [id, reference] = next;
      const answer = await whenAnswered(() => readNow(id, reference));
      const { id: shownId, ...read } = answer;
      readBack.push({ ...read, id, ...(shownId !== undefined && { shownId }) });
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  return readBack;
}

/**
 * Reads until something is said: a gateway may be busy for a moment, and takes no more than so many
 * a second.
 */
export async function whenAnswered<Read extends { readonly code: string }>(
  read: () => Promise<Read>,
): Promise<Read> {
  for (let tries = 1; ; tries += 1) {
    const answer = await read();
    if (!SAYS_NOTHING.has(answer.code) || tries === READ_TRIES) return answer;
    await after(READ_AGAIN_MS, () => Promise.resolve());
  }
}

/** Waits until no sweeper has anything to look at; throws when that takes too long. */
export async function recovered(...urls: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  for (const url of urls) await recoveredIn(url, startedAt);
  return performance.now() - startedAt;
}

function recoveredIn(url: string, startedAt: number): Promise<void> {
  return withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ open: number }>(
        'SELECT count(*)::int AS open FROM payments.streams WHERE due_at IS NOT NULL',
      );
      const open = rows[0]?.open ?? 0;
      const tookMs = performance.now() - startedAt;
      if (open === 0) return;
      if (tookMs > RECOVERY_WITHIN_MS) {
        throw new Error(`${open} payments still wait for recovery after ${seconds(tookMs)}`);
      }
      await after(POLL_INTERVAL_MS, () => Promise.resolve());
    }
  });
}

/** One connection for one piece of work. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function lateLeft({ id }: ChainTransaction): Violation {
  return { rule: 'left open', subject: id, sentence: 'its late approval is not undone' };
}

function recordedOf(streamId: string, transaction: ChainTransaction): RecordedTransaction {
  const { id, operation, outcome, currency, reference, resultCode, acquirerReference } =
    transaction;
  const { referencedId, givenUp } = transaction;
  return {
    id,
    streamId,
    operation,
    outcome,
    amountMinor: transaction.minor,
    ...(referencedId === undefined ? {} : { referencedId }),
    ...(currency === undefined ? {} : { currency }),
    ...(reference === undefined ? {} : { reference }),
    ...(resultCode === undefined ? {} : { resultCode }),
    ...(acquirerReference === undefined ? {} : { acquirerReference }),
    ...(givenUp.length === 0 ? {} : { givenUp }),
  };
}
