import type { Instrument, RegistrationOutcome, RegistrationReply } from '@sluice/contracts';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import type { AdmittedRequest } from './access-guard.js';
import { Refused } from './answer.js';
import type { CommandClient, ServiceCommands } from './command-client.js';
import { BUSY, UNAVAILABLE } from './refusals.js';
import { registrationIdOf } from './registration-answer.js';
import { registerInstrument } from './registration-commands.js';
import type { RegistrationSending } from './registration-sender.js';

/** What a payment stores. */
export interface PaidInstrumentToStore {
  readonly instrument: Instrument;
  readonly paymentId: TransactionId;
  /** Personal parameters of it that the form does not have. */
  readonly inPlace: Readonly<Record<string, string | undefined>>;
}

/**
 * Stores what a payment is made with (`createRegistration`, Interface 2.16). The vault keeps it
 * before the payment is made, because afterwards nobody has it any more; registrations looks at the
 * payment before anybody can use it.
 */
export class PaymentRegistrations implements ServiceCommands<
  RegistrationSending,
  RegistrationReply,
  TransactionId
> {
  readonly service = 'registrations';

  constructor(private readonly commands: CommandClient) {}

  /**
   * The id of the registration, which may have been there before. Throws Refused if its details are not kept: then the payment is not
   * made either, because its answer would promise what is not there.
   */
  async register(
    admitted: AdmittedRequest,
    { instrument, paymentId, inPlace }: PaidInstrumentToStore,
  ): Promise<TransactionId> {
    const { form, receivedAtMs } = admitted;
    const transactionId = newTransactionId(receivedAtMs);
    const { personal, ...kept } = await this.commands.kept.of(
      form,
      'registration',
      transactionId,
      inPlace,
    );
    const parts = { admitted, transactionId, ...kept };
    const command = registerInstrument(parts, instrument, { paymentId });
    return this.commands.send({ admitted, command, personal, instrument }, this);
  }

  idOf({ command }: RegistrationSending): TransactionId {
    return command.data.transactionId;
  }

  isRejection({ command }: RegistrationSending): boolean {
    return 'rejection' in command.data;
  }

  /** The payment does. */
  needsInstrument(reply: RegistrationReply): boolean {
    return outcomeOf(reply)?.status === 'awaitsPayment';
  }

  replied(reply: RegistrationReply): TransactionId {
    const outcome = outcomeOf(reply);
    if (outcome?.status === 'awaitsPayment') return registrationIdOf(outcome);
    throw new Refused(reply.kind === 'busy' ? BUSY : UNAVAILABLE);
  }

  unanswered(): never {
    throw new Refused(UNAVAILABLE);
  }

  failed(): Promise<never> {
    return Promise.reject(new Refused(UNAVAILABLE));
  }

  uncertain(): never {
    throw new Refused(UNAVAILABLE);
  }
}

function outcomeOf(reply: RegistrationReply): RegistrationOutcome | undefined {
  return reply.kind === 'outcome' ? reply.outcome : undefined;
}
