import { Controller, Get, Req, Res } from '@nestjs/common';
import { Form, REGISTRATION_ID } from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import type { Answer } from '../answer.js';
import { checkKind, refuseViolations } from '../checked-form.js';
import { RequestPipeline } from '../request-pipeline.js';
import { schedulesAnswer } from '../schedule-answer.js';
import { ScheduleSender } from '../schedule-sender.js';

/** `GET /scheduling/v1/schedules?registrationId=`: the schedules of what is stored (wire contract 6). */
@Controller('scheduling/v1/schedules')
export class ListSchedules {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly schedules: ScheduleSender,
  ) {}

  @Get()
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answer(admitted));
  }

  async #answer(admitted: AdmittedRequest): Promise<Answer> {
    const { form, stamp } = admitted;
    const others = [...form.entries()].filter(([name]) => name !== REGISTRATION_ID);
    checkKind({ ...admitted, form: new Form(new Map(others), [], form.excess) }, 'read');
    const registrationId = form.get(REGISTRATION_ID);
    if (registrationId === undefined) {
      refuseViolations([{ name: REGISTRATION_ID, message: 'is required' }]);
    }
    return schedulesAnswer(
      await this.schedules.ofRegistration(admitted, registrationId ?? ''),
      stamp,
    );
  }
}
