import { isCarried } from './carried-shards.js';
import type { MovedShards, MoveSessions } from './move-state.js';
import { sqlRange } from './shard-range.js';

/** Rows of one page between the databases. */
const ROWS_MAX = 10_000;

interface MarkRow {
  subject: string;
  transaction_id: string;
  stream_id: string;
  data: string;
  until: string | null;
  lasting: boolean;
  version: number;
  /** Whether the source carries the stream, so that this is no copy. */
  carried: boolean;
}

/**
 * The shard of the id that row `k` is marked under: who decides by such a mark is where the id is. NULL
 * for a subject that ends with no id.
 */
const shardOfSubject = (schema: string): string =>
  `${schema}.shard_of(CASE WHEN k.subject ~ ':[0-9a-f]{32}$' THEN right(k.subject, 32) END)`;

/**
 * Deletes marks of streams that a cell does not carry, once it has lost the range `$1`. What stays is a
 * copy for those who decide here by the same subject: the id that it is under is here, or it is under
 * none, and streams that are here have left marks beside it. What is about to leave in another move is
 * here until that one has cleared it: nobody else may have its marks yet.
 */
export function foreignMarksDeletion(schema: string): string {
  const leaving = `SELECT range_agg(shards) FROM ${schema}.leaving_shards WHERE shards <> $1::int4range`;
  const isHere = (shard: string): string =>
    `${shard} <@ (SELECT carried + coalesce((${leaving}), '{}')
                  FROM ${schema}.carried_shards WHERE only_row)`;
  return `DELETE FROM ${schema}.marks k
    WHERE NOT ${isHere(`${schema}.shard_of(k.stream_id)`)}
      AND NOT coalesce(${isHere(shardOfSubject(schema))}, EXISTS (
        SELECT FROM ${schema}.marks other
        WHERE other.subject = k.subject AND ${isHere(`${schema}.shard_of(other.stream_id)`)}))`;
}

/**
 * Copies marks that streams of the range have left, once nobody can append to it any more. Appends of
 * other streams change and clear them too, so none that came earlier counts. What streams of other
 * shards have left goes along and stays where it is under the same subjects, or under an id of the
 * range: an agreement's later payments may lie anywhere in the cell, and those who decide about the
 * next one look where its first payment or its registration is. What the target itself carries is not
 * touched: its own marks are the truth, and a copy of them may be old.
 */
export class MarkCopy {
  readonly #schema: string;
  readonly #range: string;

  constructor(
    private readonly sessions: MoveSessions,
    { schema, shards }: MovedShards,
  ) {
    this.#schema = schema;
    this.#range = sqlRange(shards);
  }

  async copy(): Promise<void> {
    const { source } = this.sessions;
    const { carried } = await source.row<{ carried: string }>(
      `SELECT carried::text AS carried FROM ${this.#schema}.carried_shards WHERE only_row`,
    );
    await this.#forgetOfIds(carried);
    let after = { subject: '', transaction_id: '' };
    await this.#write(await this.#ofIds());
    for (;;) {
      const rows = await source.execute<MarkRow & Record<string, unknown>>(
        `SELECT ${this.#columns} FROM ${this.#schema}.marks k
         WHERE (subject, transaction_id) > ($2, $3)
           AND ${this.#schema}.shard_of(stream_id) <@ $1::int4range
         ORDER BY subject, transaction_id LIMIT ${ROWS_MAX}`,
        [this.#range, after.subject, after.transaction_id],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last;
      await this.#write(rows);
      await this.#forgetBeside(rows, carried);
      await this.#write(await this.#beside(rows));
    }
  }

  /**
   * Copies of the range's own marks, and of those under its ids whose streams the source carries: what
   * the source has of them by now is the truth.
   */
  async #forgetOfIds(carried: string): Promise<void> {
    await this.sessions.target.execute(
      `DELETE FROM ${this.#schema}.marks k
       WHERE ${this.#schema}.shard_of(k.stream_id) <@ $1::int4range
          OR (${this.#schema}.shard_of(k.stream_id) <@ $2::int4multirange
              AND ${shardOfSubject(this.#schema)} <@ $1::int4range)`,
      [this.#range, carried],
    );
  }

  /** The same of what is under the subjects of these. */
  async #forgetBeside(rows: readonly MarkRow[], carried: string): Promise<void> {
    await this.sessions.target.execute(
      `DELETE FROM ${this.#schema}.marks k
       WHERE k.subject = ANY ($1::text[])
         AND ${this.#schema}.shard_of(k.stream_id) <@ $2::int4multirange`,
      [subjectsOf(rows), carried],
    );
  }

  get #columns(): string {
    return `k.subject, k.transaction_id, k.stream_id, k.data::text AS data, k.until::text AS until,
      k.lasting, k.version, ${isCarried(this.#schema, 'k.stream_id')} AS carried`;
  }

  /** What streams of other shards have left under the subjects of these. */
  #beside(rows: readonly MarkRow[]): Promise<readonly MarkRow[]> {
    return this.sessions.source.execute<MarkRow & Record<string, unknown>>(
      `SELECT ${this.#columns} FROM ${this.#schema}.marks k
       WHERE subject = ANY ($2::text[]) AND NOT ${this.#schema}.shard_of(stream_id) <@ $1::int4range`,
      [this.#range, subjectsOf(rows)],
    );
  }

  /** What streams of other shards have left under ids of the range. */
  #ofIds(): Promise<readonly MarkRow[]> {
    return this.sessions.source.execute<MarkRow & Record<string, unknown>>(
      `SELECT ${this.#columns} FROM ${this.#schema}.marks k
       WHERE ${shardOfSubject(this.#schema)} <@ $1::int4range
         AND NOT ${this.#schema}.shard_of(k.stream_id) <@ $1::int4range`,
      [this.#range],
    );
  }

  /**
   * Of two copies, the one that was held more often is newer. What is about to leave the target in another
   * move is its own, too, unless the source has it already.
   */
  async #write(rows: readonly MarkRow[]): Promise<void> {
    await this.sessions.target.execute(
      `INSERT INTO ${this.#schema}.marks AS k
         (subject, transaction_id, stream_id, data, until, lasting, version)
       SELECT subject, transaction_id, stream_id, data, until, lasting, version
       FROM unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::timestamptz[], $6::boolean[],
                   $7::int[], $8::boolean[])
         AS m (subject, transaction_id, stream_id, data, until, lasting, version, carried)
       WHERE NOT ${isCarried(this.#schema, 'm.stream_id')}
         AND (m.carried OR NOT EXISTS (SELECT FROM ${this.#schema}.leaving_shards l
                                       WHERE ${this.#schema}.shard_of(m.stream_id) <@ l.shards))
       ON CONFLICT (subject, transaction_id) DO UPDATE
         SET data = excluded.data, until = excluded.until, lasting = excluded.lasting,
             version = excluded.version
         WHERE k.version < excluded.version`,
      [
        rows.map((row) => row.subject),
        rows.map((row) => row.transaction_id),
        rows.map((row) => row.stream_id),
        rows.map((row) => row.data),
        rows.map((row) => row.until),
        rows.map((row) => row.lasting),
        rows.map((row) => row.version),
        rows.map((row) => row.carried),
      ],
    );
  }
}

function subjectsOf(rows: readonly MarkRow[]): readonly string[] {
  return [...new Set(rows.map(({ subject }) => subject))];
}
