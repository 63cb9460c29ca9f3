import {
  BANK_ACTOR,
  type BankReturnAnswer,
  type BankReturnQuery,
  type Elsewhere,
  type PaymentReply,
} from '@sluice/contracts';
import { isOpen } from '@sluice/domain-payments';
import { newNdc } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import type { AskedReferences, Reference, Referenced } from './asked-references.js';

/**
 * Payments that a bank has taken back, days after they were approved. Each becomes a chargeback of a
 * settlement, which is always recorded, under an id that the asker has written down: asked again, it
 * is the same one.
 */
export class BankReturns {
  constructor(private readonly references: Pick<AskedReferences, 'refer'>) {}

  async returned(query: BankReturnQuery): Promise<BankReturnAnswer | Elsewhere> {
    return answerTo(
      await this.references.refer(query, (referenced) => chargebackOf(query, referenced)),
    );
  }
}

function chargebackOf(
  { amount, resultCode }: BankReturnQuery,
  { status, metadata }: Referenced,
): Reference | undefined {
  // The answer that it is in a file was lost. Nothing is taken of it yet, as far as is known here, so all
  // of it would be in excess, and a case for a person.
  if (isOpen(status)) return undefined;
  return {
    ...{ operation: 'chargeback', amount, chargebackResultCode: resultCode },
    ...{ ndc: newNdc(metadata.entityId), actor: BANK_ACTOR },
    // Whether the channel's merchant may report them is about the merchant.
    manualChargebacks: true,
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
