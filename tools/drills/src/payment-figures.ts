import type { Sample } from './payment-flow.js';

/** What a drill's payments came to. */
export interface PaymentFigures {
  readonly sent: number;
  /** D-57: no answer, a reset, a 5xx, or any other result than the one asked of the simulator. */
  readonly failed: number;
  /** How they failed, each with how often. */
  readonly failures: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The longest time in which no payment that ended as asked was answered. */
  readonly longestGapMs: number;
}

const SERVER_ERROR = 500;
const MEDIAN = 0.5;
const NINETY_NINTH = 0.99;

/** Why a payment failed, in a word or two; undefined when it ended as asked. */
export function failureOf({ asked, attempt }: Sample): string | undefined {
  switch (attempt.kind) {
    case 'notSent':
      return 'connection refused';
    case 'indefinite':
      return attempt.why;
    case 'answered':
      if (attempt.status >= SERVER_ERROR) return `HTTP ${attempt.status} ${attempt.code}`.trim();
      return attempt.code === asked ? undefined : `answered ${attempt.code || 'without a code'}`;
  }
}

/** The figures of payments that have all ended. */
export function paymentFigures(samples: readonly Sample[]): PaymentFigures {
  const failures: Record<string, number> = {};
  for (const sample of samples) {
    const failure = failureOf(sample);
    if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1;
  }
  const times = samples.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
  const paid = samples.filter((sample) => failureOf(sample) === undefined);
  return {
    sent: samples.length,
    failed: samples.length - paid.length,
    failures,
    p50Ms: quantile(times, MEDIAN),
    p99Ms: quantile(times, NINETY_NINTH),
    maxMs: times.at(-1) ?? 0,
    longestGapMs: longestGap(paid.map(({ sentAtMs, tookMs }) => sentAtMs + tookMs)),
  };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function longestGap(answeredAtMs: readonly number[]): number {
  const sorted = [...answeredAtMs].sort((one, other) => one - other);
  let longest = 0;
  for (let index = 1; index < sorted.length; index += 1) {
    longest = Math.max(longest, (sorted[index] ?? 0) - (sorted[index - 1] ?? 0));
  }
  return longest;
}
