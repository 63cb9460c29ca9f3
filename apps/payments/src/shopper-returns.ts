import { setTimeout as elapsed } from 'node:timers/promises';
import type { ShopperAnswer, ShopperQuery } from '@sluice/contracts';
import { inquiryOnReturn } from '@sluice/domain-payments';
import type { TransactionId } from '@sluice/identifiers';
import type { Clock } from '@sluice/service';
import type { Connectors } from './connectors.js';
import type { PaymentStreams, PaymentWriter } from './payment-aggregate.js';
import type { PaymentQueries } from './payment-queries.js';
import { findingsOf } from './recovery-calls.js';

/**
 * How long a shopper's browser waits for the acquirer's word: less than a query may take (5 s). An
 * answer that comes later is recorded all the same.
 */
const WAIT_MAX_MS = 4_000;

/** The parts it is made of. */
export interface ShopperReturnsParts {
  readonly queries: Pick<PaymentQueries, 'redirect'>;
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly connectors: Connectors;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Shoppers who come back from an acquirer. What their browsers say of the payment counts for nothing:
 * the acquirer is asked, as recovery asks it. A shopper who never comes back is recovery's.
 */
export class ShopperReturns {
  /** Browsers that come back twice wait for one inquiry. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(private readonly parts: ShopperReturnsParts) {}

  /** Asks the acquirer what became of the payment, and answers where the shopper goes now. */
  async returned(query: ShopperQuery): Promise<ShopperAnswer> {
    const { transactionId } = query;
    const inquiry = this.#underWay.get(transactionId) ?? this.#begin(transactionId);
    await Promise.race([inquiry, elapsed(WAIT_MAX_MS, undefined, { ref: false })]);
    return this.parts.queries.redirect(query);
  }

  #begin(transactionId: TransactionId): Promise<void> {
    const inquiry = this.#inquire(transactionId).finally(() => {
      this.#underWay.delete(transactionId);
    });
    // Nobody waits for it after the time is over; recovery asks again.
    inquiry.catch(() => undefined);
    this.#underWay.set(transactionId, inquiry);
    return inquiry;
  }

  /** Only the first transaction of a payment needs a shopper, and its id is the stream's. */
  async #inquire(transactionId: TransactionId): Promise<void> {
    const { streams, writer, connectors, clock } = this.parts;
    const stream = streams.hold(transactionId);
    try {
      await streams.inTurn(stream, () => writer.ensureLoaded(stream));
      const step = inquiryOnReturn(stream.state, transactionId);
      if (step === undefined) return;
      const connector = connectors.ofPayment(stream.state);
      for (const finding of await findingsOf(step, connector, () => clock.now())) {
        await streams.inTurn(stream, () => writer.record(stream, finding));
      }
    } finally {
      streams.release(stream);
    }
  }
}
