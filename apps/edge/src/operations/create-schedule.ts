import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestPipeline } from '../request-pipeline.js';
import { ScheduleSender } from '../schedule-sender.js';

/** `POST /scheduling/v1/schedules`: charges what is stored at the times of a job (wire contract 6). */
@Controller('scheduling/v1/schedules')
export class CreateSchedule {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly schedules: ScheduleSender,
  ) {}

  @Post()
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.schedules.create(admitted));
  }
}
