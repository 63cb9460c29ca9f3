import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { BinTable } from '@sluice/answers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { checkKind } from '../checked-form.js';
import { isTransactionId } from '@sluice/identifiers';
import { pendingAnswer } from '../payment-answer.js';
import { NO_REGISTRATION } from '../refusals.js';
import { RegisteredInstruments } from '../registered-instruments.js';
import { readRegistrationAnswer } from '../registration-answer.js';
import { RequestPipeline } from '../request-pipeline.js';
import { UnrecordedIds } from '../unrecorded-ids.js';

/** `GET /v1/registrations/{id}`: what was stored; one that was deleted is as if it never was. */
@Controller('v1/registrations/:id')
export class ReadRegistration {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly registered: RegisteredInstruments,
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
    const { stamp, receivedAtMs } = admitted;
    const found = await this.registered.find(admitted, id);
    if (found !== undefined && found.state !== 'ended') {
      return readRegistrationAnswer(found, stamp, this.bins);
    }
    const isYoung = isTransactionId(id) && this.unrecorded.mayAppear(id, receivedAtMs);
    if (found === undefined && isYoung) return pendingAnswer(id, stamp);
    throw new Refused(NO_REGISTRATION);
  }
}
