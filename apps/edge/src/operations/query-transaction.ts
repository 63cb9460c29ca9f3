import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { BinTable } from '@sluice/answers';
import {
  type LinkedTransactionsQuery,
  PAGED_TRANSACTIONS_MAX,
  type RecordedTransactions,
  type TransactionEntriesQuery,
} from '@sluice/contracts';
import { isTransactionId } from '@sluice/identifiers';
import { checkEntryQuery, type EntryQueryForm } from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import {
  findRegistrationTransaction,
  findScheduleTransaction,
  findTransaction,
} from '../find-transaction.js';
import { withIssuerWords } from '../issuer-words.js';
import { queriedPaymentAnswer, QueriedLists } from '../query-answer.js';
import { QueryClient } from '../query-client.js';
import { invalidParameters, TRANSACTION_NOT_FOUND } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';
import { ThrottledIds } from '../throttled-ids.js';

/** Whose streams have transactions, in the order in which they are asked. */
const OWNERS = ['payments', 'registrations', 'scheduling'] as const;

/**
 * `GET /v1/query/{id}` and `GET /v3/query/{id}`: one transaction, which its owner answers from its own
 * stream (Interface 2.19, wire contract 6): payments, or registrations or scheduling of what was done to one.
 */
@Controller()
export class QueryTransaction {
  readonly #lists: QueriedLists;

  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly queries: QueryClient,
    private readonly throttledIds: ThrottledIds,
    private readonly bins: BinTable,
  ) {
    this.#lists = new QueriedLists(bins);
  }

  @Get('v1/query/:id')
  serveAlone(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answerAlone(admitted, id));
  }

  @Get('v3/query/:id')
  serveListed(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answerListed(admitted, id));
  }

  /** One transaction alone, in its current state. */
  async #answerAlone(admitted: AdmittedRequest, id: string): Promise<Answer> {
    this.throttledIds.refuse(id, admitted.access.channel.id);
    checked(admitted, 'one');
    if (!isTransactionId(id)) throw new Refused(TRANSACTION_NOT_FOUND);
    const found =
      (await findTransaction(this.queries, admitted, id)) ??
      (await findRegistrationTransaction(this.queries, admitted, id)) ??
      (await findScheduleTransaction(this.queries, admitted, id));
    if (found === undefined) throw new Refused(TRANSACTION_NOT_FOUND);
    return queriedPaymentAnswer(found, admitted.stamp, this.bins);
  }

  /** As a list, on request with all others of its payment, and what is linked with that. */
  async #answerListed(admitted: AdmittedRequest, id: string): Promise<Answer> {
    const entityId = admitted.access.channel.id;
    this.throttledIds.refuse(id, entityId);
    const wanted = checked(admitted, 'list');
    if (!isTransactionId(id)) throw new Refused(TRANSACTION_NOT_FOUND);
    const query: TransactionEntriesQuery = { transactionId: id, entityId, ...wanted };
    const own = await this.#ownEntries(query);
    const found = wanted.includeLinked ? await this.#withLinked(own, query) : own;
    const transactions = await withIssuerWords(this.queries, found.transactions);
    return this.#lists.answer('v3', admitted, { ...found, transactions }, wanted.limit);
  }

  /**
   * Those of its own payment or registration come first, as its owner has them; what others have to do
   * with it is in reporting's rows alone. Without these, the answer says that something may be missing.
   */
  async #withLinked(
    own: RecordedTransactions,
    { limit, pageNo, includeLinked: _, ...asked }: TransactionEntriesQuery,
  ): Promise<RecordedTransactions> {
    const query: LinkedTransactionsQuery = {
      ...asked,
      limit: limit - own.transactions.length,
      offset: Math.max(0, (pageNo - 1) * limit - own.total),
    };
    try {
      const linked = await this.queries.ask<RecordedTransactions>(
        'reporting',
        'reporting.linkedTransactions',
        query,
      );
      const isBehind = own.isBehind ?? linked.isBehind;
      return {
        transactions: [...own.transactions, ...linked.transactions],
        total: Math.min(own.total + linked.total, PAGED_TRANSACTIONS_MAX),
        ...(isBehind && { isBehind }),
      };
    } catch (error) {
      if (error instanceof Refused) return { ...own, isBehind: true };
      throw error;
    }
  }

  /** From whoever has it. */
  async #ownEntries(query: TransactionEntriesQuery): Promise<RecordedTransactions> {
    let found: RecordedTransactions = { transactions: [], total: 0 };
    for (const owner of OWNERS) {
      const entries = `${owner}.transactionEntries`;
      found = await this.queries.ask<RecordedTransactions>(owner, entries, query);
      if (found.total > 0) break;
    }
    return found;
  }
}

/** What the query asks for; throws Refused with everything that is wrong with it. */
function checked({ access, form, mode }: AdmittedRequest, answer: 'one' | 'list'): EntryQueryForm {
  const result = checkEntryQuery(form, mode, answer, access.compatibility);
  if (result.kind === 'refused') throw new Refused(invalidParameters(...result.violations));
  return result.query;
}
