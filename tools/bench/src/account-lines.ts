import { type Account, cpuMsOf, type PartFigures } from './account-figures.js';
import { splitBySubsystem } from './attribution.js';
import type { Profile } from './installation-under-test.js';
import { tableLines } from './text-table.js';

/** Everything about one rate, as tables. */
export function accountLines(
  profile: Profile,
  account: Account,
  hasStatements: boolean,
): readonly string[] {
  const { rate, load } = account;
  const latency = load && `, p50 ${load.p50Ms.toFixed(1)} ms, p99 ${load.p99Ms.toFixed(1)} ms`;
  const title = rate === 0 ? 'at rest, for each second' : `${rate} payments/s, for each payment`;
  return [
    `\n## ${profile}, ${title}: ${cpuMsOf(account).toFixed(3)} ms of CPU${latency ?? ''}`,
    ...(load === undefined || load.errors === 0
      ? []
      : [`${load.errors} payments failed, so do not quote this: ${load.firstError ?? ''}`]),
    ...tableLines(
      ['process', 'CPU, ms', 'of it kernel', 'of it beside the main thread', ...SWITCHES],
      [...account.parts.map(partCells), partCells(togetherOf(account.parts))],
    ),
    ...subsystemLines(account),
    ...tableLines(
      ['counted', rate === 0 ? 'each second' : 'each payment'],
      [...account.counts].map(([name, figure]) => [name, shown(figure)]),
    ),
    ...(hasStatements
      ? []
      : ['\nSQL statements are not counted: this PostgreSQL has no pg_stat_statements.']),
  ];
}

/** What the tables hold, for the person who reads them. */
export const accountNotes: readonly string[] = [
  '\nProcesses and counts are from runs without a profiler. The split by subsystem is that of a second',
  "run with V8's profiler, applied to the first run's CPU of each main thread, without the kernel's",
  "part. Collection and compilation beside the main thread are the thread time of V8's own trace; the",
  "rest of those threads is Node's pool of threads (files, scrypt, names of hosts) and what V8 does not trace.",
];

const SWITCHES = ['switches, given up', 'switches, taken away', 'turns of the loop'];

function partCells(part: PartFigures): readonly string[] {
  const hasLoop = part.turns !== undefined;
  return [
    part.name,
    part.all.toFixed(3),
    part.kernel.toFixed(3),
    // Elsewhere a thread is as main as any other.
    hasLoop ? part.helpers.toFixed(3) : '',
    shown(part.voluntarySwitches),
    shown(part.involuntarySwitches),
    hasLoop ? shown(part.turns) : '',
  ];
}

function togetherOf(parts: readonly PartFigures[]): PartFigures {
  const nodes = parts.filter(({ turns }) => turns !== undefined);
  const sum = (of: (part: PartFigures) => number, from = parts): number =>
    from.reduce((all, part) => all + of(part), 0);
  return {
    name: 'all',
    all: sum(({ all }) => all),
    kernel: sum(({ kernel }) => kernel),
    mainUser: sum(({ mainUser }) => mainUser, nodes),
    mainKernel: sum(({ mainKernel }) => mainKernel, nodes),
    helpers: sum(({ helpers }) => helpers, nodes),
    voluntarySwitches: sum(({ voluntarySwitches }) => voluntarySwitches),
    involuntarySwitches: sum(({ involuntarySwitches }) => involuntarySwitches),
    turns: sum(({ turns }) => turns ?? 0, nodes),
  };
}

/** A column for each profiled process, and one for all of them; what has no JavaScript is below. */
function subsystemLines({ parts, profiles }: Account): readonly string[] {
  const columns = parts.flatMap((part) => {
    const profile = profiles.get(part.name);
    if (profile === undefined) return [];
    return [{ part, split: splitBySubsystem(part, profile.shares, profile.helpers) }];
  });
  const names = [...(columns[0]?.split.keys() ?? [])];
  if (names.length === 0) return [];
  const rows = names.map((name) =>
    cellsOf(
      name,
      columns.map(({ split }) => split.get(name) ?? 0),
    ),
  );
  const others = parts
    .filter(({ name }) => !profiles.has(name))
    .map(({ name, all }) => [name, all.toFixed(3), ...columns.map(() => '')]);
  const shownRows = rows.filter((cells) => cells[1] !== (0).toFixed(3));
  const all = cellsOf(
    'all of Node',
    columns.map(({ part }) => part.all),
  );
  const heads = columns.length > 1 ? columns.map(({ part }) => part.name) : [];
  return tableLines(
    ['subsystem', 'CPU, ms', ...heads],
    [...shownRows, all, ...others].map((cells) => cells.slice(0, 2 + heads.length)),
  );
}

function cellsOf(name: string, figures: readonly number[]): readonly string[] {
  const sum = figures.reduce((total, figure) => total + figure, 0);
  return [name, sum.toFixed(3), ...figures.map((figure) => figure.toFixed(3))];
}

/** Counts of 0.58 and of 5,000. */
export function shown(figure: number): string {
  const size = Math.abs(figure);
  if (size >= 100) return Math.round(figure).toLocaleString('en-US');
  return size >= 10 ? figure.toFixed(1) : figure.toFixed(2);
}
