import { spreadOf } from './pairs.js';
import { tableLines } from './text-table.js';
import { percent } from './against.js';

/** The other commit's build, and this one. */
export type Build = 'other' | 'this';

/** A figure of both builds, from the same minute. */
export type BuildPair = Readonly<Record<Build, number>>;

/** The figures of both builds in pairs, and by how much they differ, as lines of a table. */
export function buildLines(
  title: string,
  figures: readonly (readonly [name: string, pairs: readonly BuildPair[]])[],
): readonly string[] {
  const rows = figures.map(([name, pairs]) => {
    const share = spreadOf(pairs.map((pair) => pair.this / pair.other - 1));
    const median = (build: Build): string =>
      shownFigure(spreadOf(pairs.map((pair) => pair[build])).median);
    return [
      ...[name, median('other'), median('this'), percent(share.median)],
      `${percent(share.low)} to ${percent(share.high)}`,
    ];
  });
  const count = figures[0]?.[1].length ?? 0;
  const { confidence } = spreadOf(Array.from({ length: count }, () => 0));
  const sure = `intervals sure with ${(100 * confidence).toFixed(1)} %`;
  return [
    `\n## ${title}, medians of ${count} pairs, ${sure}`,
    ...tableLines(['figure', 'other', 'this', 'difference', 'its interval'], rows),
  ];
}

/** Seconds have two decimals, microseconds none. */
function shownFigure(value: number): string {
  return value < 100 ? value.toFixed(2) : value.toFixed(0);
}
