import { RpcException } from '@nestjs/microservices';
import type { PersonalParameters } from '@sluice/aggregates';
import type {
  InitiatePayment,
  PaymentCommandMessage,
  PersonalEnvelope,
  ReferToPayment,
} from '@sluice/contracts';
import type { EnvelopeOpener } from '@sluice/service';

/** A command with its personal parameters in clear: in memory only, never sent or logged. */
export type Opened<Command extends PaymentCommandMessage> = Omit<Command, 'data'> & {
  readonly data: Omit<Command['data'], 'personal'> & { readonly personal?: PersonalParameters };
};

/** Any of them. */
export type OpenedCommand = Opened<InitiatePayment> | Opened<ReferToPayment>;

/**
 * A command that cannot be opened here. It tells the reason, but nothing of the command's contents.
 */
export class CommandUnopened extends RpcException {
  override readonly name = 'CommandUnopened';

  constructor({ message }: Error) {
    super(message);
    this.message = message;
  }

  /** Nest's filter passes on what this returns, so that the dead letter has the reason. */
  override getError(): object {
    return this;
  }
}

/**
 * Opens what edge has sealed (page 0035). Throws if it cannot be opened: the transport then tries
 * again, in case the key has not arrived yet, and keeps the command as a dead letter once it has
 * expired.
 * @throws CommandUnopened
 */
export async function openCommand<Command extends PaymentCommandMessage>(
  opener: EnvelopeOpener,
  command: Command,
): Promise<Opened<Command>> {
  const { personal: sealed, transactionId } = command.data;
  // Returned as it came, without a copy, so that sealing costs nothing for commands without
  // personal data.
  if (sealed === undefined) return command as Command & Opened<Command>;
  const personal = await opened(opener, transactionId, sealed);
  return { ...command, data: { ...command.data, personal } } as unknown as Opened<Command>;
}

async function opened(
  opener: EnvelopeOpener,
  transactionId: string,
  sealed: PersonalEnvelope,
): Promise<PersonalParameters> {
  const text = await opener.open(transactionId, sealed).catch((error: unknown) => {
    throw new CommandUnopened(error as Error);
  });
  return JSON.parse(text) as PersonalParameters;
}
