import { subsystems } from './attribution.js';
import { spreadOf } from './pairs.js';
import { perCpuSecond, type ReadLoad } from './payment-reads.js';
import type { ReadKind, ReadRound, ReadShares } from './reads.js';
import { tableLines } from './text-table.js';

/** Reads per CPU-second, as a part of the floor's. */
const [BAR, GOAL] = [0.5, 0.7];
const TITLES: Readonly<Record<ReadKind, string>> = {
  floor: 'floor: bare Fastify, one indexed read',
  get: 'GET /v1/payments/{id}',
  query: "GET /v3/query by the merchant's id",
};

/** All kinds of reads at one rate, and what they are of the floor. */
export function readsLines(
  rate: number,
  rounds: readonly ReadRound[],
  shares: ReadShares,
): readonly string[] {
  const failed = rounds
    .flatMap((round) => Object.values(round))
    .find(({ load }) => load.errors > 0);
  const { confidence } = spreadOf(rounds.map(() => 0));
  return [
    `\n## ${rate} reads/s, medians of ${rounds.length} rounds, intervals sure with ${(100 * confidence).toFixed(1)} %`,
    ...(failed === undefined
      ? []
      : [`Reads failed, so do not quote this: ${failed.load.firstError ?? ''}`]),
    ...tableLines(
      [
        'reads',
        'CPU, µs',
        'of it PostgreSQL',
        'per CPU-second',
        'p50, ms',
        'p99, ms',
        'of the floor',
      ],
      (['floor', 'get', 'query'] as const).map((kind) => cellsOf(kind, rounds)),
    ),
    '',
    `Wanted of the floor: ${BAR}, better ${GOAL}.`,
    ...splitLines(rounds, shares),
  ];
}

/** Where Node's CPU goes: the shares of a profiled run, applied to the CPU of the others. */
function splitLines(rounds: readonly ReadRound[], shares: ReadShares): readonly string[] {
  const kinds = [...shares.keys()];
  const nodeUs = (kind: ReadKind): number =>
    spreadOf(rounds.map((round) => cpuUs(round[kind], 'node'))).median;
  const rows = subsystems
    .map((subsystem) => kinds.map((kind) => (shares.get(kind)?.get(subsystem) ?? 0) * nodeUs(kind)))
    .map((figures, index) => [subsystems[index] ?? '', ...figures.map((us) => us.toFixed(0))])
    .filter((cells) => cells.slice(1).some((cell) => cell !== '0'));
  return tableLines(['subsystem, CPU of Node, µs', ...kinds.map((kind) => TITLES[kind])], rows);
}

function cpuUs({ cpu, load }: ReadLoad, part: string): number {
  return ((cpu.get(part) ?? 0) * 1e6) / load.answered;
}

function cellsOf(kind: ReadKind, rounds: readonly ReadRound[]): readonly string[] {
  const median = (of: (load: ReadLoad) => number): number =>
    spreadOf(rounds.map((round) => of(round[kind]))).median;
  const part = spreadOf(ratiosOf(kind, rounds));
  const mark = part.median >= BAR ? 'met' : 'MISSED';
  return [
    TITLES[kind],
    (1e6 / median(perCpuSecond)).toFixed(0),
    median((load) => cpuUs(load, 'postgres')).toFixed(0),
    median(perCpuSecond).toFixed(0),
    median(({ load }) => load.p50Ms).toFixed(2),
    median(({ load }) => load.p99Ms).toFixed(2),
    kind === 'floor'
      ? ''
      : `${part.median.toFixed(2)} (${part.low.toFixed(2)} to ${part.high.toFixed(2)}): ${mark}`,
  ];
}

/** What a kind's reads per CPU-second are of the floor's, round by round. */
export function ratiosOf(kind: ReadKind, rounds: readonly ReadRound[]): readonly number[] {
  return rounds.map((round) => perCpuSecond(round[kind]) / perCpuSecond(round.floor));
}
