import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { isNewPayment, REGISTRATION_ID } from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { isReference, requestedOperation } from '../checked-form.js';
import { PaymentInitiation } from '../payment-initiation.js';
import { invalidParameters } from '../refusals.js';
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

  async #answer(asked: AdmittedRequest, id: string): Promise<Answer> {
    refuseOther(asked, id);
    const admitted = { ...asked, form: asked.form.with(REGISTRATION_ID, id) };
    const { kind, operation } = requestedOperation(admitted, 'payments');
    if (isReference(operation) || !isNewPayment(kind)) {
      const message = 'refers to a transaction, and a registration begins a payment';
      throw new Refused(invalidParameters({ name: 'referenceUuid', message }));
    }
    const resource = `${REGISTRATIONS}/${id}/payments`;
    return this.initiation.begin(admitted, { kind, operation, resource });
  }
}

/** The path says which one is meant. */
function refuseOther({ form }: AdmittedRequest, id: string): void {
  const other = form.get(REGISTRATION_ID);
  if (other === undefined || other === id) return;
  const message = 'must be the one of the path';
  throw new Refused(invalidParameters({ name: REGISTRATION_ID, message }));
}
