import type {
  PersonalParametersAnswer,
  PersonalParametersQuery,
  RecordedTransactions,
  ReferenceHeadsAnswer,
  ReferenceHeadsQuery,
  TransactionsByReferenceQuery,
} from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';

/** A service whose events are among the rows. */
export type Owner = 'payments' | 'registrations';

/** Queries to the owner of events for what rows may not have yet (D-65), or cannot show (D-22). */
export class RecordedOwner {
  constructor(
    private readonly queries: Queries,
    readonly owner: Owner,
  ) {}

  /** The versions of the streams that have a merchant's own id. */
  referenceHeads(query: ReferenceHeadsQuery): Promise<ReferenceHeadsAnswer> {
    return this.#ask<ReferenceHeadsAnswer>('referenceHeads', query);
  }

  /** A search by a merchant's own id, answered from the streams themselves. */
  transactionsByReference(query: TransactionsByReferenceQuery): Promise<RecordedTransactions> {
    return this.#ask<RecordedTransactions>('transactionsByReference', query);
  }

  /** Sealed parameters in clear: the owner alone has the keys. */
  personalParameters(query: PersonalParametersQuery): Promise<PersonalParametersAnswer> {
    return this.#ask<PersonalParametersAnswer>('personalParameters', query);
  }

  #ask<Answer>(name: string, query: object): Promise<Answer> {
    return this.queries.ask<Answer>(this.owner, `${this.owner}.${name}`, query);
  }
}
