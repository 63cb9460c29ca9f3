import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { isTransactionId } from '@sluice/identifiers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { isReference, requestedOperation } from '../checked-form.js';
import { PAYMENTS, PaymentSender } from '../payment-sender.js';
import { TRANSACTION_NOT_FOUND } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `POST /v1/payments/{id}`: what refers to a transaction (Interface 4, D-29). */
@Controller('v1/payments/:id')
export class ReferToPayment {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly payments: PaymentSender,
  ) {}

  @Post()
  serve(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answer(admitted, id));
  }

  async #answer(admitted: AdmittedRequest, id: string): Promise<Answer> {
    if (!isTransactionId(id)) throw new Refused(TRANSACTION_NOT_FOUND);
    const { kind, operation } = requestedOperation(admitted, 'transaction');
    if (!isReference(operation)) {
      throw new TypeError(`a ${operation} refers to no transaction`);
    }
    return this.payments.refer(admitted, {
      kind,
      operation,
      referencedId: id,
      resource: `${PAYMENTS}/${id}`,
      notFound: TRANSACTION_NOT_FOUND,
    });
  }
}
