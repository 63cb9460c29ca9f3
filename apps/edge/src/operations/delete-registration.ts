import { Controller, Delete, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idleParameters } from '@sluice/parameters';
import { checkKind, refuseViolations } from '../checked-form.js';
import { REGISTRATIONS, RegistrationSender } from '../registration-sender.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `DELETE /v1/registrations/{id}`: forgets what was stored, for good (wire contract 4). */
@Controller('v1/registrations/:id')
export class DeleteRegistration {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly registrations: RegistrationSender,
  ) {}

  @Delete()
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') registrationId: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, async (admitted) => {
      checkKind(admitted, 'read');
      refuseViolations(idleParameters(admitted.form, 'deletion'));
      const resource = `${REGISTRATIONS}/${registrationId}`;
      const reference = { operation: 'deletion', registrationId, resource } as const;
      return this.registrations.refer(admitted, reference);
    });
  }
}
