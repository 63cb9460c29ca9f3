import type { MarkName } from './append-member.js';
import type { Database } from './database.js';

/** Rows that one statement deletes: a short transaction. */
const FORGOTTEN_AT_ONCE_MAX = 10_000;

/** A mark as it is found. */
export interface Mark extends MarkName {
  readonly streamId: string;
  readonly data: unknown;
  /** For `heldMark` of an append. */
  readonly version: number;
}

/** What streams tell those who decide about other streams. */
export class Marks {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
  ) {}

  /** Everything that is marked under these subjects and still says something. */
  async under(subjects: readonly string[]): Promise<readonly Mark[]> {
    const rows = await this.database.execute<[string, string, string, unknown, number]>({
      name: 'marks',
      text: `SELECT k.subject, k.transaction_id, k.stream_id, k.data, k.version
             FROM ${this.schema}.marks k
             WHERE k.subject = ANY ($1::text[]) AND (k.until IS NULL OR k.until > now())`,
      values: [[...subjects]],
    });
    return rows.map(([subject, transactionId, streamId, data, version]) => ({
      ...{ subject, transactionId, streamId, data, version },
    }));
  }

  /** Deletes what says nothing any more. */
  async forgetEnded(): Promise<void> {
    for (let forgotten = FORGOTTEN_AT_ONCE_MAX; forgotten === FORGOTTEN_AT_ONCE_MAX;) {
      const [row] = await this.database.execute<[number]>({
        name: 'forget ended marks',
        text: `WITH gone AS (
                 DELETE FROM ${this.schema}.marks WHERE (subject, transaction_id) IN (
                   SELECT subject, transaction_id FROM ${this.schema}.marks
                   WHERE until <= now() LIMIT ${FORGOTTEN_AT_ONCE_MAX} FOR UPDATE SKIP LOCKED)
                 RETURNING 1)
               SELECT count(*)::int FROM gone`,
      });
      forgotten = row?.[0] ?? 0;
    }
  }
}
