import { newPersonalKey, sealPersonal } from '@sluice/aggregates';
import { runningPostgres } from '@sluice/embedded-postgres';
import { FileKeyProvider } from '@sluice/service';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import type { InstallationUnderTest } from './installation-under-test.js';
import type { KnownPayment } from './payment-reads.js';
import {
  fillStatement,
  type RecordedPayment,
  SEALED_TABLE,
  templateOf,
  TEMPLATE_TABLE,
  withoutMerchantId,
} from './store-fill-statements.js';

/** How a store was filled further. */
export interface Filling {
  readonly payments: number;
  readonly seconds: number;
  /** The vacuum that follows, as autovacuum would have done it over the time. */
  readonly vacuumSeconds: number;
}

const DATABASE = 'sluice';
const YEAR_MS = 365 * 86_400_000;
/** A multiple of those of which one has no id of its merchant. */
const TEMPLATES = 64;
const BATCH = 20_000;
/** Of each filling: so many have personal data that opens, and can be read through the interface. */
const READABLE_MAX = 20_000;
/** What the generator's payments have of it. */
const PERSONAL = { 'card.holder': 'Jane Jones', 'customParameters[BENCH_index]': '0' };

interface FillParts {
  readonly database: pg.Client;
  readonly keys: FileKeyProvider;
  readonly templates: readonly RecordedPayment[];
  readonly statement: string;
  /** When the first copy was made, in milliseconds, and how far apart they are. */
  readonly past: { readonly startMs: number; readonly stepMs: number };
}

/** Payments `from` to `to`, of which some can be read. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly readable: readonly KnownPayment[];
}

/** Fills the store of an installation with copies of payments that it has really recorded. */
export class StoreFill {
  readonly #ranges: Range[] = [];

  private constructor(private readonly parts: FillParts) {}

