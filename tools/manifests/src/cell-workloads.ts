import {
  FIRST_CELL,
  SERVICE_OF_CELLS,
  type ServiceName,
  serviceNames,
  tablesReachedBy,
} from '@sluice/contracts';
import { type Manifests, workloadsOf } from './manifests.js';

/** What each cell of payments has of its own: whoever comes to its tables (page 0047). */
export const cellServices: readonly ServiceName[] = serviceNames.filter((name) =>
  tablesReachedBy(name).includes(SERVICE_OF_CELLS),
);

/** Each cell has a database of its own as well. */
const NUMBERED = [...cellServices, 'postgres'];
const OF_CELL = /^([a-z-]{1,40})-([2-9]|[1-6][0-9])$/;

/** The service that a workload is an instance of: `payments` for `payments-2`. */
export function serviceOf(workload: string): string {
  const [, service = ''] = OF_CELL.exec(workload) ?? [];
  return NUMBERED.includes(service) ? service : workload;
}

/** The number of the cell that a workload belongs to; what is in no cell is counted to the first. */
export function cellOf(workload: string): number {
  const [, service = '', cell] = OF_CELL.exec(workload) ?? [];
  return NUMBERED.includes(service) ? Number(cell) : FIRST_CELL;
}

/** How many cells of payments an overlay has. */
export function cellsIn(manifests: Manifests): number {
  const numbers = workloadsOf(manifests)
    .map(({ metadata }) => metadata.name)
    .filter((name) => serviceOf(name) === SERVICE_OF_CELLS)
    .map(cellOf);
  return Math.max(FIRST_CELL, ...numbers);
}
