import type {
  AttemptNeverAskedQuery,
  CheckoutDeletionAnswer,
  CheckoutDeletionQuery,
  CheckoutPurpose,
  CheckoutStatusAnswer,
  CheckoutStatusQuery,
  CheckoutToComplete,
  CheckoutToCompleteAnswer,
  CheckoutToCompleteQuery,
  ResultPageAnswer,
  ResultPageQuery,
  ServedAnswer,
} from '@sluice/contracts';
import {
  type Checkout,
  CHECKOUT_LIFE_MS,
  type CheckoutState,
  deletionOf,
  isBegun,
  isGone,
  isUnknown,
  latestAttempt,
  NEVER_PERFORMED,
  revisionOf,
  statusOf,
} from '@sluice/domain-checkouts';
import { type CheckoutId, type EntityId, newTransactionIdInChainOf } from '@sluice/identifiers';
import type { Clock, EntityClock, KeyProvider } from '@sluice/service';
import type { AttemptOutcomes } from './attempt-outcomes.js';
import {
  checkoutOf,
  type CheckoutStore,
  type CheckoutStream,
  type CheckoutStreams,
  type CheckoutWriter,
} from './checkout-aggregate.js';
import { personalOf, resultUrlOf, savedFieldsOf } from './checkout-personal.js';

/** The parts it is made of. */
export interface CheckoutQueriesParts {
  readonly store: Pick<CheckoutStore, 'read' | 'personalKeys'>;
  readonly streams: CheckoutStreams;
  readonly writer: Pick<CheckoutWriter, 'record' | 'reload'>;
  readonly outcomes: Pick<AttemptOutcomes, 'bringUpToDate'>;
  readonly keys: KeyProvider;
  readonly machine: Pick<Clock, 'now'>;
  readonly clock: EntityClock;
}

/** Answers queries from the streams of checkouts, so answers are always current. */
export class CheckoutQueries {
  constructor(private readonly parts: CheckoutQueriesParts) {}

