import { RpcException } from '@nestjs/microservices';
import type { CommandMessage, PersonalEnvelope } from '@sluice/contracts';
import type { EnvelopeOpener } from '@sluice/service';

/** Personal parameters by wire name, in clear. */
type PersonalParameters = Readonly<Record<string, string>>;

/** A command whose personal parameters edge has sealed. */
export type SealedCommand = CommandMessage<
  string,
  { readonly transactionId: string; readonly personal?: PersonalEnvelope }
>;

/** A command with its personal parameters in clear: in memory only, never sent or logged. */
export type Opened<Command extends SealedCommand> = Omit<Command, 'data'> & {
  readonly data: Omit<Command['data'], 'personal'> & { readonly personal?: PersonalParameters };
};

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
export async function openCommand<Command extends SealedCommand>(
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
