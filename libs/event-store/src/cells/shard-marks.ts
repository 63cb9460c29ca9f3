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
}

/**
 * Copies marks that streams of the range have left, once nobody can append to it any more. Appends of
 * other streams change and clear them too, so none that came earlier counts. What streams of other
 * shards have left under the same subjects goes along and stays: an agreement's later payments may lie
 * anywhere in the cell, and those who decide about the next one look where the first one is.
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
    const { source, target } = this.sessions;
    await target.execute(
      `DELETE FROM ${this.#schema}.marks WHERE ${this.#schema}.shard_of(stream_id) <@ $1::int4range`,
      [this.#range],
    );
    let after = { subject: '', transaction_id: '' };
    for (;;) {
      const rows = await source.execute<MarkRow & Record<string, unknown>>(
        `SELECT subject, transaction_id, stream_id, data::text AS data, until::text AS until,
                lasting, version
         FROM ${this.#schema}.marks
         WHERE (subject, transaction_id) > ($2, $3)
           AND ${this.#schema}.shard_of(stream_id) <@ $1::int4range
         ORDER BY subject, transaction_id LIMIT ${ROWS_MAX}`,
        [this.#range, after.subject, after.transaction_id],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last;
      await this.#write(rows);
      await this.#write(await this.#beside(rows));
    }
  }

  /** What streams of other shards have left under the subjects of these. */
  #beside(rows: readonly MarkRow[]): Promise<readonly MarkRow[]> {
    return this.sessions.source.execute<MarkRow & Record<string, unknown>>(
      `SELECT subject, transaction_id, stream_id, data::text AS data, until::text AS until,
              lasting, version
       FROM ${this.#schema}.marks
       WHERE subject = ANY ($2::text[]) AND NOT ${this.#schema}.shard_of(stream_id) <@ $1::int4range`,
      [this.#range, [...new Set(rows.map(({ subject }) => subject))]],
    );
  }

  /** One that is there already came with an earlier move, or is of a stream there. */
  async #write(rows: readonly MarkRow[]): Promise<void> {
    await this.sessions.target.execute(
      `INSERT INTO ${this.#schema}.marks
         (subject, transaction_id, stream_id, data, until, lasting, version)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::timestamptz[],
                            $6::boolean[], $7::int[])
       ON CONFLICT DO NOTHING`,
      [
        rows.map((row) => row.subject),
        rows.map((row) => row.transaction_id),
        rows.map((row) => row.stream_id),
        rows.map((row) => row.data),
        rows.map((row) => row.until),
        rows.map((row) => row.lasting),
        rows.map((row) => row.version),
      ],
    );
  }
}
