import type {
  RecordedTransactions,
  RecordedTransactionsQuery,
  TransactionAnswer,
  TransactionEntriesQuery,
  TransactionQuery,
} from '@sluice/contracts';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import {
  checkEntryQuery,
  checkQuery,
  type EntryQueryForm,
  type ParameterError,
  read,
} from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { Admitted } from './admission.js';
import { type Answer, type Refusal, Refused } from './answer.js';
import type { BinTable } from './bin-table.js';
import { queriedPaymentAnswer, queryAnswer, type QueryVersion } from './query-answer.js';

const NOTHING_FOUND: Refusal = { code: codes.transactionNotFound };
const UNAVAILABLE: Refusal = { code: codes.unavailable };

/**
 * `GET /v1/query`, `GET /v3/query` and both with an id (Interface 2.19, wire contract 6). By id
 * payments answers from the payment's own stream. Everything else is searched by reporting, which
 * answers nothing that is older than the question (D-65).
 */
export class QueryRequests {
  constructor(
    private readonly queries: Queries,
    private readonly bins: BinTable,
  ) {}

  /** One transaction: v1 answers it by itself, v3 as a list, on demand with all of its payment. */
  async one(admitted: Admitted, version: QueryVersion, id: string): Promise<Answer> {
    const answer = version === 'v1' ? 'one' : 'list';
    const { access, form, mode } = admitted;
    const checked = checkEntryQuery(form, mode, answer, access.compatibility);
    if (checked.kind === 'refused') throw new Refused(invalid(checked.violations));
    if (!isTransactionId(id)) throw new Refused(NOTHING_FOUND);
    return version === 'v1'
      ? this.#payment(admitted, id)
      : this.#records(admitted, id, checked.query);
  }

  /** Transactions by the merchant's own id or by time. */
  async many(admitted: Admitted, version: QueryVersion): Promise<Answer> {
    const { access, form, mode } = admitted;
    const checked = checkQuery(form, mode, access.compatibility);
    if (checked.kind === 'refused') throw new Refused(invalid(checked.violations));
    const query: RecordedTransactionsQuery = {
      ...checked.query,
      entityId: access.channel.id,
      includeLinked: read(form, 'includeLinkedTransactions') === true,
    };
    const found = await this.#ask<RecordedTransactions>(
      'reporting',
      'reporting.transactions',
      query,
    );
    return this.#list(admitted, version, found, query.limit);
  }

  async #payment({ access, stamp }: Admitted, transactionId: TransactionId): Promise<Answer> {
    const query: TransactionQuery = { transactionId, entityId: access.channel.id };
    const { transaction } = await this.#ask<TransactionAnswer>(
      'payments',
      'payments.transaction',
      query,
    );
    if (transaction === undefined) throw new Refused(NOTHING_FOUND);
    return queriedPaymentAnswer(transaction, stamp, this.bins);
  }

  async #records(
    admitted: Admitted,
    transactionId: TransactionId,
    wanted: EntryQueryForm,
  ): Promise<Answer> {
    const entityId = admitted.access.channel.id;
    const query: TransactionEntriesQuery = { transactionId, entityId, ...wanted };
    const found = await this.#ask<RecordedTransactions>(
      'payments',
      'payments.transactionEntries',
      query,
    );
    return this.#list(admitted, 'v3', found, wanted.limit);
  }

  #list(
    { form, stamp }: Admitted,
    version: QueryVersion,
    found: RecordedTransactions,
    limit: number,
  ): Answer {
    // "Not found" would be believed, and the shopper would pay twice.
    if (found.total === 0) throw new Refused(found.isBehind ? UNAVAILABLE : NOTHING_FOUND);
    const pages = Math.ceil(found.total / limit);
    const isPaginated = version === 'v3' && (pages > 1 || form.has('pageNo'));
    return queryAnswer(version, found, isPaginated ? pages : undefined, stamp, this.bins);
  }

  async #ask<Found>(service: string, name: string, query: object): Promise<Found> {
    try {
      return await this.queries.ask<Found>(service, name, query);
    } catch (error) {
      if (error instanceof QueryUnavailable) throw new Refused(UNAVAILABLE);
      throw error;
    }
  }
}

function invalid(parameterErrors: readonly ParameterError[]): Refusal {
  return { code: codes.invalidParameter, parameterErrors };
}
