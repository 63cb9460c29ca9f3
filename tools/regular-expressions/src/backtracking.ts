import { checkSync } from 'recheck';

/** How long one expression may be looked at; the slowest of ours needs half a second of a free core. */
const TIMEOUT_MS = 60_000;

/** The verdict on one expression: `undefined` when its time grows at most in line with the input. */
export function backtrackingProblem(source: string, flags: string): string | undefined {
  // A fixed seed: the same expression gets the same verdict in every run.
  const verdict = checkSync(source, flags, { timeout: TIMEOUT_MS, randomSeed: 1 });
  switch (verdict.status) {
    case 'safe':
      return undefined;
    case 'vulnerable':
      return `${verdict.complexity.summary} time, for example with ${verdict.attack.pattern}`;
    case 'unknown':
      return `it could not be judged (${verdict.error.kind})`;
  }
}
