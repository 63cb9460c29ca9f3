import type { Demands } from '@sluice/contracts';
import { createHash } from 'node:crypto';

/** What a token bucket is made of; `perSecond` 0 switches throttling off (D-40). */
export interface ThrottleLimits {
  readonly perSecond: number;
  /** How many requests may come at once after a quiet time. */
  readonly burst: number;
}

/** The clock of the buckets; monotonic, so that setting the wall clock does not refill them. */
export interface MonotonicClock {
  monotonicMs(): number;
}

/**
 * What is known of the other instances; all of it may be missing while accounts cannot be reached.
 */
export interface OtherInstances {
  /** How many instances there are, including this one. */
  readonly instances: number;
  /** The requests per second that each of them received, by key; none for a missing key. */
  readonly demands: Readonly<Record<string, readonly number[]>>;
}

interface Bucket {
  readonly key: string;
  tokens: number;
  filledAtMs: number;
  /** Requests since the last report, including refused ones. */
  asked: number;
  /** What was reported last: requests per second. */
  demand: number;
  /** This instance's share of the limits. */
  share: number;
}

/**
 * Pairs of credential and entity that are remembered at once. Only pairs that passed access get
 * a bucket, so nobody can fill the table from outside; beyond it the oldest is forgotten, which
 * forgives it at most one burst.
 */
const BUCKETS_MAX = 10_000;

/**
 * Keys in one report, of which there are two: 10 kB. An instance with more than that has little traffic of each, and what
 * is not reported counts as nothing at the others.
 */
const REPORTED_KEYS_MAX = 200;
/** 128 bits: no two keys of an installation meet. */
const KEY_DIGITS = 32;

/**
 * What was heard of the others holds this long, as they are asked about every two seconds. Then
 * nobody knows what they let pass, and each keeps to an even share.
 */
export const OTHERS_KNOWN_FOR_MS = 10_000;

const MS_PER_SECOND = 1000;
const ROUNDED_TO = 1000;

/**
 * One token bucket per access token and entity (Interface 7 rule 2, D-40). The limits are those of
 * all instances together. No request asks anybody: every two seconds an instance tells what it was
 * asked for and hears what the others were, and until the next time it lets pass what is its.
 */
export class Throttle {
  readonly #buckets = new Map<string, Bucket>();
  /** Those with requests since the last report. */
  #busy = new Set<Bucket>();
  #reportedAtMs: number;
  #reported = new Map<string, Bucket>();
  #shared: Bucket[] = [];
  #instances = 1;
  #heardAtMs = -Infinity;

  constructor(
    private readonly limits: ThrottleLimits,
    private readonly clock: MonotonicClock,
  ) {
    this.#reportedAtMs = clock.monotonicMs();
  }

  /** Takes one token; false means that the request is one too many. */
  admits(credentialHash: string, entityId: string): boolean {
    if (this.limits.perSecond === 0) {
      return true;
    }
    const nowMs = this.clock.monotonicMs();
    const bucket = this.#bucketOf(`${credentialHash}${entityId}`, nowMs);
    if (bucket.asked === 0) {
      this.#busy.add(bucket);
    }
    bucket.asked += 1;
    this.#fill(bucket, nowMs);
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens -= 1;
    return true;
  }

  /** What this instance was asked for since it was last told, of its busiest keys. */
  demands(): Demands {
    const nowMs = this.clock.monotonicMs();
    const seconds = (nowMs - this.#reportedAtMs) / MS_PER_SECOND;
    if (seconds <= 0) {
      return {};
    }
    const busiest = [...this.#busy].sort((left, right) => right.asked - left.asked);
    for (const bucket of busiest) {
      bucket.demand = rounded(bucket.asked / seconds);
      bucket.asked = 0;
    }
    const reported = busiest
      .slice(0, REPORTED_KEYS_MAX)
      .map((bucket) => [reportedKey(bucket.key), bucket] as const);
    this.#busy = new Set();
    this.#reported = new Map(reported);
    this.#reportedAtMs = nowMs;
    return Object.fromEntries(reported.map(([key, { demand }]) => [key, demand]));
  }

  /** Takes what the others were asked for of the keys that were reported last. */
  hear({ instances, demands }: OtherInstances): void {
    const nowMs = this.clock.monotonicMs();
    const { perSecond } = this.limits;
    const shared = new Map<Bucket, number>();
    for (const [key, others] of Object.entries(demands)) {
      const bucket = this.#reported.get(key);
      // Within the limit nobody is held to a share: a balancer may send any part of it anywhere.
      if (bucket !== undefined && total([bucket.demand, ...others]) > perSecond) {
        shared.set(bucket, fairShare(perSecond, others) / perSecond);
      }
    }
    for (const bucket of new Set([...this.#shared, ...shared.keys()])) {
      // What has been earned until now was earned at the share that it had.
      this.#fill(bucket, nowMs);
      bucket.share = shared.get(bucket) ?? 1;
    }
    this.#shared = [...shared.keys()];
    this.#instances = instances;
    this.#heardAtMs = nowMs;
  }

  #bucketOf(key: string, nowMs: number): Bucket {
    const known = this.#buckets.get(key);
    if (known) {
      return known;
    }
    if (this.#buckets.size >= BUCKETS_MAX) {
      const oldest = this.#buckets.keys().next();
      if (!oldest.done) {
        this.#buckets.delete(oldest.value);
      }
    }
    const bucket = { key, tokens: Infinity, filledAtMs: nowMs, asked: 0, demand: 0, share: 1 };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #fill(bucket: Bucket, nowMs: number): void {
    const share =
      nowMs - this.#heardAtMs > OTHERS_KNOWN_FOR_MS ? 1 / this.#instances : bucket.share;
    const earned = ((nowMs - bucket.filledAtMs) * this.limits.perSecond * share) / MS_PER_SECOND;
    const burst = Math.max(1, this.limits.burst * share);
    bucket.tokens = Math.min(burst, bucket.tokens + earned);
    bucket.filledAtMs = nowMs;
  }
}

/**
 * What one instance may let pass of a limit when the others are asked for so much: all that they
 * leave, and where all want more than there is, as much as each of them. Never less than an even
 * share, and what all instances find so for themselves is the limit together.
 */
export function fairShare(limit: number, others: readonly number[]): number {
  let left = limit;
  let sharing = others.length + 1;
  for (const demand of [...others].sort((one, other) => one - other)) {
    if (demand * sharing >= left) {
      break;
    }
    left -= demand;
    sharing -= 1;
  }
  return left / sharing;
}

/** The credential is a keyed hash already, so nobody without the key can tell whose this is. */
function reportedKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, KEY_DIGITS);
}

function total(demands: readonly number[]): number {
  return demands.reduce((sum, demand) => sum + demand, 0);
}

function rounded(perSecond: number): number {
  return Math.round(perSecond * ROUNDED_TO) / ROUNDED_TO;
}
