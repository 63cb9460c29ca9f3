import { Controller, Get, Req, Res } from '@nestjs/common';
import { BinTable } from '@sluice/answers';
import type { RecordedTransactions, RecordedTransactionsQuery } from '@sluice/contracts';
import { checkQuery, read } from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { withIssuerWords } from '../issuer-words.js';
import { QueriedLists, type QueryVersion } from '../query-answer.js';
import { QueryClient } from '../query-client.js';
import { invalidParameters } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';

/**
 * `GET /v1/query` and `GET /v3/query`: transactions by the merchant's own id or by time (Interface
 * 2.19, wire contract 6), searched by reporting, which answers nothing that is older than the
 * question (D-65).
 */
@Controller()
export class QueryTransactions {
  readonly #lists: QueriedLists;

  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly queries: QueryClient,
    bins: BinTable,
  ) {
    this.#lists = new QueriedLists(bins);
  }

  @Get('v1/query')
  servePayments(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answer(admitted, 'v1'));
  }

  @Get('v3/query')
  serveRecords(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answer(admitted, 'v3'));
  }

  async #answer(admitted: AdmittedRequest, version: QueryVersion): Promise<Answer> {
    const { access, form, mode } = admitted;
    const checked = checkQuery(form, mode, access.compatibility);
    if (checked.kind === 'refused') throw new Refused(invalidParameters(...checked.violations));
    const query: RecordedTransactionsQuery = {
      ...checked.query,
      entityId: access.channel.id,
      includeLinked: read(form, 'includeLinkedTransactions') === true,
    };
    const found = await this.queries.ask<RecordedTransactions>(
      'reporting',
      'reporting.transactions',
      query,
    );
    const transactions = await withIssuerWords(this.queries, found.transactions);
    return this.#lists.answer(version, admitted, { ...found, transactions }, query.limit);
  }
}
