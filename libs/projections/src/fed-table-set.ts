import type { Pool } from 'pg';
import type { Projection } from './projection.js';
import { RecentStreams } from './recent-streams.js';
import { type TableSetStatements, tableSetStatements } from './table-set.js';

/** A table set that is fed, with the statements made for it. */
export interface FedTableSet {
  readonly id: number;
  readonly schema: string;
  readonly projection: Projection;
  readonly statements: TableSetStatements;
  /** What this process has just written, so that it need not be read again. */
  readonly recent: RecentStreams;
}

/** Makes the handle of a table set. */
export function fedTableSet(projection: Projection, schema: string, id: number): FedTableSet {
  const statements = tableSetStatements(projection, schema, id);
  return { id, schema, projection, statements, recent: new RecentStreams() };
}

/** The versions of these streams in the rows; streams without rows are missing. */
export async function versionsOf(
  pool: Pick<Pool, 'query'>,
  set: FedTableSet,
  streamIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await pool.query<[string, number]>({
    name: statementName(set, 'versions'),
    text: set.statements.selectVersions,
    values: [streamIds],
    rowMode: 'array',
  });
  return new Map(rows);
}

/** Which of these streams have events that could not be folded. */
export async function parkedStreams(
  pool: Pool,
  { id, schema }: FedTableSet,
  streamIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const text = `SELECT DISTINCT stream_id FROM ${schema}.parked
    WHERE table_set = $1 AND stream_id = ANY ($2)`;
  const query = { name: 'parked streams', text, values: [id, streamIds] };
  const { rows } = await pool.query<{ stream_id: string }>(query);
  return new Set(rows.map(({ stream_id: streamId }) => streamId));
}

/** The name of a prepared statement; a service's projections are all in one schema. */
export function statementName({ id }: Pick<FedTableSet, 'id'>, what: string): string {
  return `table set ${String(id)} ${what}`;
}
