import {
  ELSEWHERE,
  type PaymentReply,
  type ReferToPayment,
  type ReferToPaymentData,
} from '@sluice/contracts';
import { findTransaction } from '@sluice/domain-payments';
import { ShardElsewhere } from '@sluice/event-store';
import { chainShard, newMessageId, type TransactionId } from '@sluice/identifiers';
import { Execution, type Opened, Unrecorded } from '@sluice/messaging';
import type { Clock } from '@sluice/service';
import { paymentOf, type PaymentStore } from './payment-aggregate.js';
import type { PaymentsHandler } from './payments.handler.js';

/**
 * Longer than anybody waits for the answer (5 s): whoever hears nothing asks again under the same id,
 * and a transaction whose time was over would stay not performed for ever.
 */
const LIFE_MS = 60_000;

/** The parts it is made of. */
export interface AskedReferencesParts {
  readonly store: Pick<PaymentStore, 'readByTransaction'>;
  readonly handler: Pick<PaymentsHandler, 'refer'>;
  readonly machine: Pick<Clock, 'now' | 'monotonicMs'>;
}

/** Which transaction is asked for, and what it refers to. */
export interface AskedReference {
  /** The asker has written it down: asked again, it is the same transaction. */
  readonly transactionId: TransactionId;
  readonly referencedId: TransactionId;
}

/** The transaction that is referred to, as payments has it. */
export type Referenced = NonNullable<ReturnType<typeof findTransaction>>;

/** What is to be done with it, by whom, and under which `ndc`. */
export type Reference = Pick<ReferToPaymentData, 'amount' | 'chargebackResultCode' | 'operation'> &
  Pick<ReferToPaymentData['context'], 'actor' | 'manualChargebacks' | 'ndc'>;

/**
 * Further transactions of a payment that another service asks for by a query, because no merchant does: a
 * bank has taken a payment back, a payment was approved after its shopper had gone on without it.
 */
export class AskedReferences {
  constructor(private readonly parts: AskedReferencesParts) {}

  /**
   * @returns payments' reply to the command that this is; `busy` if `referenceOf` says that it is too
   *   early, with nothing recorded.
   */
  async refer(
    asked: AskedReference,
    referenceOf: (referenced: Referenced) => Reference | undefined,
  ): Promise<PaymentReply> {
    try {
      return await this.#refer(asked, referenceOf);
    } catch (error) {
      if (error instanceof ShardElsewhere) return ELSEWHERE;
      throw error;
    }
  }

  async #refer(
    asked: AskedReference,
    referenceOf: (referenced: Referenced) => Reference | undefined,
  ): Promise<PaymentReply> {
    const { store, handler, machine } = this.parts;
    const found = await store.readByTransaction(asked.referencedId);
    const referenced = found && findTransaction(paymentOf(found.events), asked.referencedId);
    if (referenced === undefined) return { kind: 'notFound' };
    const reference = referenceOf(referenced);
    if (reference === undefined) return { kind: 'busy' };
    const message = messageOf(asked, referenced, reference, machine.now());
    const handled = await handler.refer(message, machine.monotonicMs() + LIFE_MS);
    if (handled instanceof Execution) return await handled.run();
    return handled instanceof Unrecorded ? handled.reply : handled;
  }
}

function messageOf(
  { transactionId, referencedId }: AskedReference,
  { metadata: { entityId, channelName, mode } }: Referenced,
  { ndc, actor, manualChargebacks, ...reference }: Reference,
  nowMs: number,
): Opened<ReferToPayment> {
  const id = newMessageId(nowMs);
  return {
    ...{ id, type: 'ReferToPayment', schemaVersion: 1, key: chainShard(referencedId) },
    ...{ correlationId: ndc, causationId: id, timeToLiveMs: LIFE_MS },
    data: {
      ...{ transactionId, referencedId, ...reference, final: false, parameters: {} },
      context: {
        ...{ entityId, channelName, mode, ndc, receivedAtMs: nowMs, actor, manualChargebacks },
      },
    },
  };
}
