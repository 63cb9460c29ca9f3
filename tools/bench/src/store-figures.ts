import { runningPostgres } from '@sluice/embedded-postgres';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { pidsOfParts } from './cpu-usage.js';
import type { InstallationUnderTest } from './installation-under-test.js';
import { residentBytes } from './process-usage.js';

/** How large a store is, and what keeps it in order. */
export interface StoreFigures {
  readonly tableBytes: number;
  readonly indexBytes: number;
  /** Runs of autovacuum so far, ANALYZE included. */
  readonly autovacuums: number;
  /** What PostgreSQL has set aside for pages, and what all of its processes have together. */
  readonly sharedBufferBytes: number;
  readonly postgresBytes: number;
  readonly nodeBytes: number;
}

const KIBIBYTE = 1_024;

/** Looks at the store of an installation, as its database's administrator. */
export async function storeFigures(installation: InstallationUnderTest): Promise<StoreFigures> {
  const url = new URL((await runningPostgres(installation.dataFolder)) ?? '');
  url.pathname = '/sluice';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(FIGURES);
  await client.end();
  const figure = (name: string): number => Number(rows[0]?.[name]);
  const postgres = pidsOfParts(installation).get('postgres') ?? [];
  return {
    ...{ tableBytes: figure('tables'), indexBytes: figure('indexes') },
    autovacuums: figure('autovacuums'),
    sharedBufferBytes: figure('buffers'),
    postgresBytes: postgres.reduce((sum, pid) => sum + proportionalBytes(pid), 0),
    nodeBytes: residentBytes(installation.pid),
  };
}

/** A process's memory, of which shared pages count by the part that is its own. */
function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s*([0-9]+)/m.exec(rollup)?.[1] ?? 0) * KIBIBYTE;
  } catch {
    return 0; // It has ended meanwhile.
  }
}

const FIGURES = `
  SELECT sum(pg_table_size(relid)) AS tables, sum(pg_indexes_size(relid)) AS indexes,
    sum(autovacuum_count + autoanalyze_count) AS autovacuums,
    (SELECT setting::bigint * 8192 FROM pg_settings WHERE name = 'shared_buffers') AS buffers
  FROM pg_stat_user_tables WHERE schemaname IN ('payments', 'reporting')`;
