import type {
  RecordedTransactionQuery,
  RecordedTransactions,
  RecordedTransactionsQuery,
} from '@sluice/contracts';
import { isTransactionId } from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import { checkQuery, type ParameterError, read, violations } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { Admitted } from './admission.js';
import { type Answer, type Refusal, Refused } from './answer.js';
import type { BinTable } from './bin-table.js';
import { queriedPaymentAnswer, queryAnswer, type QueryVersion } from './query-answer.js';

const NOTHING_FOUND: Refusal = { code: codes.transactionNotFound };
const UNAVAILABLE: Refusal = { code: codes.unavailable };

/**
 * `GET /v1/query`, `GET /v3/query` and both with an id (Interface 2.19, wire contract 6). They read
 * what reporting has made of the published events, so they may be some moments behind; what must be
 * current is read by `GET /v1/payments/{id}`.
 */
export class QueryRequests {
  constructor(
    private readonly queries: Queries,
    private readonly bins: BinTable,
  ) {}

  /** One transaction: v1 answers it by itself, v3 as a list, on demand with all of its payment. */
  async one(admitted: Admitted, version: QueryVersion, id: string): Promise<Answer> {
    refuse(violations(admitted.form, 'query', admitted.mode, admitted.access.compatibility));
    if (!isTransactionId(id)) throw new Refused(NOTHING_FOUND);
    const { access, form, stamp } = admitted;
    const query: RecordedTransactionQuery = {
      transactionId: id,
      entityId: access.channel.id,
      includeLinked: version === 'v3' && read(form, 'includeLinkedTransactions') === true,
    };
    const found = await this.#ask('reporting.transaction', query);
    const [first] = found.transactions;
    if (first === undefined) throw new Refused(NOTHING_FOUND);
    return version === 'v1'
      ? queriedPaymentAnswer(first, stamp, this.bins)
      : queryAnswer(version, found, undefined, stamp, this.bins);
  }

  /** Transactions by the merchant's own id or by time. */
  async many(admitted: Admitted, version: QueryVersion): Promise<Answer> {
    const { access, form, mode, stamp } = admitted;
    const checked = checkQuery(form, mode, access.compatibility);
    if (checked.kind === 'refused') throw new Refused(invalid(checked.violations));
    const query: RecordedTransactionsQuery = {
      ...checked.query,
      entityId: access.channel.id,
      includeLinked: read(form, 'includeLinkedTransactions') === true,
    };
    const found = await this.#ask('reporting.transactions', query);
    if (found.total === 0) throw new Refused(NOTHING_FOUND);
    const pages = Math.ceil(found.total / query.limit);
    const isPaginated = version === 'v3' && (pages > 1 || form.has('pageNo'));
    return queryAnswer(version, found, isPaginated ? pages : undefined, stamp, this.bins);
  }

  async #ask(
    name: string,
    query: RecordedTransactionQuery | RecordedTransactionsQuery,
  ): Promise<RecordedTransactions> {
    try {
      return await this.queries.ask<RecordedTransactions>('reporting', name, query);
    } catch (error) {
      if (error instanceof QueryUnavailable) throw new Refused(UNAVAILABLE);
      throw error;
    }
  }
}

function refuse(found: readonly ParameterError[]): void {
  if (found.length > 0) throw new Refused(invalid(found));
}

function invalid(parameterErrors: readonly ParameterError[]): Refusal {
  return { code: codes.invalidParameter, parameterErrors };
}
