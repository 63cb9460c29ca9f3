import {
  BANK_ACTOR,
  type BankReturnAnswer,
  type BankReturnQuery,
  type Elsewhere,
  ELSEWHERE,
  type PaymentReply,
  type ReferToPayment,
} from '@sluice/contracts';
import { findTransaction, isOpen } from '@sluice/domain-payments';
import { ShardElsewhere } from '@sluice/event-store';
import { chainShard, newMessageId, newNdc } from '@sluice/identifiers';
import { Execution, type Opened, Unrecorded } from '@sluice/messaging';
import { codes } from '@sluice/result-codes';
import type { Clock } from '@sluice/service';
import { paymentOf, type PaymentStore } from './payment-aggregate.js';
import type { PaymentsHandler } from './payments.handler.js';

/**
 * Longer than anybody waits for the answer (5 s): whoever hears nothing asks again under the same id,
 * and a chargeback whose time was over would stay not performed for ever.
 */
const LIFE_MS = 60_000;

/** The parts it is made of. */
export interface BankReturnsParts {
  readonly store: Pick<PaymentStore, 'readByTransaction'>;
  readonly handler: Pick<PaymentsHandler, 'refer'>;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
}

/**
 * Payments that a bank has taken back, days after they were approved. Each becomes a chargeback of a
 * settlement, which is always recorded, under an id that the asker has written down: asked again, it
 * is the same one.
 */
export class BankReturns {
  constructor(private readonly parts: BankReturnsParts) {}

  async returned(query: BankReturnQuery): Promise<BankReturnAnswer | Elsewhere> {
    try {
      return await this.#record(query);
    } catch (error) {
      if (error instanceof ShardElsewhere) return ELSEWHERE;
      throw error;
    }
  }

  async #record(query: BankReturnQuery): Promise<BankReturnAnswer | Elsewhere> {
    const { store, handler, clock } = this.parts;
    const found = await store.readByTransaction(query.referencedId);
    const paid = found && findTransaction(paymentOf(found.events), query.referencedId);
    if (paid === undefined) return { kind: 'notFound' };
    // The answer that it is in a file was lost. Nothing is taken of it yet, as far as is known here, so all
    // of it would be in excess, and a case for a person.
    if (isOpen(paid.status)) return { kind: 'again' };
    const message = chargebackOf(query, paid.metadata, clock.now());
    const handled = await handler.refer(message, clock.monotonicMs() + LIFE_MS);
    if (handled instanceof Execution) return answerTo(await handled.run());
    return answerTo(handled instanceof Unrecorded ? handled.reply : handled);
  }
}

type Metadata = Pick<
  NonNullable<ReturnType<typeof findTransaction>>['metadata'],
  'channelName' | 'entityId' | 'mode'
>;

function chargebackOf(
  { transactionId, referencedId, amount, resultCode }: BankReturnQuery,
  { entityId, channelName, mode }: Metadata,
  nowMs: number,
): Opened<ReferToPayment> {
  const id = newMessageId(nowMs);
  const ndc = newNdc(entityId);
  return {
    ...{ id, type: 'ReferToPayment', schemaVersion: 1, key: chainShard(referencedId) },
    ...{ correlationId: ndc, causationId: id, timeToLiveMs: LIFE_MS },
    data: {
      ...{ transactionId, referencedId, amount },
      ...{ operation: 'chargeback', final: false, chargebackResultCode: resultCode },
      parameters: {},
      context: {
        ...{ entityId, channelName, mode, ndc, receivedAtMs: nowMs, actor: BANK_ACTOR },
        // Whether the channel's merchant may report them is about the merchant.
        manualChargebacks: true,
      },
    },
  };
}

function answerTo(reply: PaymentReply): BankReturnAnswer | Elsewhere {
  switch (reply.kind) {
    case 'transaction': {
      const { status, resultCode } = reply.outcome;
      if (status === 'approved') return { kind: 'recorded' };
      const isOver = status === 'rejected' || status === 'notPerformed';
      return isOver ? { kind: 'refused', resultCode } : { kind: 'again' };
    }
    case 'notFound':
      return { kind: 'notFound' };
    case 'elsewhere':
      return reply;
    case 'full':
      return { kind: 'refused', resultCode: codes.tooManyTransactions };
    case 'keyTaken':
    case 'foreignEntity':
    case 'busy':
    case 'unavailable':
      return { kind: 'again' };
  }
}
