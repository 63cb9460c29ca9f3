import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestPipeline } from '../request-pipeline.js';
import { ScheduleSender } from '../schedule-sender.js';

/** `POST /scheduling/v1/schedules/{id}/deschedule`: ends one after its notice (wire contract 6). */
@Controller('scheduling/v1/schedules/:id/deschedule')
export class Deschedule {
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
      this.schedules.end(admitted, 'deschedule', id),
    );
  }
}
