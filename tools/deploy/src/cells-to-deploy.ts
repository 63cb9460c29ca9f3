import { FIRST_CELL, SECOND_CELL, SERVICE_OF_CELLS, workloadOfCell } from '@sluice/contracts';
import type { Workload } from '@sluice/kubectl';
import { DeployRefused } from './deploy-refused.js';

const OF_SECOND_CELL = workloadOfCell(SERVICE_OF_CELLS, SECOND_CELL);

/**
 * How many cells of payments the overlay gets: as many as were asked for, else as the cluster has.
 * Throws DeployRefused where one would be left behind: edge would find its payments no more.
 */
export function cellsToDeploy(
  workloads: readonly Pick<Workload, 'metadata'>[],
  wished: number | undefined,
): number {
  const hasSecond = workloads.some(({ metadata }) => metadata.name === OF_SECOND_CELL);
  const found = hasSecond ? SECOND_CELL : FIRST_CELL;
  const cells = wished ?? found;
  if (cells >= found) return cells;
  throw new DeployRefused(
    `The cluster has ${found} cells of payments, and with --cells ${cells} nobody would find the payments ` +
      'of the others. Move their shards back and delete them first, see docs/how-to/add-a-cell.md; ' +
      '"npm run deploy:local -- --reset" begins anew and deletes all data.',
  );
}

/**
 * What a release is called, after which its jobs are named. With more cells they do more, and a Job
 * cannot be changed: the same image has another name then.
 */
export function releaseOf(tag: string, cells: number): string {
  return cells === FIRST_CELL ? tag : `${tag}-cells-${String(cells)}`;
}
