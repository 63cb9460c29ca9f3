import { type CalledObject, calledResult } from '@sluice/domain-webhooks';
import type { Queries } from '@sluice/messaging';
import { resultAddress } from '@sluice/service';
import { type Place, registrationAt, transactionAt } from './told-objects.js';

/** What an address of a request is told of. */
export interface CallSource extends CalledObject, Place {
  /** Milliseconds since the epoch. */
  readonly happenedAtMs: number;
}

/**
 * The addresses that stood in requests. Whoever keeps the request is asked for it at each call: here is no copy,
 * and one that was forgotten is not called.
 */
export class CalledAddresses {
  constructor(private readonly queries: Queries) {}

  /** With `id` and `resourcePath` behind it; undefined: it was forgotten. @throws QueryUnavailable */
  async urlOf(source: CallSource): Promise<string | undefined> {
    const { notificationUrl } = (await this.#requestOf(source))?.personal ?? {};
    if (notificationUrl === undefined) return undefined;
    const { id, resourcePath } = calledResult(source);
    return resultAddress(notificationUrl, id, resourcePath);
  }

  #requestOf(
    source: CallSource,
  ): Promise<{ readonly personal: Readonly<Record<string, string>> } | undefined> {
    switch (source.type) {
      case 'PAYMENT_CALL':
        return transactionAt(this.queries, source);
      case 'REGISTRATION_CALL':
        return registrationAt(this.queries, source);
    }
  }
}
