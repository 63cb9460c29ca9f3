import type { CheckoutStatusAnswer, CheckoutStatusQuery } from '@sluice/contracts';
import { statusOf } from '@sluice/domain-checkouts';
import type { Clock } from '@sluice/service';
import { checkoutOf, type CheckoutStore } from './checkout-aggregate.js';

/** Answers queries by folding the streams of checkouts, so answers are always current. */
export class CheckoutQueries {
  constructor(
    private readonly store: Pick<CheckoutStore, 'read'>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Nothing for one that is unknown, somebody else's, of the other purpose, or over (Interface 3). */
  async status(query: CheckoutStatusQuery): Promise<CheckoutStatusAnswer> {
    const checkout = checkoutOf(await this.store.read(query.checkoutId));
    if (checkout === undefined) return {};
    const isAsked =
      checkout.metadata.entityId === query.entityId && checkout.purpose === query.purpose;
    // No command submits anything yet, so none is decided.
    return isAsked && statusOf(checkout, this.clock.now()).kind === 'pending'
      ? { status: 'pending' }
      : {};
  }
}
