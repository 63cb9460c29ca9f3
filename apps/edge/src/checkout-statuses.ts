import type { BinTable } from '@sluice/answers';
import type {
  AttemptStanding,
  CheckoutPurpose,
  CheckoutStatusAnswer,
  ServedAnswer,
} from '@sluice/contracts';
import type { CheckoutId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { neverAskedForAnswer, pendingCheckoutAnswer } from './checkout-answer.js';
import type { CheckoutReads } from './checkout-reads.js';
import type { CheckoutSavings } from './checkout-savings.js';
import { findTransaction } from './find-transaction.js';
import { readAnswer } from './payment-answer.js';
import type { QueryClient } from './query-client.js';
import { NO_PAYMENT_SESSION, UNAVAILABLE } from './refusals.js';
import type { RegisteredInstruments } from './registered-instruments.js';
import { readRegistrationAnswer } from './registration-answer.js';

/** What the status of a checkout is answered from. */
export interface CheckoutStatusesParts {
  readonly queries: QueryClient;
  readonly reads: Pick<CheckoutReads, 'admit'>;
  readonly registered: Pick<RegisteredInstruments, 'find'>;
  readonly bins: BinTable;
  readonly savings: Pick<CheckoutSavings, 'forgetQuietly'>;
}

/** Which checkout is read, and at which of its resources. */
export interface ReadStatus {
  readonly checkoutId: CheckoutId;
  readonly purpose: CheckoutPurpose;
}

/** Answers how checkouts stand (wire contract 3). */
export class CheckoutStatuses {
  constructor(private readonly parts: CheckoutStatusesParts) {}

  /**
   * A success is recorded as served before it is answered, and read before that: while it cannot be
   * read, it can be asked for again. @throws Refused
   */
  async read(admitted: AdmittedRequest, { checkoutId, purpose }: ReadStatus): Promise<Answer> {
    this.parts.reads.admit(checkoutId, admitted);
    const entityId = admitted.access.channel.id;
    const query = { checkoutId, entityId, purpose };
    const { queries, savings } = this.parts;
    const { status, attempt, vaultReference } = await queries.ask<CheckoutStatusAnswer>(
      ...(['checkouts', 'checkouts.status', query] as const),
    );
    if (status === undefined) throw new Refused(NO_PAYMENT_SESSION);
    if (status === 'pending' || attempt === undefined) {
      return pendingCheckoutAnswer(checkoutId, admitted.stamp);
    }
    // Nothing is saved once it has succeeded, so this is all that there will ever be.
    await savings.forgetQuietly({ vaultReference });
    const answer = await this.#answerOf(admitted, purpose, attempt);
    if (status === 'failed') return answer;
    const { isServed } = await queries.ask<ServedAnswer>(
      ...(['checkouts', 'checkouts.serve', query] as const),
    );
    if (!isServed) throw new Refused(NO_PAYMENT_SESSION);
    return answer;
  }

  /** As a read of the payment or registration itself would answer; `ndc` is the checkout's. */
  async #answerOf(
    admitted: AdmittedRequest,
    purpose: CheckoutPurpose,
    attempt: AttemptStanding,
  ): Promise<Answer> {
    const { transactionId: id, resultCode } = attempt;
    const { queries, registered, bins } = this.parts;
    const { stamp, publicUrl } = admitted;
    if (purpose === 'payment') {
      const found = await findTransaction(queries, admitted, id);
      if (found !== undefined)
        return readAnswer({ ...found, publicUrl, outcome: found }, stamp, bins);
    } else {
      const found = await registered.find(admitted, id);
      if (found !== undefined) return readRegistrationAnswer(found, stamp, bins);
    }
    // Whoever submitted it ended before anything was asked for, so nobody has more to say of it.
    if (resultCode === codes.notPerformed) return neverAskedForAnswer(attempt, stamp);
    throw new Refused(UNAVAILABLE);
  }
}
