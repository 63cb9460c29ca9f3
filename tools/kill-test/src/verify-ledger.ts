import { type EventTable, NewerWriter, paymentEvents, upcast } from '@sluice/contracts';
import type { ClientBase } from 'pg';
import { ChainFold, type ChainTransaction, type EventData } from './ledger-fold.js';

/** Rows per round trip: some 5 MB. */
const FETCH_ROWS = 10_000;
/** More than an operator reads; the count goes on. */
const VIOLATIONS_MAX = 1_000;

/** What was looked at, and what is wrong. */
export interface LedgerReport {
  readonly streams: number;
  readonly events: number;
  readonly transactions: number;
  /** Each names its stream; the first thousand. */
  readonly violations: readonly string[];
  readonly violationsTotal: number;
}

/** Called with every whole chain, e.g. to collect what another check needs. */
export type OnChain = (streamId: string, transactions: Iterable<ChainTransaction>) => void;

interface EventRow {
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: EventData;
}

/** What is looked at, and with what. */
export interface LedgerOptions {
  /** Holds the event store. */
  readonly schema: string;
  /** What brings stored data to today's shape; absent: that of payments. */
  readonly events?: EventTable;
  readonly onChain?: OnChain;
}

const WRONG_HEADS = `
  SELECT stream_id, s.version AS head, e.last, e.count
  FROM streams s
  FULL JOIN (SELECT stream_id, max(version) AS last, count(*)::int AS count
             FROM events GROUP BY stream_id) e USING (stream_id)
  WHERE s.version IS DISTINCT FROM e.last OR e.count IS DISTINCT FROM e.last
  ORDER BY stream_id LIMIT 1000`;

const DOUBLE_EVENT_IDS = `
  SELECT event_id FROM events GROUP BY event_id HAVING count(*) > 1 LIMIT 1000`;

const WRONG_INDEX = `
  SELECT coalesce(t.transaction_id, e.transaction_id) AS id, t.stream_id AS indexed, e.stream_id AS stored
  FROM transactions t
  FULL JOIN (SELECT DISTINCT data->>'transactionId' AS transaction_id, stream_id FROM events) e
    USING (transaction_id)
  WHERE t.stream_id IS DISTINCT FROM e.stream_id
  LIMIT 1000`;

/**
 * Checks R-MON-01 and the shape of the store over a whole database of payments: heads, holes,
 * double event ids and the transaction index in SQL, the money of every chain after every event by
 * a fold of its own. Reads one snapshot and changes nothing.
 */
export async function verifyLedger(
  client: ClientBase,
  options: LedgerOptions,
): Promise<LedgerReport> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    await client.query("SELECT set_config('search_path', $1, true)", [options.schema]);
    await client.query("SELECT set_config('statement_timeout', '0', true)");
    const findings = new Findings();
    await checkStore(client, findings);
    const counts = await foldAll(client, findings, options);
    const { violations, total } = findings;
    return { ...counts, violations, violationsTotal: total };
  } finally {
    await client.query('ROLLBACK');
  }
}

async function checkStore(client: ClientBase, findings: Findings): Promise<void> {
  const heads = await client.query<Record<string, unknown>>(WRONG_HEADS);
  for (const { stream_id, head, last, count } of heads.rows) {
    findings.add(
      `${String(stream_id)}: head ${String(head)}, last event ${String(last)}, ${String(count)} events`,
    );
  }
  const doubles = await client.query<{ event_id: string }>(DOUBLE_EVENT_IDS);
  for (const { event_id } of doubles.rows) findings.add(`event id ${event_id} is there twice`);
  const index = await client.query<Record<string, unknown>>(WRONG_INDEX);
  for (const { id, indexed, stored } of index.rows) {
    findings.add(`${String(id)}: indexed in ${String(indexed)}, stored in ${String(stored)}`);
  }
}

async function foldAll(
  client: ClientBase,
  findings: Findings,
  { onChain, events = paymentEvents }: LedgerOptions,
): Promise<Pick<LedgerReport, 'streams' | 'events' | 'transactions'>> {
  const counts = { streams: 0, events: 0, transactions: 0 };
  let streamId = '';
  let fold = new ChainFold();
  const finish = (): void => {
    if (fold.transactions.size === 0) return;
    counts.streams += 1;
    counts.transactions += fold.transactions.size;
    for (const violation of fold.violations) findings.add(`${streamId}: ${violation}`);
    onChain?.(streamId, fold.transactions.values());
  };
  await client.query(
    `DECLARE ledger NO SCROLL CURSOR FOR
     SELECT stream_id, version, type, schema_version, data FROM events ORDER BY stream_id, version`,
  );
  const fetch = `FETCH ${String(FETCH_ROWS)} FROM ledger`;
  for (;;) {
    const { rows } = await client.query<EventRow>(fetch);
    for (const row of rows) {
      if (row.stream_id !== streamId) {
        finish();
        streamId = row.stream_id;
        fold = new ChainFold();
      }
      counts.events += 1;
      fold.apply({
        ...{ streamId, version: row.version, type: row.type },
        data: todaysData(events, row, findings),
      });
    }
    if (rows.length < FETCH_ROWS) break;
  }
  finish();
  return counts;
}

/** What a newer release wrote is reported, and folded as it stands. */
function todaysData(events: EventTable, row: EventRow, findings: Findings): EventData {
  const { type, schema_version: schemaVersion, data } = row;
  try {
    return upcast(events, { type, schemaVersion, data }) as EventData;
  } catch (error) {
    if (!(error instanceof NewerWriter)) throw error;
    findings.add(`${row.stream_id}: ${error.message}`);
    return data;
  }
}

class Findings {
  readonly violations: string[] = [];
  total = 0;

  add(violation: string): void {
    this.total += 1;
    if (this.violations.length < VIOLATIONS_MAX) this.violations.push(violation);
  }
}
