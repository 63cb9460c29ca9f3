/** One of the two things that are compared, and the other. */
export type Side = 'off' | 'on';

/** A figure of each side, from runs that followed each other. */
export interface Pair {
  readonly off: number;
  readonly on: number;
}

/** The middle of what pairs say, and between which two the truth is. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** How sure that is, whatever the figures are distributed like: 0.984 for seven pairs. */
  readonly confidence: number;
}

/** Nobody should believe an interval that is less sure. */
const CONFIDENCE_WANTED = 0.95;

/** Off, on, on, off, …: whatever drifts evenly adds as much to the one as to the other. */
export function orderOf<Name>(
  pair: number,
  [first, second]: readonly [Name, Name],
): readonly [Name, Name] {
  return pair % 2 === 0 ? [first, second] : [second, first];
}

/** How much lower the payments per CPU-second are, as a share; negative where they are higher. */
export function costOf({ off, on }: Pair): number {
  return 1 - on / off;
}

/**
 * The median with the narrowest interval of two of the figures that holds the true median with at
 * least 95 %; with fewer than six figures even the outermost do not, and the confidence says so.
 */
export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((left, right) => left - right);
  const count = sorted.length;
  const middle = sorted.slice(Math.floor((count - 1) / 2), Math.floor(count / 2) + 1);
  let outside = 0;
  while (confidenceWithout(outside + 1, count) >= CONFIDENCE_WANTED) outside += 1;
  return {
    median: middle.reduce((sum, figure) => sum + figure, 0) / middle.length,
    low: sorted[outside] ?? Number.NaN,
    high: sorted[count - 1 - outside] ?? Number.NaN,
    confidence: confidenceWithout(outside, count),
  };
}

/**
 * Each figure is below the true median as a coin falls. It is outside when so few are on one side of
 * it that they are all among those left out.
 */
function confidenceWithout(outside: number, count: number): number {
  if (2 * outside >= count) return 0;
  let probability = 0.5 ** count;
  let tail = 0;
  for (let below = 0; below <= outside; below += 1) {
    tail += probability;
    probability *= (count - below) / (below + 1);
  }
  return 1 - 2 * tail;
}