  /** Nothing for one that is unknown, somebody else's, of the other purpose, or over (Interface 3). */
  async status(query: CheckoutStatusQuery): Promise<CheckoutStatusAnswer> {
    const { store } = this.parts;
    const recorded = asAsked(checkoutOf(await store.read(query.checkoutId)), query);
    if (recorded === undefined || this.#isGone(recorded)) return {};
    // Most reads are of checkouts that nobody has submitted: there is nothing to ask.
    if (recorded.attempts.length === 0) return { status: 'pending' };
    return this.#inTurn(query.checkoutId, async (stream) => {
      await this.parts.outcomes.bringUpToDate(stream);
      return this.#statusOf(asAsked(stream.state, query));
    });
  }

  /**
   * Records that a success is told, before anybody is told: the checkout is over then. False for
   * whoever asks second.
   */
  serve(query: CheckoutStatusQuery): Promise<ServedAnswer> {
    return this.#inTurn(query.checkoutId, async (stream) => {
      if (asAsked(stream.state, query) === undefined) return { isServed: false };
      const nowMs = this.parts.clock.now(query.entityId);
      const isServed = await this.parts.writer.record(stream, { type: 'ServeStatus', nowMs });
      return { isServed };
    });
  }

  /** Ends a checkout of which nobody has paid anything, nor may still. */
  async delete({ checkoutId, entityId }: CheckoutDeletionQuery): Promise<CheckoutDeletionAnswer> {
    const recorded = checkoutOf(await this.parts.store.read(checkoutId));
    if (recorded?.metadata.entityId !== entityId) return { outcome: 'gone' };
    return this.#inTurn(checkoutId, async (stream) => {
      await this.parts.outcomes.bringUpToDate(stream);
      const nowMs = this.parts.clock.now(entityId);
      if (await this.parts.writer.record(stream, { type: 'DeleteCheckout', nowMs })) {
        const { vaultReference } = stream.state?.saved ?? {};
        return { outcome: 'deleted', ...(vaultReference !== undefined && { vaultReference }) };
      }
      const isGone = stream.state === undefined || deletionOf(stream.state, nowMs) === 'gone';
      return { outcome: isGone ? 'gone' : 'pending' };
    });
  }

  /** Records that an attempt has come to nothing, unless more is known of it. */
  async neverAsked({ checkoutId, transactionId }: AttemptNeverAskedQuery): Promise<void> {
    await this.#inTurn(checkoutId, async (stream) => {
      const checkout = stream.state;
      const attempt = checkout?.attempts.find((one) => one.transactionId === transactionId);
      if (checkout === undefined || attempt?.state !== 'submitted') return;
      const { machine, clock } = this.parts;
      const nowMs = clock.now(checkout.metadata.entityId);
      const reversalId = newTransactionIdInChainOf(transactionId, machine.now());
      const finding = { nowMs, transactionId, decision: NEVER_PERFORMED, reversalId };
      await this.parts.writer.record(stream, { type: 'RecordAttempt', ...finding });
    });
  }

  /** What the shopper's form completes; nothing where there is nothing to complete any more. */
  async toComplete({ checkoutId }: CheckoutToCompleteQuery): Promise<CheckoutToCompleteAnswer> {
    const { store, keys } = this.parts;
    const checkout = await this.#upToDate(checkoutId);
    if (checkout === undefined || this.#isGone(checkout)) return {};
    const { purpose, parameters, registrations, metadata, createdAtMs } = checkout;
    const { entityId, actor, mode } = metadata;
    const personal = await personalOf(checkout, { keys, personalKeys: store.personalKeys });
    const endsAtMs = createdAtMs + CHECKOUT_LIFE_MS;
    const revision = revisionOf(checkout);
    const told = { purpose, revision, entityId, actor, mode, parameters, personal, endsAtMs };
    const offered = registrations.length > 0 ? { registrations } : {};
    const begun = isBegun(checkout) ? { isBegun: true } : {};
    const saved = await this.#savedOf(checkout);
    return { checkout: { ...told, ...offered, ...begun, ...saved } };
  }

  /** Nothing where its result was read or cannot be any more, or where the address was forgotten. */
  async resultPage({ checkoutId, entityId }: ResultPageQuery): Promise<ResultPageAnswer> {
    const { store, keys } = this.parts;
    const checkout = checkoutOf(await store.read(checkoutId));
    if (checkout?.metadata.entityId !== entityId) return {};
    const attempt = latestAttempt(checkout);
    if (this.#isGone(checkout) || attempt === undefined) return {};
    const parts = { keys, personalKeys: store.personalKeys };
    const shopperResultUrl = await resultUrlOf(checkout, attempt, parts);
    if (shopperResultUrl === undefined) return {};
    return { page: { shopperResultUrl, purpose: checkout.purpose } };
  }

  /**
   * With what has become of its last attempt: after a decline, what it is of is no longer settled. One whose
   * attempt is decided, and one without any, as most are, is read and nobody is asked.
   */
  async #upToDate(checkoutId: CheckoutId): Promise<CheckoutState> {
    const { store, outcomes } = this.parts;
    const recorded = checkoutOf(await store.read(checkoutId));
    if (recorded === undefined || this.#isGone(recorded)) return undefined;
    const attempt = latestAttempt(recorded);
    if (attempt === undefined || !isUnknown(attempt)) return recorded;
    return this.#inTurn(checkoutId, async (stream) => {
      await outcomes.bringUpToDate(stream);
      return stream.state;
    });
  }

  /** What was typed and not yet paid with, or what an attempt was made of. */
  async #savedOf(checkout: Checkout): Promise<Pick<CheckoutToComplete, 'saved' | 'spent'>> {
    const { store, keys } = this.parts;
    const parts = { keys, personalKeys: store.personalKeys };
    if (checkout.saved !== undefined) {
      const { fields: _, ...saved } = checkout.saved;
      return { saved: { ...saved, fields: await savedFieldsOf(checkout, parts) } };
    }
    const attempt = latestAttempt(checkout);
    if (attempt?.saved === undefined) return {};
    const shopperResultUrl = await resultUrlOf(checkout, attempt, parts);
    const back = shopperResultUrl === undefined ? {} : { shopperResultUrl };
    return { spent: { id: attempt.saved, ...back } };
  }

  /** As it is recorded by now, with its turn. */
  async #inTurn<Answer>(
    checkoutId: CheckoutId,
    work: (stream: CheckoutStream) => Promise<Answer>,
  ): Promise<Answer> {
    const { streams, writer } = this.parts;
    const stream = streams.hold(checkoutId);
    try {
      return await streams.inTurn(stream, async () => {
        await writer.reload(stream);
        return work(stream);
      });
    } finally {
      streams.release(stream);
    }
  }

  #isGone(checkout: Checkout): boolean {
    return isGone(checkout, this.parts.clock.now(checkout.metadata.entityId));
  }

  #statusOf(checkout: CheckoutState): CheckoutStatusAnswer {
    if (checkout === undefined) return {};
    const status = statusOf(checkout, this.parts.clock.now(checkout.metadata.entityId));
    switch (status.kind) {
      case 'gone':
        return {};
      case 'pending':
        return { status: 'pending' };
      case 'decided': {
        const { state, transactionId, resultCode } = status.attempt;
        const attempt = { transactionId, resultCode };
        if (state !== 'succeeded') return { status: 'failed', attempt };
        // Saved while the shopper was at somebody else's page, and paid there.
        const { vaultReference } = checkout.saved ?? {};
        return {
          status: 'succeeded',
          attempt,
          ...(vaultReference !== undefined && { vaultReference }),
        };
      }
    }
  }
}

/** The checkout if it is the asking channel's, and of this purpose. */
function asAsked(
  checkout: CheckoutState,
  { entityId, purpose }: { readonly entityId: EntityId; readonly purpose: CheckoutPurpose },
): Checkout | undefined {
  const isAsked = checkout?.metadata.entityId === entityId && checkout.purpose === purpose;
  return isAsked ? checkout : undefined;
}
