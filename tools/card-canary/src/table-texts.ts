import type { ClientBase } from 'pg';

const ROWS_MAX = 100_000;

const TABLES = `
  SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name
  FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
  ORDER BY 1`;

/** Every table of the database as text, one row a line: what TOAST compresses on disk is plain here. */
export async function* tableTexts(
  client: ClientBase,
): AsyncGenerator<{ readonly table: string; readonly text: string }> {
  const { rows: tables } = await client.query<{ name: string }>(TABLES);
  for (const { name } of tables) {
    const dump = `SELECT t::text AS row FROM ${name} t LIMIT ${String(ROWS_MAX)}`;
    const { rows } = await client.query<{ row: string }>(dump);
    if (rows.length === ROWS_MAX) throw new Error(`${name} is too large to be read whole`);
    yield { table: name, text: rows.map(({ row }) => row).join('\n') };
  }
}
