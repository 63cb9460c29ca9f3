import type { KeyProvider } from '@sluice/service';
import type { OpenedCommand } from './opened-commands.js';
import type { PaymentEvents } from './payment-record.js';
import type { PaymentStream } from './payment-streams.js';
import { newPersonalKey, sealPersonal, unwrapPersonalKey } from './personal-data.js';

/** A sealed block, and the key it needs if the payment has none yet. */
export interface SealedParameters {
  readonly personal?: string;
  readonly personalKey?: { readonly wrapped: Buffer };
}

/** What keys are wrapped with, and where those of payments are. */
export interface SealingParts {
  readonly keys: KeyProvider;
  readonly personalKeys: PaymentEvents['personalKeys'];
}

/**
 * Seals personal parameters under the payment's key, which is made when it is first needed. Of a
 * payment that was forgotten nothing personal is kept any more (page 0020).
 */
export async function sealParameters(
  stream: PaymentStream,
  { personal, transactionId }: OpenedCommand['data'],
  { keys, personalKeys }: SealingParts,
): Promise<SealedParameters> {
  if (personal === undefined || !hasEntries(personal)) return {};
  if (stream.personalKey === undefined && stream.version > 0) {
    const wrapped = stream.wrappedPersonalKey ?? (await personalKeys.of(stream.id));
    if (wrapped === 'erased') return {};
    if (wrapped !== undefined) {
      stream.personalKey = await unwrapPersonalKey(keys, stream.id, wrapped);
    }
  }
  if (stream.personalKey !== undefined) {
    return { personal: sealPersonal(stream.personalKey, transactionId, personal) };
  }
  // Not kept on the stream: only an append that succeeds makes it the payment's key.
  const { key, wrapped } = await newPersonalKey(keys, stream.id);
  return { personal: sealPersonal(key, transactionId, personal), personalKey: { wrapped } };
}

function hasEntries(parameters: Readonly<Record<string, string>>): boolean {
  for (const _name in parameters) return true;
  return false;
}
