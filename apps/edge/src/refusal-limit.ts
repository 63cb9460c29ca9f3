import type { MonotonicClock } from './throttle.js';

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * How many seconds' worth of refusals may come at once, as when a shop starts with a wrong token
 * and has not noticed yet.
 */
const BURST_SECONDS = 5;
/** Addresses that are remembered at once; beyond it the oldest is forgotten, and forgiven. */
const ADDRESSES_MAX = 10_000;
const MS_PER_SECOND = 1_000;

/**
 * How often an address may be refused access. One that guesses tokens, or sends useless bodies, is
 * refused without reading what it sends, until it has been quiet for a while. A request with a
 * known token is never affected.
 */
export class RefusalLimit {
  readonly #buckets = new Map<string, Bucket>();

  /** `perSecond` 0: no limit. */
  constructor(
    private readonly perSecond: number,
    private readonly clock: MonotonicClock,
  ) {}

  /** Whether the address has used up what it may be refused. */
  isReached(address: string): boolean {
    const bucket = this.#buckets.get(address);
    if (bucket === undefined) return false;
    this.#fill(bucket);
    return bucket.tokens < 1;
  }

  /** The address was refused once more. */
  refused(address: string): void {
    if (this.perSecond === 0) return;
    const bucket = this.#bucketOf(address);
    this.#fill(bucket);
    bucket.tokens = Math.max(0, bucket.tokens - 1);
  }

  #bucketOf(address: string): Bucket {
    const known = this.#buckets.get(address);
    if (known !== undefined) return known;
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size >= ADDRESSES_MAX && oldest !== undefined) this.#buckets.delete(oldest);
    const bucket = { tokens: Infinity, filledAtMs: this.clock.monotonicMs() };
    this.#buckets.set(address, bucket);
    return bucket;
  }

  #fill(bucket: Bucket): void {
    const nowMs = this.clock.monotonicMs();
    const earned = ((nowMs - bucket.filledAtMs) * this.perSecond) / MS_PER_SECOND;
    bucket.tokens = Math.min(this.perSecond * BURST_SECONDS, bucket.tokens + earned);
    bucket.filledAtMs = nowMs;
  }
}
