import type { CarriedShards } from './cells/carried-shards.js';
import type { Database } from './database.js';

/** A wrapped key, or `erased`: there will never be one again. */
export type PersonalKeyRow = Buffer | 'erased';

/** When the personal data of a stream was erased. */
export interface Erasure {
  readonly streamId: string;
  readonly erasedAtMs: number;
  /** Whether this call erased it, or an earlier one. */
  readonly now: boolean;
}

/**
 * The wrapped keys of streams' personal data. What is erased leaves an empty row behind, so that
 * nobody makes a new key for data that arrives afterwards.
 */
export class PersonalKeys {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly shards?: CarriedShards,
  ) {}

  /** Of one stream; undefined while it has none. */
  async of(streamId: string): Promise<PersonalKeyRow | undefined> {
    const [row] = await this.database.execute<[Buffer | null]>({
      name: 'personal key',
      text: `SELECT wrapped FROM ${this.schema}.personal_keys WHERE stream_id = $1`,
      values: [streamId],
    });
    if (row === undefined) return undefined;
    return row[0] ?? 'erased';
  }

  /** Of several streams, by stream; those erased are missing. @throws ShardElsewhere */
  async ofAll(streamIds: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const look = async (): Promise<ReadonlyMap<string, Buffer>> => {
      const rows = await this.database.execute<[string, Buffer]>({
        name: 'personal keys',
        text: `SELECT stream_id, wrapped FROM ${this.schema}.personal_keys
               WHERE stream_id = ANY ($1::text[]) AND wrapped IS NOT NULL`,
        values: [streamIds],
      });
      return new Map(rows);
    };
    // A key that has moved must not be taken for one that was destroyed.
    const missing = (keys: ReadonlyMap<string, Buffer>): readonly string[] =>
      streamIds.filter((streamId) => !keys.has(streamId));
    return this.shards?.certain(look, missing) ?? look();
  }

  /** When a stream's data was erased, milliseconds since the epoch; undefined if it was not. */
  async erasedAtMs(streamId: string): Promise<number | undefined> {
    const [row] = await this.database.execute<[Date | null]>({
      name: 'erased at',
      text: `SELECT erased_at FROM ${this.schema}.personal_keys WHERE stream_id = $1`,
      values: [streamId],
    });
    return row?.[0]?.getTime();
  }

  /**
   * Destroys a stream's key, so that nobody can read its personal data any more. Repeating it is
   * harmless. Only the owner of the tables may do it.
   */
  async erase(streamId: string): Promise<Erasure> {
    const rows = await this.database.execute<[Date]>({
      name: 'erase personal key',
      text: `INSERT INTO ${this.schema}.personal_keys AS k (stream_id, wrapped, erased_at)
             VALUES ($1, NULL, now())
             ON CONFLICT (stream_id) DO UPDATE SET wrapped = NULL, erased_at = now()
               WHERE k.erased_at IS NULL
             RETURNING k.erased_at`,
      values: [streamId],
    });
    const erasedAtMs = rows[0]?.[0].getTime() ?? (await this.erasedAtMs(streamId));
    if (erasedAtMs === undefined) throw new Error(`Stream ${streamId} has a key after all`);
    return { streamId, erasedAtMs, now: rows.length > 0 };
  }
}
