import {
  isRegistrationOperation,
  isScheduleEntry,
  type PersonalParametersAnswer,
  type PersonalParametersQuery,
  type RecordedTransactions,
  type ReferenceHeadsAnswer,
  type ReferenceHeadsQuery,
  type TransactionsByReferenceQuery,
} from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';

/** A service whose events are among the rows. */
export type Owner = 'payments' | 'registrations' | 'scheduling';

/** The service in whose streams such an entry is. */
export function ownerOf(operation: string): Owner {
  if (isRegistrationOperation(operation)) return 'registrations';
  return isScheduleEntry(operation) ? 'scheduling' : 'payments';
}

/** Queries to the owner of events for what rows may not have yet (D-65), or cannot show (D-22). */
export class RecordedOwner {
  constructor(
    private readonly queries: Queries,
    readonly owner: string,
  ) {}

  /** Nobody pays twice for want of any other, so without it an answer may be behind. */
  get isIndispensable(): boolean {
    return this.owner === 'payments';
  }

  /** Whether it finds streams by a merchant's own id; its rows are waited for otherwise. */
  get findsByReference(): boolean {
    return this.owner !== 'scheduling';
  }

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
