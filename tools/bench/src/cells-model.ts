import { seededRandom } from '@sluice/testing/programs';

/** CPU of one payment in each part of an installation that is nearly full, in ms. */
export interface PartCosts {
  readonly edge: number;
  readonly payments: number;
  /** PostgreSQL of a cell: two appends and the outbox. */
  readonly cellDatabase: number;
  readonly relay: number;
  readonly reporting: number;
  readonly reportingDatabase: number;
  readonly kafka: number;
}

/** Near what the ladder shows of a full machine; what is assumed is in docs/explanation/cells.md. */
export const measuredCosts: PartCosts = {
  edge: 0.5,
  payments: 0.5,
  cellDatabase: 0.4,
  relay: 0.2,
  reporting: 0.1,
  reportingDatabase: 0.12,
  kafka: 0.2,
};

/** Cores that each part has, with as many instances as it can use. */
export interface Hardware {
  readonly coresOfDatabase: number;
  readonly coresOfKafka: number;
}

/** What one part can carry, in payments a second. */
export interface Limit {
  readonly part: string;
  readonly perSecond: number;
}

/** What simulated cells carry. */
export interface Carried {
  /** Payments a second with a 99th percentile of the wait below 50 ms. */
  readonly perSecond: number;
  /** How much more than the mean the busiest cell had, as a share of it. */
  readonly imbalance: number;
}

/** D-02: a partition of replies for each instance. */
const EDGES_MAX = 32;
/** D-15: partitions of a cell's command topic, and of the topic of events. */
const WORK_PARTITIONS = 24;
/** One process of Node.js uses one core. */
const CORES_OF_PROCESS = 1;
/** Above this a queue's wait grows without need. */
const UTILIZATION_MAX = 0.7;
const MS_PER_S = 1_000;

/** What each part can carry at 70 % of its cores. */
export function limitsOf(cells: number, hardware: Hardware, costs = measuredCosts): Limit[] {
  const { coresOfDatabase, coresOfKafka } = hardware;
  const carries = (cores: number, cost: number): number =>
    Math.floor((UTILIZATION_MAX * cores * MS_PER_S) / cost);
  const parts: readonly (readonly [string, number, number])[] = [
    ['databases of the cells', cells * coresOfDatabase, costs.cellDatabase],
    ['payments, all partitions', cells * WORK_PARTITIONS * CORES_OF_PROCESS, costs.payments],
    ['edge, all reply partitions', EDGES_MAX * CORES_OF_PROCESS, costs.edge],
    ['reporting, all partitions', WORK_PARTITIONS * CORES_OF_PROCESS, costs.reporting],
    ["reporting's one database", coresOfDatabase, costs.reportingDatabase],
    ['Kafka', coresOfKafka, costs.kafka],
  ];
  return parts
    .map(([part, cores, cost]) => ({ part, perSecond: carries(cores, cost) }))
    .sort((left, right) => left.perSecond - right.perSecond);
}

const P99_WAIT_MS = 50;
/** Simulated seconds; the wait of the slowest hundredth is steady by then. */
const SIMULATED_MS = 4_000;
/** A rung of the ladder is so much higher than the one before. */
const RUNG = 1.15;

/**
 * What so many cells carry if nothing but the cells is a limit: payments arrive at random, each draws
 * its shard, and waits in the queue of that cell's database. A seed makes it repeatable.
 */
export function simulated(
  cells: number,
  { coresOfDatabase }: Hardware,
  { seed = 'cells', costs = measuredCosts } = {},
): Carried {
  const serviceMs = costs.cellDatabase / coresOfDatabase;
  let perSecond = (cells * MS_PER_S) / serviceMs / 4;
  let imbalance = 0;
  for (;;) {
    const rung = perSecond * RUNG;
    const run = queues(cells, rung, serviceMs, seed);
    if (run.p99WaitMs > P99_WAIT_MS) return { perSecond: Math.floor(perSecond), imbalance };
    ({ imbalance } = run);
    perSecond = rung;
  }
}

function queues(cells: number, perSecond: number, serviceMs: number, seed: string) {
  const random = seededRandom(seed);
  const exponential = (mean: number): number => -mean * Math.log(1 - random.fraction());
  const freeAtMs = new Float64Array(cells);
  const counts = new Float64Array(cells);
  const waits: number[] = [];
  for (let nowMs = 0; nowMs < SIMULATED_MS; nowMs += exponential(MS_PER_S / perSecond)) {
    const cell = Math.floor(random.fraction() * cells);
    const startMs = Math.max(nowMs, freeAtMs[cell] ?? 0);
    freeAtMs[cell] = startMs + exponential(serviceMs);
    counts[cell] = (counts[cell] ?? 0) + 1;
    waits.push(startMs - nowMs);
  }
  waits.sort((left, right) => left - right);
  const mean = waits.length / cells;
  return {
    p99WaitMs: waits[Math.floor(waits.length * 0.99)] ?? 0,
    imbalance: Math.max(...counts) / mean - 1,
  };
}

/** Two machines of eight cores for each database, and three brokers of eight. */
const HARDWARE: Hardware = { coresOfDatabase: 8, coresOfKafka: 24 };
const SIZES: readonly number[] = [1, 4, 16, 64];
const LIMITS_SHOWN = 3;

/** What 1, 4, 16 and 64 cells carry, by arithmetic and by simulation: 64 take most of a minute. */
export function* modelLines(): Generator<string> {
  const { coresOfDatabase, coresOfKafka } = HARDWARE;
  yield `\nComputed from the costs in cells-model.ts, not measured: ${coresOfDatabase} cores for each database,`;
  yield `${coresOfKafka} for Kafka, as many instances as there can be, every core used to ${UTILIZATION_MAX * 100} %.`;
  for (const cells of SIZES) {
    yield `\n${cells} ${cells === 1 ? 'cell' : 'cells'}`;
    for (const { part, perSecond } of limitsOf(cells, HARDWARE).slice(0, LIMITS_SHOWN)) {
      yield `  ${part.padEnd(28)} ${perSecond}/s`;
    }
    const { perSecond, imbalance } = simulated(cells, HARDWARE);
    yield `  simulated queues of the cells ${perSecond}/s, the busiest ${(imbalance * 100).toFixed(1)} % above the mean`;
  }
}
