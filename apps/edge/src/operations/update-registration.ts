import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkKind } from '../checked-form.js';
import { RegistrationSender } from '../registration-sender.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `POST /v1/registrations/{id}`: another expiry, holder or address (wire contract 4). */
@Controller('v1/registrations/:id')
export class UpdateRegistration {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly registrations: RegistrationSender,
  ) {}

  @Post()
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') registrationId: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, async (admitted) => {
      checkKind(admitted, 'registrationUpdate');
      return this.registrations.update(admitted, registrationId);
    });
  }
}
