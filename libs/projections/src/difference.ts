import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { ColumnType, Projection } from './projection.js';
import { asText, columnName, type TableSetStatements, tableSetStatements } from './table-set.js';

/** One row that is not the same in both table sets, each side as text by property, or absent. */
export interface RowDifference {
  readonly key: string;
  readonly streamId: string;
  /**
   * `rows`: at the same version of the stream; `version`: one side never reached the other's
   * version.
   */
  readonly kind: 'rows' | 'version';
  readonly left?: Readonly<Record<string, string | null>>;
  readonly right?: Readonly<Record<string, string | null>>;
}

/** What a comparison found. */
export interface Difference {
  /** Streams that both hold at the same version; their rows are compared. */
  readonly streamsCompared: number;
  readonly differences: number;
  /** The first ones. */
  readonly examples: readonly RowDifference[];
  readonly durationMs: number;
}

/** What to compare. */
export interface ComparisonOptions {
  readonly url: string;
  readonly schema: string;
  readonly projection: Projection;
  /** Two table sets; the live one first, as a rule. */
  readonly left: number;
  readonly right: number;
  /** How long streams that keep changing are compared again. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

/** D-22: streams that do not reach the same version by then are differences. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 500;
const EXAMPLES_MAX = 20;

/**
 * Compares the rows of two table sets that are both being fed. Only rows of streams at the same
 * version can be compared; the others are compared again until their versions are equal, and those
 * that never are count as differences.
 */
export async function compareTableSets(options: ComparisonOptions): Promise<Difference> {
  const { url, projection, schema, patienceMs = PATIENCE_MS, signal } = options;
  const startedMs = performance.now();
  const client = new Client({ connectionString: url, application_name: 'sluice-compare' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SET jit = off');
    const left = tableSetStatements(projection, schema, options.left);
    const right = tableSetStatements(projection, schema, options.right);
    const comparison = new Comparison(client, projection, left, right);
    const streamsCompared = await comparison.begin();
    while (comparison.hasMoving && performance.now() - startedMs < patienceMs) {
      await delay(LOOK_AGAIN_MS, undefined, { ...(signal !== undefined && { signal }) });
      await comparison.lookAgain();
    }
    const { differences, examples } = await comparison.finish();
    return { streamsCompared, differences, examples, durationMs: performance.now() - startedMs };
  } finally {
    await client.end();
  }
}

/** Temporary tables of one session hold what is still open: a table set may have millions. */
class Comparison {
  #moving = 0;
  readonly #texts: ComparisonTexts;

  constructor(
    private readonly client: Client,
    private readonly projection: Projection,
    left: TableSetStatements,
    right: TableSetStatements,
  ) {
    this.#texts = comparisonTexts(projection, left, right);
  }

  get hasMoving(): boolean {
    return this.#moving > 0;
  }

  /** Compares everything once, as it is at one instant; returns the streams compared. */
  async begin(): Promise<number> {
    let counted: { readonly equal: string; readonly moving: string } | undefined;
    await this.#atOneInstant(async () => {
      await this.client.query(this.#texts.createMoving);
      await this.client.query(this.#texts.createDifferent);
      const result = await this.client.query<{ equal: string; moving: string }>(this.#texts.count);
      counted = result.rows[0];
    });
    this.#moving = Number(counted?.moving ?? 0);
    return Number(counted?.equal ?? 0);
  }

  /** The same for the streams that were still changing. */
  async lookAgain(): Promise<void> {
    await this.#atOneInstant(async () => {
      await this.client.query(this.#texts.addDifferent);
      const { rowCount } = await this.client.query(this.#texts.settle);
      this.#moving -= rowCount ?? 0;
    });
  }

  async finish(): Promise<Pick<Difference, 'differences' | 'examples'>> {
    const { rows } = await this.client.query<{ different: string; moving: string }>(
      this.#texts.countDifferences,
    );
    const total = Number(rows[0]?.different ?? 0) + Number(rows[0]?.moving ?? 0);
    if (total === 0) return { differences: 0, examples: [] };
    const examples = await this.client.query<(string | null)[]>({
      text: this.#texts.examples,
      rowMode: 'array',
    });
    return { differences: total, examples: examples.rows.map((row) => this.#example(row)) };
  }

  #example([kind, key, streamId, inLeft, inRight, ...values]: (string | null)[]): RowDifference {
    const properties = Object.keys(this.projection.columns);
    const side = (from: number): Readonly<Record<string, string | null>> =>
      Object.fromEntries(properties.map((name, index) => [name, values[from + index] ?? null]));
    return {
      key: key ?? '',
      streamId: streamId ?? '',
      kind: kind === 'rows' ? 'rows' : 'version',
      ...(inLeft === 'true' && { left: side(0) }),
      ...(inRight === 'true' && { right: side(properties.length) }),
    };
  }

  async #atOneInstant(work: () => Promise<void>): Promise<void> {
    await this.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await work();
    await this.client.query('COMMIT');
  }
}

interface ComparisonTexts {
  readonly createMoving: string;
  readonly createDifferent: string;
  readonly count: string;
  readonly addDifferent: string;
  readonly settle: string;
  readonly countDifferences: string;
  readonly examples: string;
}

function comparisonTexts(
  projection: Projection,
  left: TableSetStatements,
  right: TableSetStatements,
): ComparisonTexts {
  const key = columnName(projection.key);
  const names = Object.keys(projection.columns).map(columnName);
  const typeOf = (property: string): ColumnType => projection.columns[property]?.type ?? 'text';
  const row = (alias: string): string => `ROW(${names.map((n) => `${alias}.${n}`).join(', ')})`;
  const texts = (alias: string): string =>
    Object.entries(projection.columns)
      .map(([property, { type }]) => asText(type, `${alias}.${columnName(property)}`))
      .join(', ');
  const moving = `SELECT stream_id FROM ${left.streams} l FULL JOIN ${right.streams} r USING (stream_id)
    WHERE l.version IS DISTINCT FROM r.version`;
  const unequal = (restriction: string): string => `
    SELECT ${key} AS key, coalesce(l.stream_id, r.stream_id) AS stream_id
    FROM ${left.table} l FULL JOIN ${right.table} r USING (${key})
    WHERE ${row('l')} IS DISTINCT FROM ${row('r')} AND ${restriction}`;
  const stillMoving = `SELECT stream_id FROM moving_streams m
    WHERE (SELECT version FROM ${left.streams} l WHERE l.stream_id = m.stream_id)
      IS DISTINCT FROM (SELECT version FROM ${right.streams} r WHERE r.stream_id = m.stream_id)`;
  return {
    createMoving: `CREATE TEMP TABLE moving_streams AS ${moving}`,
    createDifferent: `CREATE TEMP TABLE different_rows AS ${unequal(
      'coalesce(l.stream_id, r.stream_id) NOT IN (SELECT stream_id FROM moving_streams)',
    )}`,
    count: `SELECT (SELECT count(*) FROM moving_streams) AS moving,
      (SELECT count(*) FROM ${left.streams} l JOIN ${right.streams} r USING (stream_id)
        WHERE l.version = r.version) AS equal`,
    addDifferent: `INSERT INTO different_rows
      SELECT coalesce(l.key, r.key), coalesce(l.stream_id, r.stream_id) FROM
        (SELECT ${key} AS key, * FROM ${left.table} WHERE stream_id IN (SELECT stream_id FROM moving_streams)) l
        FULL JOIN
        (SELECT ${key} AS key, * FROM ${right.table} WHERE stream_id IN (SELECT stream_id FROM moving_streams)) r
        USING (key)
      WHERE ${row('l')} IS DISTINCT FROM ${row('r')}
        AND coalesce(l.stream_id, r.stream_id) NOT IN (${stillMoving})`,
    settle: `DELETE FROM moving_streams WHERE stream_id NOT IN (${stillMoving})`,
    countDifferences: `SELECT (SELECT count(*) FROM different_rows) AS different,
      (SELECT count(*) FROM moving_streams) AS moving`,
    examples: `SELECT d.kind, ${asText(typeOf(projection.key), 'd.key')},
        ${asText(typeOf('streamId'), 'd.stream_id')},
        (l.${key} IS NOT NULL)::text, (r.${key} IS NOT NULL)::text, ${texts('l')}, ${texts('r')}
      FROM (
        SELECT 'rows' AS kind, key, stream_id FROM different_rows
        UNION ALL
        SELECT 'version', key, stream_id FROM (
          SELECT ${key} AS key, stream_id FROM ${left.table} UNION
          SELECT ${key}, stream_id FROM ${right.table}) all_rows
        WHERE stream_id IN (SELECT stream_id FROM moving_streams)
        LIMIT ${EXAMPLES_MAX}) d
      LEFT JOIN ${left.table} l ON l.${key} = d.key LEFT JOIN ${right.table} r ON r.${key} = d.key`,
  };
}
