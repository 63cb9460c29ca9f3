import { FIRST_CELL, topicsOfCells } from '@sluice/contracts';
import { divideShards, migrations } from '@sluice/event-store';
import { type InstallationDatabase, SettingRefused } from '@sluice/local-installation';
import { migrate } from '@sluice/service';
import { Pool } from 'pg';
import { type ClusterKafka, withTopics } from './kept-kafka.js';
import type { ClusterSettings } from './settings.js';

/** Where the owner addresses of all cells are, for `sluice cells`. */
const OWNER_URLS = 'PAYMENTS_CELL_OWNER_DATABASE_URLS';

/** Throws SettingRefused where there is no server in which databases could be made. */
export function assertCellsPossible({ cells = FIRST_CELL, databaseUrl }: ClusterSettings): void {
  if (cells === FIRST_CELL || databaseUrl === undefined) return;
  throw new SettingRefused(
    '--cells (SLUICE_CELLS) needs a database for each cell, which this makes in its own PostgreSQL ' +
      'alone: leave out --database (DATABASE_URL).',
  );
}

/**
 * Before payments is started in several cells: their tables, an equal part of all shards for each in
 * a new folder, and their topics. A cell that is added later carries nothing until shards are moved
 * to it.
 */
export async function prepareCells(
  { cells }: Pick<InstallationDatabase, 'cells'>,
  { brokers }: Pick<ClusterKafka, 'brokers'>,
): Promise<void> {
  if (cells.length === FIRST_CELL) return;
  for (const [index, { ownerUrl: url, schema, appRole }] of cells.entries()) {
    const steps = migrations({ schema, appRole, cell: index + FIRST_CELL });
    await migrate({ url, schema, migrations: steps, appRole });
  }
  const pools = cells.map(({ ownerUrl }) => new Pool({ connectionString: ownerUrl, max: 1 }));
  try {
    await divideShards(
      pools.map((owner, index) => ({ owner, schema: cells[index]?.schema ?? '' })),
    );
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
  await withTopics(brokers, { declarations: topicsOfCells(cells.length) });
}

/** How `sluice` comes to the cells; nothing where there is one. */
export function cellVariables({
  cells,
}: Pick<InstallationDatabase, 'cells'>): Readonly<Record<string, string>> {
  if (cells.length === FIRST_CELL) return {};
  return { [OWNER_URLS]: cells.map(({ ownerUrl }) => ownerUrl).join(' ') };
}
