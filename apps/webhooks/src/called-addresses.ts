import type { ResultPageAnswer, ResultPageQuery } from '@sluice/contracts';
import { type CalledObject, calledResult, checkoutResult } from '@sluice/domain-webhooks';
import type { CheckoutId, EntityId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import { resultAddress } from '@sluice/service';
import { type Place, registrationAt, transactionAt } from './told-objects.js';

/** A payment or registration, whose request has named an address. */
export type RequestCall = CalledObject & Place & Happened;

/** A checkout, whose result nobody has read. */
export interface CheckoutCall extends Happened {
  readonly type: 'CHECKOUT_CALL';
  readonly transactionId: CheckoutId;
  readonly entityId: EntityId;
}

interface Happened {
  /** Milliseconds since the epoch. */
  readonly happenedAtMs: number;
}

/** What an address of a request is told of. */
export type CallSource = RequestCall | CheckoutCall;

/** Apps are gone to by browsers, and called by nobody. */
const OF_THE_WEB = /^https?:/i;

/**
 * The addresses that stood in requests. Whoever keeps the request is asked for it at each call: here is no copy,
 * and one that was forgotten is not called.
 */
export class CalledAddresses {
  constructor(private readonly queries: Queries) {}

  /**
   * With `id` and `resourcePath` behind it; undefined: nobody is to be called, or not any more.
   * @throws QueryUnavailable
   */
  async urlOf(source: CallSource): Promise<string | undefined> {
    switch (source.type) {
      case 'PAYMENT_CALL':
        return notifiedUrl(source, await transactionAt(this.queries, source));
      case 'REGISTRATION_CALL':
        return notifiedUrl(source, await registrationAt(this.queries, source));
      case 'CHECKOUT_CALL':
        return this.#pageOf(source);
    }
  }

  async #pageOf({ transactionId, entityId }: CheckoutCall): Promise<string | undefined> {
    const query: ResultPageQuery = { checkoutId: transactionId, entityId };
    const { page } = await this.queries.ask<ResultPageAnswer>(
      ...(['checkouts', 'checkouts.resultPage', query] as const),
    );
    if (page === undefined || !OF_THE_WEB.test(page.shopperResultUrl)) return undefined;
    const { id, resourcePath } = checkoutResult(transactionId, page.purpose);
    return resultAddress(page.shopperResultUrl, id, resourcePath);
  }
}

function notifiedUrl(
  source: RequestCall,
  request: { readonly personal: Readonly<Record<string, string>> } | undefined,
): string | undefined {
  const { notificationUrl } = request?.personal ?? {};
  if (notificationUrl === undefined) return undefined;
  const { id, resourcePath } = calledResult(source);
  return resultAddress(notificationUrl, id, resourcePath);
}
