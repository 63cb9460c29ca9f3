import {
  type AttemptReversalAnswer,
  type AttemptReversalQuery,
  type Elsewhere,
  ELSEWHERE,
  type PaymentReply,
  type ReferToPayment,
} from '@sluice/contracts';
import { findTransaction } from '@sluice/domain-payments';
import { ShardElsewhere } from '@sluice/event-store';
import { chainShard, newMessageId } from '@sluice/identifiers';
import { Execution, type Opened, Unrecorded } from '@sluice/messaging';
import { codes } from '@sluice/result-codes';
import type { Clock } from '@sluice/service';
import { paymentOf, type PaymentStore } from './payment-aggregate.js';
import type { PaymentsHandler } from './payments.handler.js';

/**
 * Longer than anybody waits for the answer (5 s): whoever hears nothing asks again under the same id,
 * and a reversal whose time was over would stay not performed for ever.
 */
const LIFE_MS = 60_000;

/** The parts it is made of. */
export interface AttemptReversalsParts {
  readonly store: Pick<PaymentStore, 'readByTransaction'>;
  readonly handler: Pick<PaymentsHandler, 'refer'>;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
}

/**
 * Payments that were approved after their shopper had gone on without them (page 0064): all of each is
 * reversed, under an id that checkouts has written down. Asked again, it is the same reversal.
 */
export class AttemptReversals {
  constructor(private readonly parts: AttemptReversalsParts) {}

  async reverse(query: AttemptReversalQuery): Promise<AttemptReversalAnswer | Elsewhere> {
    try {
      return await this.#reverse(query);
    } catch (error) {
      if (error instanceof ShardElsewhere) return ELSEWHERE;
      throw error;
    }
  }

  async #reverse(query: AttemptReversalQuery): Promise<AttemptReversalAnswer | Elsewhere> {
    const { store, handler, clock } = this.parts;
    const found = await store.readByTransaction(query.referencedId);
    const paid = found && findTransaction(paymentOf(found.events), query.referencedId);
    if (paid === undefined) return AGAIN;
    const message = reversalOf(query, paid.metadata, clock.now());
    const handled = await handler.refer(message, clock.monotonicMs() + LIFE_MS);
    if (handled instanceof Execution) return answerTo(await handled.run());
    return answerTo(handled instanceof Unrecorded ? handled.reply : handled);
  }
}

const AGAIN: AttemptReversalAnswer = { kind: 'again' };

type Metadata = Pick<
  NonNullable<ReturnType<typeof findTransaction>>['metadata'],
  'channelName' | 'entityId' | 'mode' | 'ndc'
>;

function reversalOf(
  { transactionId, referencedId, actor }: AttemptReversalQuery,
  { entityId, channelName, mode, ndc }: Metadata,
  nowMs: number,
): Opened<ReferToPayment> {
  const id = newMessageId(nowMs);
  return {
    ...{ id, type: 'ReferToPayment', schemaVersion: 1, key: chainShard(referencedId) },
    ...{ correlationId: ndc, causationId: id, timeToLiveMs: LIFE_MS },
    data: {
      ...{ transactionId, referencedId, operation: 'reversal', final: false, parameters: {} },
      context: {
        ...{ entityId, channelName, mode, ndc, receivedAtMs: nowMs, actor },
        manualChargebacks: false,
      },
    },
  };
}

function answerTo(reply: PaymentReply): AttemptReversalAnswer | Elsewhere {
  switch (reply.kind) {
    case 'transaction': {
      const { status, resultCode } = reply.outcome;
      const isOpen = status === 'requested' || status === 'unknown' || status === 'pending';
      return isOpen ? AGAIN : { kind: 'ended', isReversed: status === 'approved', resultCode };
    }
    case 'elsewhere':
      return reply;
    case 'full':
      return { kind: 'ended', isReversed: false, resultCode: codes.tooManyTransactions };
    case 'notFound':
    case 'keyTaken':
    case 'foreignEntity':
    case 'busy':
    case 'unavailable':
      return AGAIN;
  }
}
