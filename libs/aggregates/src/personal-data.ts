import { random } from '@sluice/identifiers';
import { type KeyProvider, openText, sealText } from '@sluice/service';
import { createSecretKey, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;

/** A stream's own key, and its form in the database. */
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
 * The key of a stream again.
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
 * Seals the personal parameters of one transaction into one block, base64; it opens nowhere else.
 * Who deletes the stream's key has erased them everywhere, copies and backups included (D-22).
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
