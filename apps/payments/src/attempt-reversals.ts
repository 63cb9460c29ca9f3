import type {
  AttemptReversalAnswer,
  AttemptReversalQuery,
  Elsewhere,
  PaymentReply,
} from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import type { AskedReferences } from './asked-references.js';

/**
 * Payments that were approved after their shopper had gone on without them (page 0064): all of each is
 * reversed, under an id that checkouts has written down. Asked again, it is the same reversal.
 */
export class AttemptReversals {
  constructor(private readonly references: Pick<AskedReferences, 'refer'>) {}

  async reverse(query: AttemptReversalQuery): Promise<AttemptReversalAnswer | Elsewhere> {
    const { actor } = query;
    return answerTo(
      await this.references.refer(query, ({ metadata: { ndc } }) => ({
        ...{ operation: 'reversal', ndc, actor, manualChargebacks: false },
      })),
    );
  }
}

const AGAIN: AttemptReversalAnswer = { kind: 'again' };

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
