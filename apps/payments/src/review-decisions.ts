import type {
  Elsewhere,
  PaymentReply,
  ReviewDecidedAnswer,
  ReviewDecidedQuery,
} from '@sluice/contracts';
import {
  findTransaction,
  type GivingBack,
  givingBack,
  isOpen,
  TRY_AGAIN_AFTER_MS,
} from '@sluice/domain-payments';
import { type TransactionId, transactionIdOfTry } from '@sluice/identifiers';
import { toMessage } from '@sluice/money';
import type { EntityClock, Logger } from '@sluice/service';
import type { AskedReferences } from './asked-references.js';
import {
  firstOf,
  type PaymentStream,
  type PaymentStreams,
  type PaymentWriter,
} from './payment-aggregate.js';

/** The parts they are made of. */
export interface ReviewDecisionsParts {
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly references: Pick<AskedReferences, 'refer'>;
  readonly clock: Pick<EntityClock, 'now' | 'nowOf'>;
  readonly logger: Pick<Logger, 'warn'>;
}

type RejectionQuery = ReviewDecidedQuery & Required<Pick<ReviewDecidedQuery, 'reversalId'>>;
type Submitted = Extract<GivingBack, { kind: 'reverse' | 'refund' }>;

/** A reversal and a refund, or one of them, and one more after each wait. */
const TRIES_MAX = TRY_AGAIN_AFTER_MS.length + 1;
/** A reversal that is refused is followed by a refund, and that by the look whether anything is left. */
const STEPS_MAX = TRIES_MAX + 1;

/**
 * Payments under review that somebody has decided about. What is released can be captured from then on. What is
 * rejected is given back: by a reversal or, where it comes too late for one, by a refund of what is left. Each has
 * an id that is made of the one that risk has written down, so that asked again it is the same one. Where neither
 * works, a case is opened for a person; until one of these is so, risk is told to ask again.
 */
export class ReviewDecisions {
  constructor(private readonly parts: ReviewDecisionsParts) {}

  async decided(query: ReviewDecidedQuery): Promise<ReviewDecidedAnswer | Elsewhere> {
    const state = await this.#record(query);
    if (state === 'none') return { kind: 'nothingToDecide' };
    if (state === 'open') return AGAIN;
    const { reversalId } = query;
    if (state === 'ended' || reversalId === undefined) return { kind: 'recorded' };
    return await this.#giveBack({ ...query, reversalId });
  }

  /** Records it, once; while nobody knows what became of the payment, nothing is decided. */
  async #record({
    transactionId,
    decision,
    actor,
  }: ReviewDecidedQuery): Promise<'none' | 'open' | 'approved' | 'ended'> {
    return await this.#with(transactionId, async (stream) => {
      const { streams, writer, clock } = this.parts;
      const transaction = findTransaction(stream.state, transactionId);
      if (transaction === undefined) return 'none';
      if (isOpen(transaction.status)) return 'open';
      const nowMs = clock.now(transaction.metadata.entityId);
      await streams.inTurn(stream, () =>
        writer.record(stream, { type: 'DecideReview', transactionId, nowMs, actor, decision }),
      );
      // The first decision stays, whatever somebody who does not know of it decides.
      if (findTransaction(stream.state, transactionId)?.review !== decision) return 'none';
      return transaction.status === 'approved' ? 'approved' : 'ended';
    });
  }

  async #giveBack(query: RejectionQuery): Promise<ReviewDecidedAnswer | Elsewhere> {
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const step = await this.#nextStep(query);
      switch (step.kind) {
        case 'done':
          return { kind: 'recorded' };
        case 'wait':
          return AGAIN;
        case 'giveUp':
          await this.#openCase(query, step.amount);
          return { kind: 'recorded' };
        case 'reverse':
        case 'refund': {
          const reply = await this.#submit(query, step);
          if (reply.kind === 'elsewhere') return reply;
          if (reply.kind === 'full') return await this.#giveUpFull(query);
          // Busy, say. What became of one that was recorded, the next look finds.
          if (reply.kind !== 'transaction') return AGAIN;
        }
      }
    }
    return AGAIN;
  }

  async #nextStep({ transactionId, reversalId }: RejectionQuery): Promise<GivingBack> {
    const tries = Array.from({ length: TRIES_MAX }, (_, count) => count);
    const tryIds = tries.map((count) => transactionIdOfTry(reversalId, count));
    return await this.#with(transactionId, ({ state }) => {
      const nowMs = this.parts.clock.nowOf(firstOf(state));
      return Promise.resolve(givingBack(state, { transactionId, tryIds, nowMs }));
    });
  }

  async #submit(query: RejectionQuery, step: Submitted): Promise<PaymentReply> {
    const { transactionId: referencedId, actor } = query;
    const { transactionId } = step;
    return await this.parts.references.refer(
      { transactionId, referencedId },
      ({ metadata: { ndc } }) => ({
        ...{ ndc, actor, manualChargebacks: false },
        ...(step.kind === 'refund'
          ? { operation: 'refund', amount: toMessage(step.amount) }
          : { operation: 'reversal' }),
      }),
    );
  }

  /** It takes no further transaction, so nothing can be given back through it. */
  async #giveUpFull(query: RejectionQuery): Promise<ReviewDecidedAnswer> {
    const { transactionId } = query;
    const step = await this.#with(transactionId, ({ state }) =>
      Promise.resolve(givingBack(state, { transactionId, tryIds: [], nowMs: 0 })),
    );
    if (step.kind === 'giveUp') await this.#openCase(query, step.amount);
    return step.kind === 'wait' ? AGAIN : { kind: 'recorded' };
  }

  async #openCase(
    { transactionId, actor }: RejectionQuery,
    amount: Extract<GivingBack, { kind: 'giveUp' }>['amount'],
  ): Promise<void> {
    const { streams, writer, clock, logger } = this.parts;
    const isNew = await this.#with(transactionId, (stream) => {
      const nowMs = clock.nowOf(firstOf(stream.state));
      return streams.inTurn(stream, () =>
        writer.record(stream, { type: 'OpenRejectionCase', transactionId, nowMs, actor, amount }),
      );
    });
    if (!isNew) return;
    logger.warn(
      { paymentId: transactionId },
      'A rejected payment cannot be given back; a case was opened.',
    );
  }

  async #with<Result>(
    transactionId: TransactionId,
    use: (stream: PaymentStream) => Promise<Result>,
  ): Promise<Result> {
    const { streams, writer } = this.parts;
    const stream = streams.hold(transactionId);
    try {
      await streams.inTurn(stream, () => writer.ensureLoaded(stream));
      return await use(stream);
    } finally {
      streams.release(stream);
    }
  }
}

const AGAIN: ReviewDecidedAnswer = { kind: 'again' };
