import {
  commandTopicOf,
  declareCommands,
  declaredTopics,
  type TopicDeclaration,
} from './topics.js';

/** The service whose streams may lie in several databases, each with instances of its own (page 0047). */
export const SERVICE_OF_CELLS = 'payments';

/** The cell that every installation begins with. */
export const FIRST_CELL = 1;

/** The cell that manifests can add to an installation. */
export const SECOND_CELL = 2;

/** A cell takes 48 partitions of Kafka, and edge asks each of them for its shards. */
export const CELLS_MAX = 64;

/**
 * What a cell is called where services are: as the destination of commands and queries, and in the
 * names of its topics and groups. The first one is called like the service.
 */
export function cellName(service: string, cell: number): string {
  return cell === FIRST_CELL ? service : `${service}.${String(cell)}`;
}

/** What the workload of a service, its Service and its secrets are called in a cell. */
export function workloadOfCell(service: string, cell: number): string {
  return cell === FIRST_CELL ? service : `${service}-${String(cell)}`;
}

/** Every topic of an installation with so many cells. */
export function topicsOfCells(cells: number): readonly TopicDeclaration[] {
  const others = Array.from({ length: cells - FIRST_CELL }, (_, index) => index + FIRST_CELL + 1);
  return [
    ...declaredTopics,
    ...others.flatMap((cell) => declareCommands(commandTopicOf(cellName(SERVICE_OF_CELLS, cell)))),
  ];
}

/** Nothing was recorded or found, because another cell has the shard: ask that one. */
export interface Elsewhere {
  readonly kind: 'elsewhere';
}

/** The reply and the answer of a cell that does not carry the shard it was asked about. */
export const ELSEWHERE: Elsewhere = { kind: 'elsewhere' };

/** Whether a reply or an answer says that another cell has to be asked. */
export function isElsewhere(said: unknown): said is Elsewhere {
  return typeof said === 'object' && said !== null && 'kind' in said && said.kind === 'elsewhere';
}

/** The query `payments.carriedShards`: which shards a cell carries. */
export type CarriedShardsQuery = Readonly<Record<string, never>>;

/** Its answer; the numbers of shards from the first to the last, both of them included. */
export interface CarriedShardsAnswer {
  readonly cell: number;
  readonly carried: readonly (readonly [first: number, last: number])[];
  /** Those among them that begin no transaction any more, because they are about to leave. */
  readonly closing: readonly (readonly [first: number, last: number])[];
}
