import type { Demands } from '@sluice/contracts';
import type { EdgeSettings } from './settings.js';
import {
  type MonotonicClock,
  type OtherInstances,
  Throttle,
  type ThrottleLimits,
} from './throttle.js';

/** What a request does, as far as throttling is concerned. */
export type ThrottledWork = 'paying' | 'reading';

/** HEAD is answered as GET. */
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** What the method of a request says about its work. */
export function workOf(method: string): ThrottledWork {
  return READING_METHODS.has(method) ? 'reading' : 'paying';
}

/** Reading and paying have buckets of their own, so that a reconciliation cannot stop payments (D-40). */
export class Throttles {
  readonly #throttles: Readonly<Record<ThrottledWork, Throttle>>;

  constructor(limits: Readonly<Record<ThrottledWork, ThrottleLimits>>, clock: MonotonicClock) {
    this.#throttles = {
      paying: new Throttle(limits.paying, clock),
      reading: new Throttle(limits.reading, clock),
    };
  }

  /** Takes one token; false means that the request is one too many. */
  admits(work: ThrottledWork, credentialHash: string, entityId: string): boolean {
    // The work is part of the key by which instances tell each other what they were asked for.
    return this.#throttles[work].admits(`${work} ${credentialHash}`, entityId);
  }

  /** What this instance was asked for since it was last told. */
  demands(): Demands {
    const { paying, reading } = this.#throttles;
    return { ...reading.demands(), ...paying.demands() };
  }

  /** Takes what the others were asked for. */
  hear(others: OtherInstances): void {
    for (const throttle of Object.values(this.#throttles)) throttle.hear(others);
  }
}

/** Those that an instance is told. */
export function throttlesOf(settings: EdgeSettings, clock: MonotonicClock): Throttles {
  const { throttlePerSecond, throttleBurst, throttleReadsPerSecond, throttleReadsBurst } = settings;
  const paying = { perSecond: throttlePerSecond, burst: throttleBurst };
  const reading = { perSecond: throttleReadsPerSecond, burst: throttleReadsBurst };
  return new Throttles({ paying, reading }, clock);
}
