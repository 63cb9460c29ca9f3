import {
  type ChargeAnswer,
  type ChargeQuery,
  type Elsewhere,
  ELSEWHERE,
  type InitiatePayment,
  type PaymentReply,
} from '@sluice/contracts';
import { isOpen } from '@sluice/domain-payments';
import { ShardElsewhere } from '@sluice/event-store';
import { chainShard, newMessageId } from '@sluice/identifiers';
import { Execution, type Opened, Unrecorded } from '@sluice/messaging';
import type { Clock } from '@sluice/service';
import type { PaymentsHandler } from './payments.handler.js';

/**
 * Longer than anybody waits for the answer (5 s): whoever hears nothing asks again under the same id,
 * and a payment whose time was over would stay not performed for ever.
 */
const LIFE_MS = 60_000;

/** The parts they are made of. */
export interface ChargesParts {
  readonly handler: Pick<PaymentsHandler, 'initiate'>;
  readonly machine: Pick<Clock, 'now' | 'monotonicMs'>;
}

/**
 * Payments that another service asks for by a query, because no merchant does at that moment: a time has
 * come that he has set. Asked again, it is the same payment.
 */
export class Charges {
  constructor(private readonly parts: ChargesParts) {}

  async charge(query: ChargeQuery): Promise<ChargeAnswer | Elsewhere> {
    const { handler, machine } = this.parts;
    const message = messageOf(query, machine.now());
    try {
      const handled = await handler.initiate(message, machine.monotonicMs() + LIFE_MS);
      if (handled instanceof Execution) return answerTo(await handled.run());
      return answerTo(handled instanceof Unrecorded ? handled.reply : handled);
    } catch (error) {
      if (error instanceof ShardElsewhere) return ELSEWHERE;
      throw error;
    }
  }
}

function messageOf(
  { transactionId, payment, personal }: ChargeQuery,
  nowMs: number,
): Opened<InitiatePayment> {
  const id = newMessageId(nowMs);
  const hasPersonal = Object.keys(personal).length > 0;
  return {
    ...{ id, type: 'InitiatePayment', schemaVersion: 1, key: chainShard(transactionId) },
    ...{ correlationId: payment.context.ndc, causationId: id, timeToLiveMs: LIFE_MS },
    data: { transactionId, ...payment, ...(hasPersonal && { personal }) },
  };
}

const AGAIN: ChargeAnswer = { kind: 'again' };

function answerTo(reply: PaymentReply): ChargeAnswer | Elsewhere {
  switch (reply.kind) {
    case 'transaction': {
      const { outcome } = reply;
      return isOpen(outcome.status) ? AGAIN : { kind: 'decided', outcome };
    }
    case 'elsewhere':
      return reply;
    case 'notFound':
    case 'keyTaken':
    case 'foreignEntity':
    case 'full':
    case 'busy':
    case 'unavailable':
      return AGAIN;
  }
}
