import { Buffer } from 'node:buffer';
import { constants, type KeyObject, privateDecrypt, randomBytes } from 'node:crypto';

/** How a content's key is encrypted: Samsung's own samples have the first, Click to Pay the last. */
export type KeyAlgorithm = 'RSA1_5' | 'RSA-OAEP' | 'RSA-OAEP-256';

/** The key of a JWE's content, encrypted for the recipient. */
export interface EncryptedContentKey {
  readonly algorithm: KeyAlgorithm;
  readonly encryptedKey: Buffer;
  readonly keyBytes: 16 | 32;
}

/**
 * The key of the content. One that is not rightly encrypted is answered by a random key, as RFC 7516
 * (11.5) wants: the content's authentication code then fails as with any wrong key, and nobody
 * learns how the padding was (Bleichenbacher's attack).
 */
export function contentKey(encrypted: EncryptedContentKey, privateKey: KeyObject): Buffer {
  const random = randomBytes(encrypted.keyBytes);
  try {
    if (encrypted.algorithm === 'RSA1_5') return unpadded(encrypted, privateKey, random);
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const oaepHash = encrypted.algorithm === 'RSA-OAEP' ? 'sha1' : 'sha256';
    const key = privateDecrypt({ key: privateKey, padding, oaepHash }, encrypted.encryptedKey);
    return key.length === encrypted.keyBytes ? key : random;
  } catch {
    return random;
  }
}

/**
 * Takes the padding of PKCS#1 v1.5 away without a branch that depends on it. Node 20 refuses this
 * padding, because its OpenSSL tells wrong ones by another error; the length that is wanted is
 * known here, so that the check needs no search and the answer to a wrong one is the random key.
 */
function unpadded(
  { encryptedKey, keyBytes }: EncryptedContentKey,
  privateKey: KeyObject,
  random: Buffer,
): Buffer {
  const padding = constants.RSA_NO_PADDING;
  const block = privateDecrypt({ key: privateKey, padding }, encryptedKey);
  const start = block.length - keyBytes;
  // 00 02, bytes that are not zero, 00, the key.
  let wrong = (block[0] ?? 1) | ((block[1] ?? 0) ^ 2) | (block[start - 1] ?? 1);
  for (let at = 2; at < start - 1; at += 1) wrong |= ((block[at] ?? 0) - 1) >>> 31;
  const mask = ((wrong - 1) >> 31) & 0xff;
  const key = Buffer.alloc(keyBytes);
  for (let at = 0; at < keyBytes; at += 1) {
    key[at] = ((block[start + at] ?? 0) & mask) | ((random[at] ?? 0) & ~mask);
  }
  return key;
}
