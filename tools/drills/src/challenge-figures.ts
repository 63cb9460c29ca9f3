import type { ChallengedPayment } from './challenges.js';

/** What shoppers at their issuers came to. */
export interface ChallengeFigures {
  readonly challenges: number;
  /** How many of them were answered while something was being updated. */
  readonly meanwhile: number;
  readonly failed: number;
  /** How they failed, each with how often. */
  readonly failures: Readonly<Record<string, number>>;
  /** The longest time from a shopper's answer until the merchant knew. */
  readonly longestMs: number;
}

/** The figures of challenges that have all ended. */
export function challengeFigures(payments: readonly ChallengedPayment[]): ChallengeFigures {
  const failures: Record<string, number> = {};
  for (const { failure, tookMs } of payments) {
    const why = failure ?? (tookMs === undefined ? 'its shopper never answered' : undefined);
    if (why !== undefined) failures[why] = (failures[why] ?? 0) + 1;
  }
  return {
    ...{ challenges: payments.length, failures },
    meanwhile: payments.filter(({ isMeanwhile }) => isMeanwhile).length,
    failed: Object.values(failures).reduce((sum, times) => sum + times, 0),
    longestMs: Math.max(0, ...payments.map(({ tookMs = 0 }) => tookMs)),
  };
}
