import type { FixedAnswer, PaymentReply } from '@sluice/contracts';
import { findTransaction, type Transaction } from '@sluice/domain-payments';
import type { TransactionId } from '@sluice/identifiers';
import { Execution } from '@sluice/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import { type Acceptance, foldRecorded, type PaymentEvents } from './payment-record.js';
import { type Handled, replyOf } from './payment-replies.js';

/**
 * How often, and how far apart, a command that was delivered again looks for the outcome that another
 * instance is about to record. The 3 s are longer than nearly every acquirer takes, and short enough
 * that after a crash, when nobody records one, the merchant soon learns that it is pending.
 */
const OUTCOME_LOOKS = 30;
const OUTCOME_POLL_MS = 100;

type ClaimTaken = Extract<Acceptance<never>, { kind: 'claimTaken' }>;

/** Replies to commands that came before: delivered again, or sent again by the merchant. */
export class DuplicateCommands {
  /** @param wait passes so many milliseconds between two looks */
  constructor(
    private readonly store: Pick<PaymentEvents, 'readByTransaction'>,
    private readonly wait: (ms: number) => Promise<void> = pause,
  ) {}

  /**
   * The first one's outcome as it stands. Whoever sent the duplicate waits for more (R-IDEM-04):
   * a reply that waited here could come after the sender's deadline, and then nobody would have
   * told it the first one's id (D-36).
   */
  async claimTaken(taken: ClaimTaken, transactionId: TransactionId): Promise<Handled> {
    if (taken.claim === 'transaction') {
      return this.outcomeFor(transactionId, replyOf(await this.#stored(transactionId)));
    }
    const answer = JSON.parse(taken.answer) as FixedAnswer;
    const reply = replyOf(await this.#stored(taken.transactionId));
    return {
      ...{ kind: 'keyTaken', fingerprint: taken.fingerprint, answer },
      ...(reply.kind === 'transaction' && { outcome: reply.outcome }),
    };
  }

  /**
   * The reply to a command that was delivered again, with what is known of its transaction. A
   * partition that moves to another instance leaves what was begun to the one that began it, and its
   * outcome comes in a moment: "under way" would be an answer before the answer.
   */
  outcomeFor(transactionId: TransactionId, known: PaymentReply): Handled {
    if (!isUnderWay(known)) return known;
    return new Execution(() => this.#outcomeOfAnother(transactionId, known));
  }

  /** What the one that began it has recorded; as it stood, where nothing comes of it. */
  async #outcomeOfAnother(
    transactionId: TransactionId,
    known: PaymentReply,
  ): Promise<PaymentReply> {
    for (let looks = 0; looks < OUTCOME_LOOKS; looks += 1) {
      await this.wait(OUTCOME_POLL_MS);
      const reply = replyOf(await this.#stored(transactionId));
      if (reply.kind === 'transaction' && !isUnderWay(reply)) return reply;
    }
    return known;
  }

  async #stored(transactionId: string): Promise<Transaction | undefined> {
    const found = await this.store.readByTransaction(transactionId);
    return found && findTransaction(foldRecorded(found.events), transactionId);
  }
}

function isUnderWay(reply: PaymentReply): boolean {
  return reply.kind === 'transaction' && reply.outcome.status === 'requested';
}