  /** Of an installation that has at least one payment; `total` copies will lie over the past year. */
  static async of({ dataFolder }: InstallationUnderTest, total: number): Promise<StoreFill> {
    const url = new URL((await runningPostgres(dataFolder)) ?? '');
    url.pathname = `/${DATABASE}`;
    const database = new pg.Client({ connectionString: url.href });
    await database.connect();
    // Nothing of this has to survive a crash.
    await database.query("SET synchronous_commit = off; SET work_mem = '128MB'");
    const { rows } = await database.query<RecordedPayment>(RECORDED, [TEMPLATES]);
    if (rows.length < TEMPLATES) throw new Error(`Only ${rows.length} payments can be copied.`);
    const { rows: columns } = await database.query<{ table: string; name: string }>(COLUMNS);
    const table = columns[0]?.table ?? '';
    await database.query(TEMPLATE_TABLE);
    await database.query(SEALED_TABLE);
    const shown = `CREATE TEMP TABLE shown AS SELECT * FROM reporting.${table}`;
    await database.query(shown);
    for (const [number, recorded] of rows.entries()) {
      const { first, firstMetadata, second, secondMetadata } = templateOf(recorded, number);
      const texts = [first, firstMetadata, second, secondMetadata];
      await database.query('INSERT INTO templates VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
        ...[number, recorded.streamId, recorded.entityId, recorded.wrapped, recorded.personal],
        ...texts,
      ]);
    }
    const keys = await FileKeyProvider.open(join(dataFolder, 'keys', 'payments.json'), {});
    const names = columns.map(({ name }) => name);
    const past = { startMs: Date.now() - YEAR_MS, stepMs: Math.floor(YEAR_MS / total) };
    const statement = fillStatement(table, names, rows.length);
    return new StoreFill({ database, keys, templates: rows, statement, past });
  }

  /** All payments, those included that are no copies. */
  async count(): Promise<number> {
    const text = 'SELECT count(*)::int AS payments FROM payments.streams';
    const { rows } = await this.parts.database.query<{ payments: number }>(text);
    return rows[0]?.payments ?? 0;
  }

  /** Copies until there are so many of all. */
  async upTo(payments: number, say: (line: string) => void): Promise<Filling> {
    const from = this.#ranges.at(-1)?.to ?? 0;
    const count = Math.max(from, payments - (await this.count()) + from);
    const readable = await this.#seal(from, count);
    const startedAt = performance.now();
    const { startMs, stepMs } = this.parts.past;
    for (let next = from; next < count; next += BATCH) {
      const until = Math.min(next + BATCH, count);
      await this.parts.database.query(this.parts.statement, [next, until - 1, startMs, stepMs]);
      if (until % 1_000_000 === 0) say(`  ${until.toLocaleString('en-US')} payments …`);
    }
    const filledAt = performance.now();
    await this.parts.database.query('TRUNCATE sealed');
    await this.parts.database.query('VACUUM (ANALYZE)');
    await this.parts.database.query('CHECKPOINT');
    this.#ranges.push({ from, to: count, readable });
    const vacuumSeconds = (performance.now() - filledAt) / 1_000;
    return { payments, seconds: (filledAt - startedAt) / 1_000, vacuumSeconds };
  }

  /** Any of all copies, old and new with the same likelihood; `draws` are from 0 to below 1. */
  drawn(draws: readonly [number, number], hasMerchantId = false): KnownPayment {
    const at = draws[0] * (this.#ranges.at(-1)?.to ?? 0);
    const readable = this.#ranges.find(({ to }) => at < to)?.readable ?? [];
    const wanted = hasMerchantId
      ? readable.filter((each) => each.merchantTransactionId !== undefined)
      : readable;
    const payment = wanted[Math.floor(draws[1] * wanted.length)];
    if (payment === undefined) throw new Error('Nothing was filled in.');
    return payment;
  }

  async close(): Promise<void> {
    this.parts.keys.close();
    await this.parts.database.end();
  }

  /** Seals personal data for those that will be read: an id and its key belong together. */
  async #seal(from: number, to: number): Promise<readonly KnownPayment[]> {
    const readable: KnownPayment[] = [];
    const rows: { n: number; wrapped: string; personal: string }[] = [];
    const apart = Math.max(1, (to - from) / READABLE_MAX);
    for (let at = from; at < to; at += apart) {
      const n = Math.floor(at);
      const payment = this.#paymentOf(n);
      const { key, wrapped } = await newPersonalKey(this.parts.keys, payment.id);
      const personal = sealPersonal(key, payment.id, PERSONAL);
      rows.push({ n, wrapped: wrapped.toString('hex'), personal });
      readable.push(payment);
    }
    await this.parts.database.query(
      `INSERT INTO sealed SELECT n, decode(wrapped, 'hex'), personal
       FROM json_to_recordset($1) AS s (n bigint, wrapped text, personal text)`,
      [JSON.stringify(rows)],
    );
    await this.parts.database.query('ANALYZE sealed');
    return readable;
  }

  /** The same as the statement makes. */
  #paymentOf(n: number): KnownPayment {
    const hash = createHash('md5').update(`grow${n}`).digest('hex');
    const time = (this.parts.past.startMs + n * this.parts.past.stepMs)
      .toString(16)
      .padStart(12, '0');
    const recorded = this.parts.templates[n % this.parts.templates.length];
    return {
      id: time + hash.slice(0, 20),
      entityId: recorded?.entityId ?? '',
      ...(withoutMerchantId(n) ? {} : { merchantTransactionId: `grow-${hash.slice(16)}` }),
    };
  }
}

/** Payments as their events tell of them: a request and its outcome. */
const RECORDED = `
  SELECT e.stream_id AS "streamId", e.metadata->>'entityId' AS "entityId", k.wrapped,
    e.data->>'personal' AS personal, e.data::text AS first, e.metadata::text AS "firstMetadata",
    o.data::text AS second, o.metadata::text AS "secondMetadata"
  FROM payments.events e
  JOIN payments.events o ON o.stream_id = e.stream_id AND o.version = 2
  JOIN payments.personal_keys k ON k.stream_id = e.stream_id
  WHERE e.version = 1 AND o.type = 'TransactionApproved'
    AND e.data->>'personal' IS NOT NULL AND k.wrapped IS NOT NULL
  ORDER BY e.stream_id LIMIT $1`;

/** What reporting shows, in its live tables. */
const COLUMNS = `
  SELECT c.table_name AS "table", c.column_name AS name
  FROM reporting.table_sets s JOIN information_schema.columns c
    ON c.table_schema = 'reporting' AND c.table_name = s.projection || '_' || s.id
  WHERE s.projection = 'transactions' AND s.state = 'live' ORDER BY c.ordinal_position`;
