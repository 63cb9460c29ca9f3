import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { BinTable } from '@sluice/answers';
import { isTransactionId } from '@sluice/identifiers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { cryptogramOf } from '../authentication-cryptogram.js';
import { checkKind } from '../checked-form.js';
import { findTransaction } from '../find-transaction.js';
import { pendingAnswer, readAnswer } from '../payment-answer.js';
import { QueryClient } from '../query-client.js';
import { TRANSACTION_NOT_FOUND } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';
import { UnrecordedIds } from '../unrecorded-ids.js';

/** `GET /v1/threeDSecure/{id}`: an authentication alone as it stands, and nothing that is a payment. */
@Controller('v1/threeDSecure/:id')
export class ReadAuthentication {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly queries: QueryClient,
    private readonly bins: BinTable,
    private readonly unrecorded: UnrecordedIds,
  ) {}

  @Get()
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answer(admitted, id));
  }

  async #answer(admitted: AdmittedRequest, id: string): Promise<Answer> {
    this.unrecorded.refuseThrottled(id, admitted.access.channel.id);
    checkKind(admitted, 'read');
    if (!isTransactionId(id)) throw new Refused(TRANSACTION_NOT_FOUND);
    const { stamp, receivedAtMs, publicUrl } = admitted;
    const found = await findTransaction(this.queries, admitted, id);
    if (found === undefined && this.unrecorded.mayAppear(id, receivedAtMs)) {
      return pendingAnswer(id, stamp);
    }
    if (found?.operation !== 'authentication') throw new Refused(TRANSACTION_NOT_FOUND);
    const proof = await cryptogramOf(this.queries, admitted, found);
    return readAnswer({ ...found, ...proof, publicUrl, outcome: found }, stamp, this.bins);
  }
}
