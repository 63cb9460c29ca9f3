import type { ResultCallQuery } from '@sluice/contracts';
import { type Checkout, isToBeCalled } from '@sluice/domain-checkouts';
import type { CheckoutId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import type { EntityClock, Logger } from '@sluice/service';
import type { CheckoutStreams, CheckoutWriter } from './checkout-aggregate.js';

/** The parts they are made of. */
export interface ResultCallsParts {
  readonly queries: Queries;
  readonly streams: CheckoutStreams;
  readonly writer: Pick<CheckoutWriter, 'record' | 'reload'>;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * The call of a merchant's page of results, 29 minutes after a checkout was made whose result nobody has
 * read (Interface 3 and 6). Webhooks makes it, which alone comes to addresses that merchants name; it is asked
 * again while it does not answer, and remembers what it was asked for.
 */
export class ResultCalls {
  readonly #underWay = new Map<CheckoutId, Promise<void>>();

  constructor(private readonly parts: ResultCallsParts) {}

  /**
   * Asks for a call if it is time for one, and lets nobody wait for the answer. The caller has set when it is
   * asked again.
   */
  callIfDue(checkout: Checkout | undefined): void {
    if (checkout === undefined || this.#underWay.has(checkout.id)) return;
    const nowMs = this.parts.clock.now(checkout.metadata.entityId);
    if (!isToBeCalled(checkout, nowMs)) return;
    const ended = this.#ask(checkout).finally(() => this.#underWay.delete(checkout.id));
    this.#underWay.set(checkout.id, ended);
  }

  /** Resolves once what is under way has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  /** Never rejects. */
  async #ask(checkout: Checkout): Promise<void> {
    const { id: checkoutId, metadata } = checkout;
    const query: ResultCallQuery = { checkoutId, entityId: metadata.entityId };
    try {
      await this.parts.queries.ask('webhooks', 'webhooks.callResult', query);
      await this.#record(checkout);
    } catch (error) {
      const fields = { err: error, ndc: checkoutId };
      this.parts.logger.warn(fields, 'A page of results is not called yet; it is asked for again.');
    }
  }

  async #record({ id, metadata: { entityId } }: Checkout): Promise<void> {
    const { streams, writer, clock } = this.parts;
    const stream = streams.hold(id);
    try {
      await streams.inTurn(stream, async () => {
        await writer.reload(stream);
        await writer.record(stream, { type: 'CallForResult', nowMs: clock.now(entityId) });
      });
    } finally {
      streams.release(stream);
    }
  }
}
