import type { InitiatePayment, PaymentCommand, ReferToPayment } from '@sluice/contracts';
import type { EnvelopeOpener } from '@sluice/service';
import type { PersonalParameters } from './personal-data.js';

/** A command with its personal parameters in clear: in memory only, never sent or logged. */
export type Opened<Command extends PaymentCommand> = Omit<Command, 'data'> & {
  readonly data: Omit<Command['data'], 'personal'> & { readonly personal: PersonalParameters };
};

/** Any of them. */
export type OpenedCommand = Opened<InitiatePayment> | Opened<ReferToPayment>;

const NOTHING_PERSONAL: PersonalParameters = {};

/**
 * Opens what edge has sealed (page 0035). What cannot be opened is thrown: the transport tries again,
 * in case the key has not arrived yet, and keeps the command as a dead letter when its life ends.
 * @throws EnvelopeBroken, WrappingKeyRetired
 */
export async function openCommand<Command extends PaymentCommand>(
  opener: EnvelopeOpener,
  { data, ...message }: Command,
): Promise<Opened<Command>> {
  const { personal: sealed, transactionId } = data;
  const personal =
    sealed === undefined
      ? NOTHING_PERSONAL
      : (JSON.parse(await opener.open(transactionId, sealed)) as PersonalParameters);
  return { ...message, data: { ...data, personal } } as unknown as Opened<Command>;
}
