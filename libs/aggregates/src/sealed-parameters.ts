import type { EventStore } from '@sluice/event-store';
import type { KeyProvider } from '@sluice/service';
import {
  newPersonalKey,
  type PersonalParameters,
  sealPersonal,
  unwrapPersonalKey,
} from './personal-data.js';
import type { Stream } from './streams.js';

/** A sealed block, and the key it needs if the stream has none yet. */
export interface SealedParameters {
  readonly personal?: string;
  readonly personalKey?: { readonly wrapped: Buffer };
}

/** What keys are wrapped with, and where the streams' keys are. */
export interface SealingParts {
  readonly keys: KeyProvider;
  readonly personalKeys: Pick<EventStore['personalKeys'], 'of'>;
}

/** What to seal, and the transaction that it belongs to. */
export interface PersonalOfTransaction {
  readonly transactionId: string;
  readonly personal?: PersonalParameters;
}

/**
 * Seals the personal parameters of one transaction under its stream's key, which is made when it is
 * first needed. Once a stream's personal data was erased, nothing personal is kept for it any more
 * (page 0020).
 */
export async function sealParameters(
  stream: Pick<Stream<unknown>, 'id' | 'version' | 'personalKey' | 'wrappedPersonalKey'>,
  { personal, transactionId }: PersonalOfTransaction,
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
  // Not remembered on the stream yet: it becomes the stream's key only if the append succeeds.
  const { key, wrapped } = await newPersonalKey(keys, stream.id);
  return { personal: sealPersonal(key, transactionId, personal), personalKey: { wrapped } };
}

function hasEntries(parameters: Readonly<Record<string, string>>): boolean {
  for (const _name in parameters) return true;
  return false;
}
