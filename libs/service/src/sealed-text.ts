import { random } from '@sluice/identifiers';
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text for one context, base64: with another context it does not open. */
export function sealText(key: KeyObject, context: string, text: string): string {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const body = cipher.update(text, 'utf8');
  cipher.final();
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64');
}

/** The text again. Throws when it was altered, or was sealed for another context or by another key. */
export function openText(key: KeyObject, context: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const clear = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
  return clear + decipher.final('utf8');
}
