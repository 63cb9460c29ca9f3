import type { GrowthPair, GrowthRun, GrowthRung } from './grow.js';
import { linePicture } from './line-picture.js';
import { type Spread, spreadOf } from './pairs.js';
import { perCpuSecond } from './payment-reads.js';
import { tableLines } from './text-table.js';

/** A figure of a run, which both stores have. */
interface RunFigure {
  readonly name: string;
  readonly of: (run: GrowthRun) => number;
  readonly digits?: number;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

const RATE: RunFigure = {
  name: 'payments per CPU-second',
  of: ({ paid }) => paid.paymentsPerCpuSecond,
};
const GETS: RunFigure = { name: 'GETs per CPU-second', of: ({ gets }) => perCpuSecond(gets) };
const QUERIES: RunFigure = {
  name: 'queries per CPU-second',
  of: ({ queries }) => perCpuSecond(queries),
};
const GET_P99: RunFigure = { name: 'GET p99, ms', of: ({ gets }) => gets.load.p99Ms, digits: 1 };

const RUN_FIGURES: readonly RunFigure[] = [
  RATE,
  { name: 'payment p50, ms', of: ({ paid }) => paid.load.p50Ms, digits: 1 },
  { name: 'payment p99, ms', of: ({ paid }) => paid.load.p99Ms, digits: 1 },
  GETS,
  { name: 'GET p50, ms', of: ({ gets }) => gets.load.p50Ms, digits: 1 },
  GET_P99,
  QUERIES,
  { name: 'query p50, ms', of: ({ queries }) => queries.load.p50Ms, digits: 1 },
  { name: 'query p99, ms', of: ({ queries }) => queries.load.p99Ms, digits: 1 },
];

const STORE_FIGURES: readonly (readonly [name: string, of: (rung: GrowthRung) => string])[] = [
  ['failed', ({ pairs }) => whole(failuresOf(pairs))],
  ['bytes of tables, a payment', ({ store, payments }) => whole(store.tableBytes / payments)],
  ['bytes of indexes, a payment', ({ store, payments }) => whole(store.indexBytes / payments)],
  ['tables and indexes, MB', ({ store }) => whole((store.tableBytes + store.indexBytes) / 1e6)],
  ['runs of autovacuum meanwhile', ({ autovacuums }) => whole(autovacuums)],
  ['memory of PostgreSQL, MB', ({ store }) => whole(store.postgresBytes / 1e6)],
  ['of it shared buffers, MB at most', ({ store }) => whole(store.sharedBufferBytes / 1e6)],
  ['memory of Node, MB', ({ store }) => whole(store.nodeBytes / 1e6)],
  ['filling, s', ({ filling }) => filling.seconds.toFixed(1)],
  ['vacuum after it, s', ({ filling }) => filling.vacuumSeconds.toFixed(1)],
];

/** What the largest store may be of the small one beside it. */
const BARS = [
  { figure: RATE, isMet: (ratio: number) => ratio >= 0.85, bar: 'at least 0.85' },
  { figure: GET_P99, isMet: (ratio: number) => ratio <= 1.3, bar: 'at most 1.3' },
];

/** All figures; in brackets what they are of those of the small store beside it. */
export function growthLines(rungs: readonly GrowthRung[]): readonly string[] {
  const last = rungs.at(-1);
  if (last === undefined) return [];
  const bars = BARS.map(({ figure, isMet, bar }) => {
    const { median, low, high } = ratioOf(figure, last);
    const ratio = `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
    return `${figure.name}: ${ratio} of the small store's, wanted ${bar}: ${isMet(median) ? 'met' : 'MISSED'}`;
  });
  return [
    ...tableLines(
      ['payments in the store', ...rungs.map(({ filling }) => whole(filling.payments))],
      [
        ...RUN_FIGURES.map((figure) => [figure.name, ...rungs.map((rung) => shown(figure, rung))]),
        ...STORE_FIGURES.map(([name, of]) => [name, ...rungs.map(of)]),
      ],
    ),
    '',
    ...bars,
  ];
}

/** What changes with the size, as shares of the small store's: an SVG. */
export function growthPicture(rungs: readonly GrowthRung[]): string {
  return linePicture({
    title: 'The same work with more payments in the store, as a share of a small store beside it',
    steps: rungs.map(({ filling }) => whole(filling.payments)),
    lines: [RATE, GETS, QUERIES, GET_P99].map((figure) => ({
      name: figure.name,
      values: rungs.map((rung) => ratioOf(figure, rung).median),
    })),
  });
}

function ratioOf({ of }: RunFigure, { pairs }: GrowthRung): Spread {
  return spreadOf(pairs.map(({ grown, small }) => of(grown) / of(small)));
}

function shown(figure: RunFigure, rung: GrowthRung): string {
  const { digits = 0, of } = figure;
  const { median } = spreadOf(rung.pairs.map(({ grown }) => of(grown)));
  const value = digits === 0 ? whole(median) : median.toFixed(digits);
  return `${value} (${ratioOf(figure, rung).median.toFixed(2)})`;
}

function failuresOf(pairs: readonly GrowthPair[]): number {
  const runs = pairs.flatMap(({ grown, small }) => [grown, small]);
  const loads = runs.flatMap(({ paid, gets, queries }) => [paid.load, gets.load, queries.load]);
  return loads.reduce((sum, { errors }) => sum + errors, 0);
}
