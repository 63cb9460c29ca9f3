import { registrationIdOf } from '@sluice/answers';
import type { Instrument, RegistrationOutcome, RegistrationReply } from '@sluice/contracts';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import type { AdmittedRequest } from './access-guard.js';
import { Refused } from './answer.js';
import type { CommandClient, ServiceCommands } from './command-client.js';
import { idempotencyKeyOf, KEY_CONFLICT } from './idempotency-claims.js';
import { BUSY, UNAVAILABLE } from './refusals.js';
import { registerInstrument } from './registration-commands.js';
import type { RegistrationSending } from './registration-sender.js';

/** What a payment stores. */
export interface PaidInstrumentToStore {
  readonly instrument: Instrument;
  readonly paymentId: TransactionId;
  /** Where the payment was sent to, see `idempotencyKeyOf`. */
  readonly resource: string;
  /** Of what the vault holds for it. */
  readonly fingerprint?: string;
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
   * The id of the registration, which may have been there before: a payment that comes again under its
   * key has that of the first one, whichever of the two is made. Throws Refused if its details are not
   * kept: then the payment is not made either, because its answer would promise what is not there.
   */
  async register(
    admitted: AdmittedRequest,
    { instrument, paymentId, resource, fingerprint, inPlace }: PaidInstrumentToStore,
  ): Promise<TransactionId> {
    const { form, receivedAtMs } = admitted;
    // Not the payment's: two ids of one key and one millisecond could be the same.
    const key = idempotencyKeyOf(admitted, `${resource}?createRegistration`);
    const transactionId = newTransactionId(receivedAtMs, key);
    const { kept: keptParameters, claims } = this.commands;
    const { personal, ...kept } = await keptParameters.of(
      form,
      'registration',
      transactionId,
      inPlace,
    );
    const claim = claims.of(admitted, key, { id: transactionId }, fingerprint);
    const parts = { admitted, transactionId, ...kept, ...claim };
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
    return storedBy(reply) !== undefined;
  }

  replied(reply: RegistrationReply, { command, instrument }: RegistrationSending): TransactionId {
    if (reply.kind === 'keyTaken' && reply.fingerprint !== command.data.idempotency?.fingerprint) {
      this.commands.instruments.forget(instrument);
      throw new Refused(KEY_CONFLICT);
    }
    const stored = storedBy(reply);
    if (stored !== undefined) return registrationIdOf(stored);
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

/**
 * What the payment can be sent with. Under a used key the first one's may be over by now: then payments
 * knows the key, and answers as at first.
 */
function storedBy(reply: RegistrationReply): RegistrationOutcome | undefined {
  switch (reply.kind) {
    case 'outcome':
      return reply.outcome.status === 'awaitsPayment' ? reply.outcome : undefined;
    case 'keyTaken':
      return reply.outcome?.status === 'requested' ? undefined : reply.outcome;
    case 'notFound':
    case 'busy':
    case 'unavailable':
    case 'elsewhere':
      return undefined;
  }
}
