import type { CheckoutId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';
import { Refused } from './answer.js';
import { type MonotonicClock, Throttle } from './throttle.js';
import type { ThrottledIds } from './throttled-ids.js';

const SECONDS_PER_MINUTE = 60;

/**
 * How often the status of one checkout is read: clients are promised two reads a minute (wire contract
 * 1). Each instance counts for itself, because what it protects is the work of one read.
 */
export class CheckoutReads {
  readonly #throttle: Throttle;

  /** @param perMinute 0: no limit */
  constructor(
    perMinute: number,
    clock: MonotonicClock,
    private readonly throttledIds: ThrottledIds,
  ) {
    const limits = { perSecond: perMinute / SECONDS_PER_MINUTE, burst: perMinute };
    this.#throttle = new Throttle(limits, clock);
  }

  /** Throws Refused for a read that is one too many. */
  admit(checkoutId: CheckoutId, { access, receivedAtMs }: AdmittedRequest): void {
    const { id: entityId } = access.channel;
    if (this.#throttle.admits(checkoutId, entityId)) return;
    const id = this.throttledIds.newId(entityId, receivedAtMs);
    throw new Refused({ code: codes.tooManyRequests, id }, entityId);
  }
}
