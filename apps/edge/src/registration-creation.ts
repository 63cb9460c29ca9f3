import { heldInstrument, type RegisterInstrument } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import {
  detailsToHold,
  migratedFromTheFuture,
  registeredInstrumentOf,
  registrationRejection,
} from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import type { Answer } from './answer.js';
import { checkKind, refuseViolations } from './checked-form.js';
import type { Beforehand, CommandClient } from './command-client.js';
import { idempotencyKeyOf } from './idempotency-claims.js';
import { registerInstrument } from './registration-commands.js';
import type { RegistrationSender } from './registration-sender.js';

/** A new registration, as a form asks for it. */
export interface NewRegistration {
  /** Where it was sent to, see `idempotencyKeyOf`. */
  readonly resource: string;
  /**
   * What has to be done before the command is sent; where something is answered instead, or Refused is
   * thrown, there will be no such registration.
   */
  readonly before?: (command: RegisterInstrument) => Promise<Beforehand>;
}

/** Stores what a form has, for later payments (Interface 4). */
export class RegistrationCreation {
  constructor(
    private readonly commands: CommandClient,
    private readonly registrations: RegistrationSender,
  ) {}

  /** Sends the command and answers with what becomes of it. @throws Refused */
  async begin(admitted: AdmittedRequest, { resource, before }: NewRegistration): Promise<Answer> {
    checkKind(admitted, 'registration');
    const { form, mode, receivedAtMs } = admitted;
    refuseViolations(migratedFromTheFuture(form, receivedAtMs));
    const key = idempotencyKeyOf(admitted, resource);
    const transactionId = newTransactionId(receivedAtMs, key);
    const { kept: keptParameters, claims, instruments } = this.commands;
    const { personal, ...kept } = await keptParameters.of(form, 'registration', transactionId);
    // One that is not served is recorded as refused, so it needs no vault.
    const isRefused = registrationRejection(form, receivedAtMs, mode) !== undefined;
    const toHold = isRefused ? undefined : detailsToHold(form, 'registration');
    const held = toHold && (await instruments.hold(toHold));
    const instrument = heldInstrument(registeredInstrumentOf(form), held?.reference);
    const claim = claims.of(admitted, key, { id: transactionId }, held?.fingerprint);
    const planned = registerInstrument({ admitted, transactionId, ...kept, ...claim }, instrument);
    const prepared = await this.commands.prepared(planned, instrument, before);
    if (prepared.kind === 'instead') return prepared.answer;
    const { command } = prepared;
    return this.registrations.send({ admitted, command, personal, instrument });
  }
}
