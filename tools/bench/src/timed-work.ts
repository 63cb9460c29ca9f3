/** Times of some work, in microseconds. */
export interface Times {
  /** By the clock: on a machine with other work, the figure of a machine without. */
  readonly best: number;
  readonly median: number;
  /** Of the process, its collector of garbage included: other work does not alter it. */
  readonly cpu: number;
}

const WARM_UP_MS = 1_000;
const RUNS = 60;
const MICROSECONDS = 1_000;

/**
 * Warms up, and measures many runs.
 * @param repeated how often a run does it: what is quick needs many for the clock
 */
export function timesOf(work: () => unknown, repeated: number): Times {
  const warmUntil = performance.now() + WARM_UP_MS;
  while (performance.now() < warmUntil) work();
  const before = process.cpuUsage();
  const runs = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    for (let run = 0; run < repeated; run += 1) work();
    return ((performance.now() - startedAt) * MICROSECONDS) / repeated;
  });
  const { user, system } = process.cpuUsage(before);
  return {
    best: Math.min(...runs),
    median: runs.toSorted((left, right) => left - right)[RUNS / 2] ?? 0,
    cpu: (user + system) / (RUNS * repeated),
  };
}

/** Microseconds as tables have them. */
export function rounded(microseconds: number): string {
  return microseconds < 100 ? microseconds.toFixed(1) : String(Math.round(microseconds));
}
