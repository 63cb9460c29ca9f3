import type { TakenKey } from './append-member.js';
import { today } from './append-parts.js';
import type { CarriedShards } from './cells/carried-shards.js';
import type { Database } from './database.js';

const SECOND_MS = 1_000;
/** Sorts after every printable character of ASCII by bytes, in any encoding of the database. */
const AFTER_EVERY_KEY = '\x7f';

/** The rows of idempotency keys; they are claimed by appends and forgotten after a day or two. */
export class IdempotencyKeys {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly shards?: CarriedShards,
  ) {}

  /** What the first request under this key recorded, if the key was used within the last day. */
  async find(key: string): Promise<TakenKey | undefined> {
    return (await this.#row(key))?.taken;
  }

  /**
   * Whether the next append under this key is sure to find it used: what was recorded under it is there, and the
   * key does not end with today, which may happen before that append.
   */
  async isKept(key: string): Promise<boolean> {
    const [row] = await this.database.execute<[boolean]>({
      name: 'idempotency key that is kept',
      text: `SELECT EXISTS (SELECT FROM ${this.schema}.events e
                            WHERE e.stream_id = i.stream_id AND e.command_id = i.command_id)
             FROM ${this.schema}.idempotency i WHERE i.day = ${today(this.schema)} AND i.key = $1`,
      values: [key],
    });
    return row?.[0] ?? false;
  }

  /**
   * The transaction of the key whose text begins with `beginning`, if the key was used within the
   * last day and no other key begins so.
   * @param id one with the key's shard
   * @throws ShardElsewhere
   */
  async findTransaction(beginning: string, id: string): Promise<string | undefined> {
    const look = (): Promise<readonly [string][]> =>
      this.database.execute<[string]>({
        name: 'transaction of a key',
        text: `SELECT i.transaction_id FROM ${this.schema}.idempotency i
               WHERE i.day = ${today(this.schema)} - 1 AND i.key >= $1 AND i.key < $2 LIMIT 2`,
        values: [beginning, beginning + AFTER_EVERY_KEY],
      });
    const missing = ({ length }: readonly unknown[]): readonly string[] =>
      length === 0 ? [id] : [];
    const rows = (await this.shards?.certain(look, missing)) ?? (await look());
    return rows.length === 1 ? rows[0]?.[0] : undefined;
  }

  /**
   * As `find`, but frees a key whose claimer never recorded anything: another claim of the same
   * append failed, and its process may be dead. Otherwise the key could not be used until its day
   * is dropped.
   */
  async findOrRelease(key: string): Promise<TakenKey | undefined> {
    const row = await this.#row(key);
    if (row === undefined || row.recorded) return row?.taken;
    await this.database.execute({
      name: 'release orphaned key',
      text: `SELECT ${this.schema}.release_orphaned_key($1)`,
      values: [key],
    });
    return undefined;
  }

  /**
   * Makes the partitions of the days to come and drops those that are no longer needed. Call it at
   * the start and once an hour: days are counted by these calls. Returns how long ago, by the
   * database's clock, the last call was that counted.
   */
  async maintainPartitions(): Promise<number> {
    const [row] = await this.database.execute<[string]>({
      name: 'maintain partitions',
      text: `SELECT ${this.schema}.maintain_partitions()::text`,
    });
    return Number(row?.[0]) * SECOND_MS;
  }

  /** Every key in use has a row under yesterday: see the append statement. */
  async #row(key: string): Promise<{ taken: TakenKey; recorded: boolean } | undefined> {
    const [row] = await this.database.execute<[string, string, string, boolean]>({
      name: 'idempotency key',
      text: `SELECT i.fingerprint, i.answer::text, i.transaction_id,
                    EXISTS (SELECT FROM ${this.schema}.events e
                            WHERE e.stream_id = i.stream_id AND e.command_id = i.command_id)
             FROM ${this.schema}.idempotency i WHERE i.day = ${today(this.schema)} - 1 AND i.key = $1`,
      values: [key],
    });
    if (row === undefined) return undefined;
    const [fingerprint, answer, transactionId, recorded] = row;
    return { taken: { fingerprint, answer, transactionId }, recorded };
  }
}
