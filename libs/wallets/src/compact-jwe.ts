import { Buffer } from 'node:buffer';
import { createDecipheriv, type KeyObject } from 'node:crypto';
import { contentKey, type KeyAlgorithm } from './content-key.js';
import { exactBytes, type Fields, fieldsOfText, textOf, TOKEN_LENGTH_MAX } from './token-text.js';

/** Ciphers, with their keys' lengths. */
const ciphers = {
  A128GCM: { cipher: 'aes-128-gcm', keyBytes: 16 },
  A256GCM: { cipher: 'aes-256-gcm', keyBytes: 32 },
} as const;
/** RFC 7518, 5.3. */
const INITIALIZATION_VECTOR_BYTES = 12;
const TAG_BYTES = 16;
const PARTS = 5;

/** How its content is encrypted. */
export type ContentCipher = keyof typeof ciphers;

/** A JWE in compact form (RFC 7516), of which nothing is known yet but its form. */
export interface CompactJwe {
  readonly header: Fields;
  readonly authenticated: string;
  readonly encryptedKey: Buffer;
  readonly initializationVector: Buffer;
  readonly encrypted: Buffer;
  readonly tag: Buffer;
}

/** What is taken: by which algorithms the content's key may be encrypted, and by which the content. */
export interface TakenAlgorithms {
  readonly keys: readonly KeyAlgorithm[];
  readonly contents: readonly ContentCipher[];
}

/** What its header says. */
export interface JweUse {
  readonly algorithm: KeyAlgorithm;
  readonly encryption: ContentCipher;
  readonly keyId: string;
}

/** Its parts; nothing if they are not written as an encoder writes them. */
export function readCompactJwe(token: string): CompactJwe | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined;
  // One more than there may be, so that more are seen.
  const parts = token.split('.', PARTS + 1);
  const bytes = parts.map((part) => exactBytes(part, 'base64url'));
  const [headerBytes, encryptedKey, initializationVector, encrypted, tag] = bytes;
  if (parts.length !== PARTS || headerBytes === undefined) return undefined;
  const header = fieldsOfText(headerBytes.toString('utf8'));
  if (header === undefined || encryptedKey === undefined || encrypted === undefined)
    return undefined;
  if (initializationVector === undefined || tag === undefined) return undefined;
  const authenticated = parts[0] ?? '';
  return { header, authenticated, encryptedKey, initializationVector, encrypted, tag };
}

/** How it is to be opened, and with which key. */
export function useOf(
  { header, initializationVector, tag }: CompactJwe,
  taken: TakenAlgorithms,
): JweUse | 'unreadable' | 'unsupported' {
  const [algorithm, encryption, keyId] = ['alg', 'enc', 'kid'].map((name) => textOf(header, name));
  if (algorithm === undefined || encryption === undefined || keyId === undefined) {
    return 'unreadable';
  }
  // Extensions that must be understood, and compression, which makes much of little.
  if ('crit' in header || 'zip' in header) return 'unsupported';
  const isTaken = isOneOf(taken.keys, algorithm) && isOneOf(taken.contents, encryption);
  if (!isTaken) return 'unsupported';
  const isWhole =
    initializationVector.length === INITIALIZATION_VECTOR_BYTES && tag.length === TAG_BYTES;
  return isWhole ? { algorithm, encryption, keyId } : 'unreadable';
}

/** What is in it; nothing if it was not encrypted for this key, or was altered. */
export function openedJwe(
  jwe: CompactJwe,
  { algorithm, encryption }: JweUse,
  privateKey: KeyObject,
): string | undefined {
  const { cipher, keyBytes } = ciphers[encryption];
  const key = contentKey({ algorithm, encryptedKey: jwe.encryptedKey, keyBytes }, privateKey);
  const decipher = createDecipheriv(cipher, key, jwe.initializationVector, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(jwe.authenticated, 'latin1')).setAuthTag(jwe.tag);
  try {
    return Buffer.concat([decipher.update(jwe.encrypted), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Whether a text is one of these. */
export function isOneOf<Value extends string>(
  values: readonly Value[],
  value: string,
): value is Value {
  return (values as readonly string[]).includes(value);
}
