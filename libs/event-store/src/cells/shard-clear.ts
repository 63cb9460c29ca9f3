import type { MoveSession } from './move-session.js';
import type { MovedShards, MoveSessions } from './move-state.js';
import type { ShardCopy } from './shard-copy.js';
import { foreignMarksDeletion } from './shard-marks.js';
import { sqlRange } from './shard-range.js';

/** Rows that one page looks at, of whatever shard: a short transaction and few dead rows at once. */
const LOOKED_AT_MAX = 2_000;

/** Ids of the range on one page of a table, and where the next page begins. */
interface IdPage {
  readonly ids: readonly string[];
  readonly last: string | null;
}

/** Told how many streams have gone, and asked whether to go on. */
export type Cleared = (streams: number) => void;

/**
 * Deletes rows of the range from one database. Pointers of the outbox go first, because one without
 * its event would never go; the heads go last, so that whoever dies here goes on.
 */
abstract class RowsOfRange {
  protected readonly schema: string;
  protected readonly range: string;

  constructor(
    /** The database that loses the rows. */
    protected readonly session: MoveSession,
    move: MovedShards,
  ) {
    this.schema = move.schema;
    this.range = sqlRange(move.shards);
  }

  /** Rows of the range leave these tables at once: they are few, or nothing else leads to them. */
  protected async deleteAtOnce(...tables: readonly string[]): Promise<void> {
    for (const table of tables) {
      await this.session.execute(
        `DELETE FROM ${this.schema}.${table}
         WHERE ${this.schema}.shard_of(stream_id) <@ $1::int4range`,
        [this.range],
      );
    }
  }

  /** Page by page along the primary key; what `work` deletes is not met again. */
  protected async walk(
    table: 'streams' | 'transactions' | 'personal_keys',
    work: (ids: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const key = table === 'transactions' ? 'transaction_id' : 'stream_id';
    let after = '';
    for (;;) {
      const { ids, last } = await this.session.row<IdPage & Record<string, unknown>>(
        `SELECT coalesce(array_agg(id) FILTER (WHERE ${this.schema}.shard_of(stream_id) <@ $2::int4range),
                         '{}') AS ids, max(id) AS last
         FROM (SELECT ${key} AS id, stream_id FROM ${this.schema}.${table} WHERE ${key} > $1
               ORDER BY ${key} LIMIT ${LOOKED_AT_MAX}) w`,
        [after, this.range],
      );
      if (last === null) return;
      if (ids.length > 0) await work(ids);
      after = last;
    }
  }

  protected async deleteRows(table: string, key: string, ids: readonly string[]): Promise<void> {
    await this.session.execute(
      `DELETE FROM ${this.schema}.${table} WHERE ${key} = ANY ($1::text[])`,
      [ids],
    );
  }

  protected deleteStreams(ids: readonly string[]): Promise<void> {
    return this.session.transaction(async () => {
      await this.deleteRows('events', 'stream_id', ids);
      await this.deleteRows('streams', 'stream_id', ids);
    });
  }
}

/** Makes the target forget what was copied for a move that is undone. */
export class ForgottenCopy extends RowsOfRange {
  async run(cleared: Cleared): Promise<void> {
    // Before anything is deleted: a copy that goes on after all has to begin anew.
    await this.session.execute(
      `UPDATE ${this.schema}.shard_moves
       SET database_transaction = '0', position = 0, claimed_before = NULL WHERE shards = $1`,
      [this.range],
    );
    await this.walk('transactions', (ids) =>
      this.deleteRows('transactions', 'transaction_id', ids),
    );
    await this.walk('personal_keys', (ids) => this.deleteRows('personal_keys', 'stream_id', ids));
    await this.walk('streams', async (ids) => {
      await this.deleteStreams(ids);
      cleared(ids.length);
    });
    // Marks come with the switch alone: those that are here came along with another range.
    await this.deleteAtOnce('idempotency');
  }
}

/** Deletes from the source what the target certainly has. */
export class ClearedSource extends RowsOfRange {
  readonly #target: MoveSession;

  constructor(
    sessions: MoveSessions,
    move: MovedShards,
    private readonly copy: ShardCopy,
  ) {
    super(sessions.source, move);
    this.#target = sessions.target;
  }

