import {
  calledBy,
  FIRST_CELL,
  SERVICE_OF_CELLS,
  type ServiceName,
  serviceNames,
  workloadOfCell,
} from '@sluice/contracts';
import { cellsIn } from '../cell-workloads.js';
import { nameOf } from '../json-schema.js';
import {
  containersOf,
  environmentOf,
  type Manifests,
  servicesOf,
  type Workload,
  workloadName,
} from '../manifests.js';

const VARIABLE = 'PAYMENTS_CELLS';
const BETWEEN_CELLS = ';';
const BETWEEN_INSTANCES = ',';

const ASKING: readonly string[] = serviceNames.filter((name: ServiceName) =>
  calledBy(name).includes(SERVICE_OF_CELLS),
);

/** Whoever asks payments knows where each cell is: what lies in one that nobody told it of is never found. */
export function cellsAreTold(manifests: Manifests): readonly string[] {
  const cells = cellsIn(manifests);
  if (cells === FIRST_CELL) return [];
  const wanted = Array.from({ length: cells }, (_, index) =>
    workloadOfCell(SERVICE_OF_CELLS, index + FIRST_CELL),
  ).join(BETWEEN_CELLS);
  return servicesOf(manifests)
    .filter((workload) => ASKING.includes(workloadName(workload)))
    .filter((workload) => toldCells(manifests, workload) !== wanted)
    .map((one) => `${nameOf(one)}: ${VARIABLE} must lead to ${wanted}, in this order`);
}

/** The Services that its addresses lead to. */
function toldCells(manifests: Manifests, workload: Workload): string {
  return containersOf(workload)
    .flatMap((container) => environmentOf(manifests, container).get(VARIABLE) ?? [])
    .flatMap((text) => text.split(BETWEEN_CELLS))
    .map((cell) => [...new Set(cell.split(BETWEEN_INSTANCES).map(serviceAt))].join())
    .join(BETWEEN_CELLS);
}

function serviceAt(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : url;
  return host.split('.', 1)[0] ?? '';
}
