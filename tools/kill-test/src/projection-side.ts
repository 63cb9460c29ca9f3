import type { Client } from 'pg';
import { withClient } from './gateway-side.js';
import type { RecordedTransaction, Violation } from './records.js';
import { after, seconds } from './times.js';

/** One row of reporting, as it answers queries from. */
export interface ProjectedTransaction {
  readonly id: string;
  readonly streamId: string;
  readonly operation: string;
  readonly status: string;
  readonly resultCode: string;
  /** Minor units as decimal digits. */
  readonly amountMinor: string | null;
  readonly currency: string | null;
  readonly reference: string | null;
}

const CAUGHT_UP_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/**
 * Waits until everything that is recorded by now is published and projected, whatever comes after
 * it: its outbox rows are gone, and reporting has each stream up to the head that it had. Returns
 * how long that took; throws when it takes too long. The first database has reporting's tables, and
 * payments' in its first cell; those of other cells follow. Each is connected to once, because a
 * forwarded port takes no second connection.
 */
export async function projected(...urls: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const [url = '', ...otherCells] = urls;
  return withClient(url, async (reporting) => {
    await caughtUp({ reporting, payments: reporting }, startedAt);
    for (const cell of otherCells) {
      await withClient(cell, (payments) => caughtUp({ reporting, payments }, startedAt));
    }
    return performance.now() - startedAt;
  });
}

interface Databases {
  readonly reporting: Client;
  readonly payments: Client;
}

async function caughtUp(databases: Databases, startedAt: number): Promise<void> {
  let behind = await whatIsBehind(databases);
  for (;;) {
    const tookMs = performance.now() - startedAt;
    const { streams, messages } = behind;
    if (messages.length === 0 && streams.length === 0) return;
    if (tookMs > CAUGHT_UP_WITHIN_MS) {
      throw new Error(
        `${messages.length} events are not published and ${streams.length} streams not projected ` +
          `after ${seconds(tookMs)}`,
      );
    }
    await after(POLL_INTERVAL_MS, () => Promise.resolve());
    behind = await whatIsStillBehind(databases, behind);
  }
}

interface Behind {
  /** Streams with the version that is waited for. */
  readonly streams: readonly { readonly id: string; readonly version: number }[];
  readonly messages: readonly { readonly slot: number; readonly id: string }[];
}

async function whatIsBehind({ reporting, payments }: Databases): Promise<Behind> {
  const heads = 'SELECT stream_id AS id, version FROM payments.streams';
  const streams = (await payments.query<Behind['streams'][number]>(heads)).rows;
  const waiting = 'SELECT slot, id FROM payments.outbox';
  const messages = (await payments.query<Behind['messages'][number]>(waiting)).rows;
  return { streams: await notProjected(reporting, streams), messages };
}

async function whatIsStillBehind(
  { reporting, payments }: Databases,
  { streams, messages }: Behind,
): Promise<Behind> {
  const text = `SELECT slot, id FROM payments.outbox
       JOIN unnest($1::smallint[], $2::bigint[]) AS waited (slot, id) USING (slot, id)`;
  const values = [messages.map(({ slot }) => slot), messages.map(({ id }) => id)];
  const still = await payments.query<Behind['messages'][number]>(text, values);
  return { streams: await notProjected(reporting, streams), messages: still.rows };
}

async function notProjected(
  reporting: Client,
  streams: Behind['streams'],
): Promise<Behind['streams']> {
  const text = `
    SELECT s.id, s.version FROM unnest($1::text[], $2::int[]) AS s (id, version)
      LEFT JOIN reporting.transactions_${await liveSet(reporting)}_streams r
        ON replace(r.stream_id::text, '-', '') = s.id
     WHERE r.version IS NULL OR r.version < s.version`;
  const values = [streams.map(({ id }) => id), streams.map(({ version }) => version)];
  return (await reporting.query<Behind['streams'][number]>(text, values)).rows;
}

async function liveSet(client: Client): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM reporting.table_sets WHERE projection = 'transactions' AND state = 'live'`,
  );
  if (rows[0] === undefined) throw new Error('reporting has no live tables');
  return rows[0].id;
}

/** Every row of the live tables. */
export async function readProjection(url: string): Promise<readonly ProjectedTransaction[]> {
  return withClient(url, async (client) => {
    const text = `
      SELECT replace(transaction_id::text, '-', '') AS id,
             replace(stream_id::text, '-', '') AS "streamId",
             operation, status, result_code AS "resultCode", amount_minor::text AS "amountMinor",
             currency, merchant_transaction_id AS reference
      FROM reporting.transactions_${await liveSet(client)}`;
    return (await client.query<ProjectedTransaction>(text)).rows;
  });
}

/** Rows that do not say what the events say; empty when all do, one for one. */
export function projectionDisagreements(
  recorded: readonly RecordedTransaction[],
  rows: readonly ProjectedTransaction[],
): Violation[] {
  const rest = new Map(rows.map((row) => [row.id, row]));
  const found = recorded.flatMap((transaction) => {
    const row = rest.get(transaction.id);
    rest.delete(transaction.id);
    if (row === undefined) return [violation(transaction.id, 'is not projected')];
    return differences(transaction, row).map((text) => violation(transaction.id, text));
  });
  const strangers = [...rest.keys()].map((id) =>
    violation(id, 'is projected and was never recorded'),
  );
  const twice = rows.length - new Map(rows.map((row) => [row.id, row])).size;
  return [
    ...found,
    ...strangers,
    ...(twice === 0 ? [] : [violation('rows', `${twice} transactions are projected twice`)]),
  ];
}

function differences(transaction: RecordedTransaction, row: ProjectedTransaction): string[] {
  const expected: [string, string | undefined, string | null][] = [
    ['stream', transaction.streamId, row.streamId],
    ['operation', transaction.operation, row.operation],
    ['status', transaction.outcome, row.status],
    // Without a currency there was no amount: a refused request may name none.
    ['amount', amountOf(transaction), row.amountMinor],
    ['currency', transaction.currency, row.currency],
    ['reference', transaction.reference, row.reference],
    ['result code', transaction.resultCode, row.resultCode],
  ];
  return expected
    .filter(([, recorded, projected]) => recorded !== undefined && recorded !== projected)
    .map(([name, recorded, projected]) => `its ${name} is ${projected}, recorded ${recorded}`);
}

function amountOf({ currency, amountMinor }: RecordedTransaction): string | undefined {
  return currency === undefined ? undefined : amountMinor?.toString();
}

function violation(subject: string, sentence: string): Violation {
  return { rule: 'projection', subject, sentence };
}
