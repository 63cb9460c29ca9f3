import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RegistrationCreation } from '../registration-creation.js';
import { REGISTRATIONS } from '../registration-sender.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `POST /v1/registrations`: stores what is paid with, for later payments (Interface 4). */
@Controller('v1/registrations')
export class CreateRegistration {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly creation: RegistrationCreation,
  ) {}

  @Post()
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) =>
      this.creation.begin(admitted, { resource: REGISTRATIONS }),
    );
  }
}
