import { Buffer } from 'node:buffer';
import {
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';

/** What Google seals for a recipient by ECIES. */
export interface SealedMessage {
  readonly encrypted: Buffer;
  /** An uncompressed point of P-256. */
  readonly ephemeralPublicKey: Buffer;
  /** HMAC-SHA256 of `encrypted`. */
  readonly tag: Buffer;
}

/** What a sealed message is decrypted and authenticated with. */
export interface MessageKeys {
  readonly encryption: Buffer;
  readonly authentication: Buffer;
}

const POINT_BYTES = 65;
/** What stands in front of a point of P-256 in a SubjectPublicKeyInfo. */
const POINT_HEADER = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
const HASH_BYTES = 32;
/** ECv2 has AES-256; ECv1, which is not served, had half of that. */
const KEY_BYTES = 32;
/** Each message has a key of its own, so Google's counter starts at 0. */
const COUNTER = Buffer.alloc(16);

/** The keys that the recipient and the sender alone can make; nothing if the point is none. */
export function messageKeys(
  { ephemeralPublicKey }: SealedMessage,
  privateKey: KeyObject,
  keyBytes = KEY_BYTES,
): MessageKeys | undefined {
  if (ephemeralPublicKey.length !== POINT_BYTES) return undefined;
  try {
    const key = Buffer.concat([POINT_HEADER, ephemeralPublicKey]);
    const publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
    const shared = diffieHellman({ privateKey, publicKey });
    const secret = Buffer.concat([ephemeralPublicKey, shared]);
    const salt = Buffer.alloc(HASH_BYTES);
    const keys = Buffer.from(hkdfSync('sha256', secret, salt, 'Google', 2 * keyBytes));
    return { encryption: keys.subarray(0, keyBytes), authentication: keys.subarray(keyBytes) };
  } catch {
    return undefined;
  }
}

/** Whether the message was sealed with these keys and is whole. */
export function isAuthentic({ encrypted, tag }: SealedMessage, keys: MessageKeys): boolean {
  const expected = createHmac('sha256', keys.authentication).update(encrypted).digest();
  return tag.length === expected.length && timingSafeEqual(tag, expected);
}

/** The text of a message that is authentic. */
export function plainOf({ encrypted }: SealedMessage, { encryption }: MessageKeys): string {
  const cipher = encryption.length === KEY_BYTES ? 'aes-256-ctr' : 'aes-128-ctr';
  const decipher = createDecipheriv(cipher, encryption, COUNTER);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
}
