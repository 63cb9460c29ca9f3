import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { BinTable } from '@sluice/answers';
import { isTransactionId } from '@sluice/identifiers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { cryptogramOf } from '../authentication-cryptogram.js';
import { checkKind } from '../checked-form.js';
import { findRegistrationTransaction, findTransaction } from '../find-transaction.js';
import { pendingAnswer, readAnswer } from '../payment-answer.js';
import { QueryClient } from '../query-client.js';
import { OF_A_REGISTRATION, TRANSACTION_NOT_FOUND } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';
import { UnrecordedIds } from '../unrecorded-ids.js';

/** `GET /v1/payments/{id}`: HTTP 200 whatever became of it; 404 when there is none (D-04). */
@Controller('v1/payments/:id')
export class ReadPayment {
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
    const { stamp, receivedAtMs } = admitted;
    const found = await findTransaction(this.queries, admitted, id);
    if (found !== undefined) {
      const { publicUrl } = admitted;
      const proof = await cryptogramOf(this.queries, admitted, found);
      return readAnswer({ ...found, ...proof, publicUrl, outcome: found }, stamp, this.bins);
    }
    // A registration's id is one among payments, too, but begins them (Interface 4: 404 if none has it).
    const stored = await findRegistrationTransaction(this.queries, admitted, id);
    if (stored !== undefined) throw new Refused(OF_A_REGISTRATION);
    if (this.unrecorded.mayAppear(id, receivedAtMs)) return pendingAnswer(id, stamp);
    throw new Refused(TRANSACTION_NOT_FOUND);
  }
}
