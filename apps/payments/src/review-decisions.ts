import type {
  Elsewhere,
  PaymentReply,
  ReviewDecidedAnswer,
  ReviewDecidedQuery,
} from '@sluice/contracts';
import { findTransaction, isOpen } from '@sluice/domain-payments';
import type { Clock } from '@sluice/service';
import type { AskedReferences } from './asked-references.js';
import type { PaymentStreams, PaymentWriter } from './payment-aggregate.js';

/** The parts they are made of. */
export interface ReviewDecisionsParts {
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly references: Pick<AskedReferences, 'refer'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Payments under review that somebody has decided about. What is released can be captured from then on; what is
 * rejected is reversed, under an id that risk has written down, so that asked again it is the same reversal.
 */
export class ReviewDecisions {
  constructor(private readonly parts: ReviewDecisionsParts) {}

  async decided(query: ReviewDecidedQuery): Promise<ReviewDecidedAnswer | Elsewhere> {
    const state = await this.#record(query);
    if (state !== 'approved' || query.reversalId === undefined) {
      return state === 'open' ? AGAIN : { kind: state === 'none' ? 'nothingToDecide' : 'recorded' };
    }
    const { reversalId: transactionId, transactionId: referencedId, actor } = query;
    const reply = await this.parts.references.refer(
      { transactionId, referencedId },
      ({ metadata: { ndc } }) => ({
        ...{ operation: 'reversal', ndc, actor, manualChargebacks: false },
      }),
    );
    return answerTo(reply);
  }

  /** Records it, once; while nobody knows what became of the payment, nothing is decided. */
  async #record({
    transactionId,
    decision,
    actor,
  }: ReviewDecidedQuery): Promise<'none' | 'open' | 'approved' | 'ended'> {
    const { streams, writer, clock } = this.parts;
    const stream = streams.hold(transactionId);
    try {
      await streams.inTurn(stream, () => writer.ensureLoaded(stream));
      const transaction = findTransaction(stream.state, transactionId);
      if (transaction === undefined) return 'none';
      if (isOpen(transaction.status)) return 'open';
      const nowMs = clock.now();
      await streams.inTurn(stream, () =>
        writer.record(stream, { type: 'DecideReview', transactionId, nowMs, actor, decision }),
      );
      return transaction.status === 'approved' ? 'approved' : 'ended';
    } finally {
      streams.release(stream);
    }
  }
}

const AGAIN: ReviewDecidedAnswer = { kind: 'again' };

/** A reversal that is refused was made before, by the merchant, or comes too late: nobody can do more. */
function answerTo(reply: PaymentReply): ReviewDecidedAnswer | Elsewhere {
  switch (reply.kind) {
    case 'transaction':
      return isOpen(reply.outcome.status) ? AGAIN : { kind: 'recorded' };
    case 'elsewhere':
      return reply;
    case 'full':
      return { kind: 'recorded' };
    case 'notFound':
    case 'keyTaken':
    case 'foreignEntity':
    case 'busy':
    case 'unavailable':
      return AGAIN;
  }
}
