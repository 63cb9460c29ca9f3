import type { Instrument, RegistrationReply } from '@sluice/contracts';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import type { AdmittedRequest } from './access-guard.js';
import { Refused } from './answer.js';
import type { CommandClient, ServiceCommands } from './command-client.js';
import { BUSY, UNAVAILABLE } from './refusals.js';
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
  void
> {
  readonly service = 'registrations';

  constructor(private readonly commands: CommandClient) {}

  /**
   * The id of the registration. Throws Refused if its details are not kept: then the payment is not
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
    await this.commands.send({ admitted, command, personal, instrument }, this);
    return transactionId;
  }

  idOf({ command }: RegistrationSending): TransactionId {
    return command.data.transactionId;
  }

  isRejection({ command }: RegistrationSending): boolean {
    return 'rejection' in command.data;
  }

  /** The payment does. */
  needsInstrument(reply: RegistrationReply): boolean {
    return reply.kind === 'outcome' && reply.outcome.status === 'awaitsPayment';
  }

  replied(reply: RegistrationReply): void {
    if (this.needsInstrument(reply)) return;
    throw new Refused(reply.kind === 'busy' ? BUSY : UNAVAILABLE);
  }

  unanswered(): void {
    throw new Refused(UNAVAILABLE);
  }

  failed(): Promise<void> {
    return Promise.reject(new Refused(UNAVAILABLE));
  }

  uncertain(): void {
    throw new Refused(UNAVAILABLE);
  }
}
