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

/** A command that cannot be opened here; why, and nothing of what it says. */
export class CommandUnopened extends RpcException {
  override readonly name = 'CommandUnopened';

  constructor({ message }: Error) {
    super(message);
    this.message = message;
  }

  /** Nest's filter passes on what this returns, so that the dead letter tells the reason. */
  override getError(): object {
    return this;
  }
}

/**
 * Opens what edge has sealed (page 0035). What cannot be opened is thrown: the transport tries again,
 * in case the key has not arrived yet, and keeps the command as a dead letter when its life ends.
 * @throws CommandUnopened
 */
export async function openCommand<Command extends PaymentCommandMessage>(
  opener: EnvelopeOpener,
  command: Command,
): Promise<Opened<Command>> {
  const { personal: sealed, transactionId } = command.data;
  // As it came, without a copy: then it costs nothing that others have personal data.
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
