/** What a token bucket is made of; `perSecond` 0 switches throttling off (D-40). */
export interface ThrottleLimits {
  readonly perSecond: number;
  /** How many requests may come at once after a quiet time. */
  readonly burst: number;
}

/** The only clock that a bucket needs; monotonic, so that a corrected wall clock opens no gate. */
export interface MonotonicClock {
  monotonicMs(): number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * Pairs of credential and entity that are remembered at once. Only pairs that passed access get
 * a bucket, so nobody can fill the table from outside; beyond it the oldest is forgotten, which
 * forgives it at most one burst.
 */
const BUCKETS_MAX = 10_000;

const MS_PER_SECOND = 1000;

/**
 * One token bucket per access token and entity (Interface 7 rule 2, D-40). The limits are those of
 * all instances together: each lets its share pass, for requests are spread over them evenly, and
 * no request has to ask anybody.
 */
export class Throttle {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly limits: ThrottleLimits,
    private readonly clock: MonotonicClock,
    /** How many instances share the limits now. */
    private readonly instances: () => number = () => 1,
  ) {}

  /** Takes one token; false means that the request is one too many. */
  admits(credentialHash: string, entityId: string): boolean {
    if (this.limits.perSecond === 0) {
      return true;
    }
    const bucket = this.#bucketOf(`${credentialHash}${entityId}`);
    this.#fill(bucket);
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens -= 1;
    return true;
  }

  #bucketOf(key: string): Bucket {
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
    const bucket = { tokens: this.#burst, filledAtMs: this.clock.monotonicMs() };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  get #burst(): number {
    return Math.max(1, this.limits.burst / this.instances());
  }

  #fill(bucket: Bucket): void {
    const nowMs = this.clock.monotonicMs();
    const perSecond = this.limits.perSecond / this.instances();
    const earned = ((nowMs - bucket.filledAtMs) * perSecond) / MS_PER_SECOND;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + earned);
    bucket.filledAtMs = nowMs;
  }
}
