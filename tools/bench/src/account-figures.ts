import type { HelpersMs, Shares } from './attribution.js';
import type { LoadResult } from './open-loop.js';
import { spreadOf } from './pairs.js';
import type { ProcessUsage } from './process-usage.js';

/** How often something happened, by what it was. */
export type Counts = ReadonlyMap<string, number>;

/** CPU in milliseconds and switches of one process, for each payment; at rest for each second. */
export interface PartFigures {
  readonly name: string;
  readonly mainUser: number;
  readonly mainKernel: number;
  /** Of all threads but the main one. */
  readonly helpers: number;
  readonly kernel: number;
  readonly all: number;
  readonly voluntarySwitches: number;
  readonly involuntarySwitches: number;
  /** Turns of the event loop; absent where it has none. */
  readonly turns?: number;
}

/** What the profiled run says of one process. */
export interface PartProfile {
  readonly shares: Shares;
  readonly helpers: HelpersMs;
}

/** The account of one rate. */
export interface Account {
  /** 0 is at rest, where everything is for each second. */
  readonly rate: number;
  readonly load?: LoadResult;
  readonly parts: readonly PartFigures[];
  readonly counts: Counts;
  /** By process; only where it was profiled. */
  readonly profiles: ReadonlyMap<string, PartProfile>;
}

/** What happened between two looks, for each of so many payments or seconds. */
export function countsBetween(before: Counts, after: Counts, units: number): Counts {
  const names = [...after.keys()];
  return new Map(
    names
      .map((name): [string, number] => [
        name,
        ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / units,
      ])
      .filter(([, figure]) => figure > 0),
  );
}

/** What remains of counts when so many seconds at rest are taken off. */
export function withoutRest(counts: Counts, atRest: Counts, secondsPerUnit: number): Counts {
  return new Map(
    [...counts].map(([name, figure]) => [
      name,
      Math.max(0, figure - (atRest.get(name) ?? 0) * secondsPerUnit),
    ]),
  );
}

/** Of several looks at the same thing: each process and each count of the look in the middle for it. */
export function middleOf(looks: readonly Account[]): Account {
  const [first] = looks;
  if (first === undefined) throw new Error('There is no look to take the middle of.');
  const names = new Set(looks.flatMap(({ counts }) => [...counts.keys()]));
  return {
    ...first,
    parts: first.parts.map((part) => {
      const same = looks.flatMap(({ parts }) => parts.filter(({ name }) => name === part.name));
      return same.sort((one, other) => one.all - other.all)[same.length >> 1] ?? part;
    }),
    counts: new Map(
      [...names].map((name): [string, number] => [
        name,
        spreadOf(looks.map(({ counts }) => counts.get(name) ?? 0)).median,
      ]),
    ),
  };
}

type Usages = ReadonlyMap<number, ProcessUsage>;

/** CPU and switches of a process between two looks, for each of so many payments or seconds. */
export function partBetween(
  name: string,
  { before, after }: { readonly before: Usages; readonly after: Usages },
  units: number,
): Omit<PartFigures, 'turns'> {
  const each = (of: keyof ProcessUsage): number => {
    // What has ended meanwhile took its switches along; its CPU is its parent's now.
    const isKept = (pid: number): boolean => !of.endsWith('Switches') || after.has(pid);
    const earlier = [...before].filter(([pid]) => isKept(pid)).map(([, usage]) => usage[of]);
    const later = [...after.values()].map((usage) => usage[of]);
    return (sum(later) - sum(earlier)) / units;
  };
  const ms = (of: keyof ProcessUsage): number => each(of) * 1_000;
  const all = ms('userSeconds') + ms('kernelSeconds');
  const [mainUser, mainKernel] = [ms('mainUserSeconds'), ms('mainKernelSeconds')];
  return {
    ...{ name, mainUser, mainKernel, all },
    helpers: Math.max(0, all - mainUser - mainKernel),
    kernel: ms('kernelSeconds'),
    voluntarySwitches: each('voluntarySwitches'),
    involuntarySwitches: each('involuntarySwitches'),
  };
}

/** CPU of all processes together, in milliseconds for each payment. */
export function cpuMsOf({ parts }: Account): number {
  return sum(parts.map(({ all }) => all));
}

function sum(figures: readonly number[]): number {
  return figures.reduce((all, figure) => all + figure, 0);
}
