import { Controller, Post, Req, Res } from '@nestjs/common';
import { isNewPayment } from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import type { Answer } from '../answer.js';
import { isReference, requestedOperation } from '../checked-form.js';
import { PaymentInitiation } from '../payment-initiation.js';
import { PAYMENTS, PaymentSender } from '../payment-sender.js';
import { invalidParameters } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';

/** D-33: if the id is a parameter, a reference to nothing is a validation error. */
const REFERENCE_UUID_NOT_FOUND = invalidParameters({
  name: 'referenceUuid',
  message: 'refers to no transaction',
});

/** `POST /v1/payments`: a new payment, or PA with `referenceUuid` (Interface 4, D-33). */
@Controller('v1/payments')
export class CreatePayment {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly initiation: PaymentInitiation,
    private readonly payments: PaymentSender,
  ) {}

  @Post()
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answer(admitted));
  }

  async #answer(admitted: AdmittedRequest): Promise<Answer> {
    const { kind, operation } = requestedOperation(admitted, 'payments');
    const { form } = admitted;
    if (isReference(operation)) {
      const referencedId = form.get('referenceUuid') ?? '';
      const notFound = REFERENCE_UUID_NOT_FOUND;
      const reference = { kind, operation, referencedId, resource: PAYMENTS, notFound };
      return this.payments.refer(admitted, reference);
    }
    if (!isNewPayment(kind)) throw new TypeError(`a ${kind} begins no payment`);
    return this.initiation.begin(admitted, { kind, operation, resource: PAYMENTS });
  }
}
