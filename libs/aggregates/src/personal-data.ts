import { random } from '@sluice/identifiers';
import { type KeyProvider, openText, sealText } from '@sluice/service';
import { createSecretKey, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;

/** A stream's own key, and the wrapped form that the database has. */
export interface PersonalKey {
  readonly key: KeyObject;
  readonly wrapped: Buffer;
}

/** Personal parameters by wire name. */
export type PersonalParameters = Readonly<Record<string, string>>;

/** A key for a stream's personal data, wrapped for this stream alone. */
export async function newPersonalKey(keys: KeyProvider, streamId: string): Promise<PersonalKey> {
  const clear = random(KEY_BYTES);
  const { wrapped } = await keys.wrap(clear, contextOf(streamId));
  const key = createSecretKey(clear);
  clear.fill(0);
  return { key, wrapped };
}

/**
 * Unwraps the key of a stream.
 * @throws WrappingKeyRetired, WrappedKeyBroken
 */
export async function unwrapPersonalKey(
  keys: KeyProvider,
  streamId: string,
  wrapped: Buffer,
): Promise<KeyObject> {
  const clear = await keys.unwrap(wrapped, contextOf(streamId));
  const key = createSecretKey(clear);
  clear.fill(0);
  return key;
}

function contextOf(streamId: string): string {
  return `personal-data|${streamId}`;
}

/**
 * Seals the personal parameters of one transaction into one base64 block, which can be opened for
 * that transaction only. Deleting the stream's key erases them everywhere, in copies and backups
 * too (D-22).
 */
export function sealPersonal(
  key: KeyObject,
  transactionId: string,
  personal: PersonalParameters,
): string {
  return sealText(key, transactionId, JSON.stringify(personal));
}

/** Opens a sealed block. Throws when it was altered or belongs to another transaction. */
export function openPersonal(
  key: KeyObject,
  transactionId: string,
  block: string,
): PersonalParameters {
  return JSON.parse(openText(key, transactionId, block)) as PersonalParameters;
}
