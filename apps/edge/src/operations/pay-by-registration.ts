import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import type { Answer } from '../answer.js';
import { PaymentInitiation } from '../payment-initiation.js';
import { REGISTRATIONS } from '../registration-sender.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `POST /v1/registrations/{id}/payments`: a payment with what was stored (wire contract 4). */
@Controller('v1/registrations/:id/payments')
export class PayByRegistration {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly initiation: PaymentInitiation,
  ) {}

  @Post()
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answer(admitted, id));
  }

  #answer(admitted: AdmittedRequest, id: string): Promise<Answer> {
    const resource = `${REGISTRATIONS}/${id}/payments`;
    return this.initiation.beginByRegistration(admitted, id, resource);
  }
}
