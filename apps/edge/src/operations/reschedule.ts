import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestPipeline } from '../request-pipeline.js';
import { ScheduleSender } from '../schedule-sender.js';

/** `POST /scheduling/v1/schedules/{id}/reschedule`: another amount or job (wire contract 6). */
@Controller('scheduling/v1/schedules/:id/reschedule')
export class Reschedule {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly schedules: ScheduleSender,
  ) {}

  @Post()
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) =>
      this.schedules.reschedule(admitted, id),
    );
  }
}
