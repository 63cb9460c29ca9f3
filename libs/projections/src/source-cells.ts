import { Client } from 'pg';
import type { RebuildSource } from './rebuild-options.js';

/** A chain shard has four hex digits (D-01). */
const EVERY_SHARD = '{[0,65536)}';

/** One database of the owner's event store, open for reading. */
export interface SourceCell {
  readonly client: Client;
  /** The shards that are read there, as PostgreSQL writes them; absent: all. */
  readonly shards?: string;
}

/** In the order of streams by the index: a sort of everything would not fit into memory. */
const READING =
  'SET default_transaction_read_only = on; SET enable_sort = off; SET enable_seqscan = off; SET jit = off';

/**
 * Opens all databases of a store. Each shard is read where it is carried now: if it moves before it
 * is read, the comparison of heads has to find what is missing (`haveShardsMoved`). Throws while a
 * shard is carried nowhere.
 */
export async function openSource(source: RebuildSource): Promise<readonly SourceCell[]> {
  const { url, schema, otherCells = [] } = source;
  const clients: Client[] = [];
  try {
    for (const address of [url, ...otherCells]) clients.push(await connected(address));
    if (otherCells.length === 0) return clients.map((client) => ({ client }));
    const cells = await Promise.all(
      clients.map(async (client) => ({ client, shards: await carriedBy(client, schema) })),
    );
    const [first] = clients;
    if (first !== undefined) await assertWhole(first, cells);
    return cells;
  } catch (error) {
    await closeSource(clients.map((client) => ({ client })));
    throw error;
  }
}

/**
 * Whether some shard is carried elsewhere by now. Then a part of it may have been read nowhere: the
 * cell that had it has cleared it, and the one that has it was read without it.
 */
export async function haveShardsMoved(
  cells: readonly SourceCell[],
  schema: string,
): Promise<boolean> {
  for (const { client, shards } of cells) {
    if (shards !== undefined && shards !== (await carriedBy(client, schema))) return true;
  }
  return false;
}

/** Ends the connections. */
export async function closeSource(cells: readonly SourceCell[]): Promise<void> {
  await Promise.all(cells.map(({ client }) => client.end()));
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'sluice-rebuild' });
  // A lost connection fails the current statement; without a listener it would also end the
  // process.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(READING);
  return client;
}

async function carriedBy(client: Client, schema: string): Promise<string> {
  const text = `SELECT carried::text FROM ${schema}.carried_shards`;
  const { rows } = await client.query<{ carried: string }>(text);
  return rows[0]?.carried ?? '{}';
}

async function assertWhole(client: Client, cells: readonly Required<SourceCell>[]): Promise<void> {
  const text = `SELECT range_agg(r)::text AS carried,
      sum(upper(r) - lower(r)) = 65536 AS "isOnce"
    FROM unnest($1::int4multirange[]) AS cell, unnest(cell) AS r`;
  const { rows } = await client.query<{ carried: string; isOnce: boolean }>(text, [
    cells.map(({ shards }) => shards),
  ]);
  if (rows[0]?.carried === EVERY_SHARD && rows[0].isOnce) return;
  throw new Error(
    'The given databases do not carry every shard once: a move is under way, or PAYMENTS_READER_DATABASE_URL lacks one.',
  );
}
