import { Controller, Post, Req, Res } from '@nestjs/common';
import { newTransactionId } from '@sluice/identifiers';
import { type HeldDetails, heldInstrument } from '@sluice/contracts';
import {
  detailsToHold,
  type Form,
  isNewPayment,
  isServed,
  type NewPaymentKind,
  shownInstrumentOf,
} from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import type { Answer } from '../answer.js';
import { isReference, requestedOperation } from '../checked-form.js';
import { CommandClient } from '../command-client.js';
import { idempotencyKeyOf } from '../idempotency-claims.js';
import { initiatePayment } from '../payment-commands.js';
import { PAYMENTS, PaymentSender } from '../payment-sender.js';
import { invalidParameters, TRANSACTION_NOT_FOUND } from '../refusals.js';
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
    private readonly commands: CommandClient,
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
    const key = idempotencyKeyOf(admitted, PAYMENTS);
    // By its hash, so that the claim of the key is where a repetition looks for it (page 0047).
    const transactionId = newTransactionId(admitted.receivedAtMs, key);
    const { kept: keptParameters, claims } = this.commands;
    const { personal, ...kept } = await keptParameters.of(form, kind, transactionId);
    const held = await this.#hold(form, kind);
    const instrument = heldInstrument(shownInstrumentOf(form, kind), held?.reference);
    const claim = claims.of(admitted, key, transactionId, held?.fingerprint);
    const parts = { admitted, kind, transactionId, ...kept, ...claim };
    const command = initiatePayment(parts, operation, instrument);
    const notFound = TRANSACTION_NOT_FOUND;
    return this.payments.send({ admitted, command, personal, instrument, notFound });
  }

  /** A payment that is not served is recorded as refused, so it needs no vault. */
  async #hold(form: Form, kind: NewPaymentKind): Promise<HeldDetails | undefined> {
    const toHold = isServed(form, kind) ? detailsToHold(form, kind) : undefined;
    return toHold && this.commands.instruments.hold(toHold);
  }
}
