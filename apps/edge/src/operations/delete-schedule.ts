import { Controller, Delete, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestPipeline } from '../request-pipeline.js';
import { ScheduleSender } from '../schedule-sender.js';

/** `DELETE /scheduling/v1/schedules/{id}`: ends one at once (wire contract 6). */
@Controller('scheduling/v1/schedules/:id')
export class DeleteSchedule {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly schedules: ScheduleSender,
  ) {}

  @Delete()
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) =>
      this.schedules.end(admitted, 'deletion', id),
    );
  }
}
