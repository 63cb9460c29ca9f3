import { Controller, Post, Req, Res } from '@nestjs/common';
import { heldInstrument } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { detailsToHold, registeredInstrumentOf, registrationRejection } from '@sluice/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest } from '../access-guard.js';
import type { Answer } from '../answer.js';
import { checkKind } from '../checked-form.js';
import { CommandClient } from '../command-client.js';
import { idempotencyKeyOf } from '../idempotency-claims.js';
import { registerInstrument } from '../registration-commands.js';
import { REGISTRATIONS, RegistrationSender } from '../registration-sender.js';
import { RequestPipeline } from '../request-pipeline.js';

/** `POST /v1/registrations`: stores what is paid with, for later payments (Interface 4). */
@Controller('v1/registrations')
export class CreateRegistration {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly commands: CommandClient,
    private readonly registrations: RegistrationSender,
  ) {}

  @Post()
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) => this.#answer(admitted));
  }

  async #answer(admitted: AdmittedRequest): Promise<Answer> {
    checkKind(admitted, 'registration');
    const { form, receivedAtMs } = admitted;
    const key = idempotencyKeyOf(admitted, REGISTRATIONS);
    const transactionId = newTransactionId(receivedAtMs, key);
    const { kept: keptParameters, claims, instruments } = this.commands;
    const { personal, ...kept } = await keptParameters.of(form, 'registration', transactionId);
    // One that is not served is recorded as refused, so it needs no vault.
    const isRefused = registrationRejection(form, receivedAtMs) !== undefined;
    const toHold = isRefused ? undefined : detailsToHold(form, 'registration');
    const held = toHold && (await instruments.hold(toHold));
    const instrument = heldInstrument(registeredInstrumentOf(form), held?.reference);
    const claim = claims.of(admitted, key, { id: transactionId }, held?.fingerprint);
    const command = registerInstrument({ admitted, transactionId, ...kept, ...claim }, instrument);
    return this.registrations.send({ admitted, command, personal, instrument });
  }
}
