import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { isTransactionId } from '@sluice/identifiers';
import { asksToStore, mayUseRegistration, needsRegistration } from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import { type Answer, Refused } from '../answer.js';
import { isReference, requestedOperation } from '../checked-form.js';
import { PaymentInitiation } from '../payment-initiation.js';
import { PAYMENTS, PaymentSender } from '../payment-sender.js';
import { TRANSACTION_NOT_FOUND } from '../refusals.js';
import { RequestPipeline } from '../request-pipeline.js';
import { StoredPayments } from '../stored-payments.js';

/**
 * `POST /v1/payments/{id}`: what refers to a transaction (Interface 4, D-29), begins a payment with what
 * was stored under this id (wire contract 4), or stores what a payment was made with (RG).
 */
@Controller('v1/payments/:id')
export class ReferToPayment {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly payments: PaymentSender,
    private readonly initiation: PaymentInitiation,
    private readonly stored: StoredPayments,
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
    const resource = `${PAYMENTS}/${id}`;
    if (asksToStore(admitted.form)) return this.stored.store(admitted, id, resource);
    if (await this.#isStored(admitted, id)) {
      return this.initiation.beginByRegistration(admitted, id, resource);
    }
    // What is wrong with such a type is said of a payment that is there; any other id is unknown (D-29).
    if (needsRegistration(admitted.form)) await this.stored.refuseUnknown(admitted, id);
    const { kind, operation } = requestedOperation(admitted, 'transaction');
    if (!isReference(operation)) {
      throw new TypeError(`a ${operation} refers to no transaction`);
    }
    return this.payments.refer(admitted, {
      kind,
      operation,
      referencedId: id,
      resource,
      notFound: TRANSACTION_NOT_FOUND,
    });
  }

  /** Nothing is asked for what can only refer to a transaction. */
  async #isStored(admitted: AdmittedRequest, id: string): Promise<boolean> {
    if (!mayUseRegistration(admitted.form)) return false;
    return this.stored.isRegistration(admitted, id);
  }
}
