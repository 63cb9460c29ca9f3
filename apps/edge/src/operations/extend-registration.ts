import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idleParameters } from '@sluice/parameters';
import { checkKind, refuseViolations } from '../checked-form.js';
import { REGISTRATIONS, RegistrationSender } from '../registration-sender.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `POST /v1/registrations/{id}/extendlife`: keeps what was stored for longer (wire contract 4). */
@Controller('v1/registrations/:id/extendlife')
export class ExtendRegistration {
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
      checkKind(admitted, 'read');
      refuseViolations(idleParameters(admitted.form, 'extension'));
      const resource = `${REGISTRATIONS}/${registrationId}/extendlife`;
      const reference = { operation: 'extension', registrationId, resource } as const;
      return this.registrations.refer(admitted, reference);
    });
  }
}
