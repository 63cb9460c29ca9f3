import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { isTransactionId } from '@sluice/identifiers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { checkKind } from '../checked-form.js';
import { pendingAnswer } from '../payment-answer.js';
import { TRANSACTION_NOT_FOUND } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';
import { readScheduleAnswer } from '../schedule-answer.js';
import { ScheduleSender } from '../schedule-sender.js';
import { UnrecordedIds } from '../unrecorded-ids.js';

/** `GET /scheduling/v1/schedules/{id}`: a schedule as it stands, by any of its ids (wire contract 6). */
@Controller('scheduling/v1/schedules/:id')
export class ReadSchedule {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly schedules: ScheduleSender,
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
    const found = await this.schedules.find(admitted, id);
    if (found !== undefined) return readScheduleAnswer(found, stamp);
    const isYoung = isTransactionId(id) && this.unrecorded.mayAppear(id, receivedAtMs);
    if (isYoung) return pendingAnswer(id, stamp);
    throw new Refused(TRANSACTION_NOT_FOUND);
  }
}