  /** @throws Error, with the stream, when the target lacks something; that page is left as it is */
  async run(cleared: Cleared): Promise<void> {
    await this.deleteAtOnce('outbox', 'outbox_parked');
    await this.walk('transactions', (ids) => this.#clearTransactions(ids));
    await this.walk('personal_keys', (ids) => this.#clearKeys(ids));
    await this.walk('streams', async (ids) => {
      await this.#assertTargetHas(ids);
      await this.deleteStreams(ids);
      cleared(ids.length);
    });
    await this.deleteAtOnce('idempotency');
    await this.session.execute(foreignMarksDeletion(this.schema), [this.range]);
  }

  /** Copied again first: an id may be claimed by an append that recorded nothing. */
  async #clearTransactions(ids: readonly string[]): Promise<void> {
    const text = `SELECT transaction_id, stream_id, command_id, begun_version,
        lookup_key::text AS lookup_key
      FROM ${this.schema}.transactions WHERE transaction_id = ANY ($1::text[])
      ORDER BY transaction_id`;
    type Row = Parameters<ShardCopy['writeTransactions']>[0][number];
    const rows = await this.session.execute<Row & Record<string, unknown>>(text, [ids]);
    await this.copy.writeTransactions(rows);
    const there = await this.#target.execute<Row & Record<string, unknown>>(text, [ids]);
    const owners = new Map(there.map((row) => [row.transaction_id, row.stream_id]));
    const lost = rows.find((row) => owners.get(row.transaction_id) !== row.stream_id);
    if (lost !== undefined) throw missing(`transaction ${lost.transaction_id}`);
    await this.deleteRows('transactions', 'transaction_id', ids);
  }

  /** Locked meanwhile, and copied again first: an erasure is never lost. */
  #clearKeys(ids: readonly string[]): Promise<void> {
    return this.session.transaction(async () => {
      type Row = Parameters<ShardCopy['writeKeys']>[0][number];
      const rows = await this.session.execute<Row & Record<string, unknown>>(
        `SELECT stream_id, wrapped, erased_at::text AS erased_at FROM ${this.schema}.personal_keys
         WHERE stream_id = ANY ($1::text[]) FOR UPDATE`,
        [ids],
      );
      await this.copy.writeKeys(rows);
      const { count } = await this.#target.row<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${this.schema}.personal_keys
         WHERE stream_id = ANY ($1::text[])`,
        [ids],
      );
      if (count !== rows.length) throw missing('keys of personal data');
      await this.deleteRows('personal_keys', 'stream_id', ids);
    });
  }

  /** The target may have later events of these streams by now; they are not compared. */
  async #assertTargetHas(ids: readonly string[]): Promise<void> {
    const here = await this.session.execute<{ stream_id: string; version: number; hash: string }>(
      hashStatement(this.schema, 's.version'),
      [ids, ids.map(() => null)],
    );
    const there = await this.#target.execute<{ stream_id: string; hash: string; version: number }>(
      hashStatement(this.schema, 'w.version'),
      [here.map((row) => row.stream_id), here.map((row) => row.version)],
    );
    const hashes = new Map(there.map((row) => [row.stream_id, row]));
    for (const { stream_id: id, version, hash } of here) {
      const found = hashes.get(id);
      if (found?.hash !== hash || found.version < version) throw missing(`events of stream ${id}`);
    }
    if (here.length !== ids.length) throw missing('events that the source has no heads for');
  }
}

/** Everything that is recorded of a stream's events up to a version, as one hash. */
function hashStatement(schema: string, upTo: string): string {
  return `SELECT s.stream_id, s.version,
      coalesce(md5(string_agg(md5(ROW(e.version, e.event_id, e.command_id, e.type, e.schema_version,
        e.recorded_at, e.data::text, e.metadata::text)::text), '' ORDER BY e.version)), '') AS hash
    FROM unnest($1::text[], $2::int[]) AS w (stream_id, version)
    JOIN ${schema}.streams s USING (stream_id)
    LEFT JOIN ${schema}.events e ON e.stream_id = s.stream_id AND e.version <= ${upTo}
    GROUP BY s.stream_id, s.version`;
}

function missing(what: string): Error {
  return new Error(
    `The target lacks ${what}. Nothing of that page was deleted in the source; what the target has is ` +
      'what counts. Keep the source, and find out why before you run this again.',
  );
}
