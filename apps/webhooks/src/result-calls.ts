import type { ResultCallQuery } from '@sluice/contracts';
import { NO_SUBSCRIPTION, receiverOf } from '@sluice/domain-webhooks';
import { type EntityClock, inTransaction } from '@sluice/service';
import type { Pool } from 'pg';
import { acceptDeliveries } from './accepted-deliveries.js';
import type { CalledAddresses, CheckoutCall } from './called-addresses.js';

/** The parts they are made of. */
export interface ResultCallsParts {
  readonly pool: Pool;
  readonly addresses: Pick<CalledAddresses, 'urlOf'>;
  readonly clock: Pick<EntityClock, 'now'>;
  /** Something is due now. */
  readonly onAccepted: () => void;
}

/** A checkout has one such call, however often checkouts asks for it. */
const SEQUENCE = 1;

/** Calls of merchants' pages of results (Interface 3): checkouts knows when, and this service calls. */
export class ResultCalls {
  constructor(private readonly parts: ResultCallsParts) {}

  /** Resolves once it is recorded that the page is to be called, or that there is none. @throws QueryUnavailable */
  async accept({ checkoutId, entityId }: ResultCallQuery): Promise<void> {
    const { pool, addresses, clock, onAccepted } = this.parts;
    const call: CheckoutCall = {
      ...({ type: 'CHECKOUT_CALL', transactionId: checkoutId, entityId } as const),
      happenedAtMs: clock.now(entityId),
    };
    const url = await addresses.urlOf(call);
    if (url === undefined) return;
    const told = { ...call, ndc: checkoutId, sequence: SEQUENCE };
    const receiver = receiverOf(new URL(url));
    const queue = { subscriptionId: NO_SUBSCRIPTION, objectId: checkoutId };
    await inTransaction(pool, (client) =>
      acceptDeliveries(client, [{ ...queue, told, receiver }], clock),
    );
    onAccepted();
  }
}
