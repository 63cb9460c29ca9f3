import {
  constants,
  createCipheriv,
  createPublicKey,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { newCryptogram } from './cryptogram.js';
import type { WalletKeys } from './wallet-keys.js';
import type { WalletOrder } from './wallet-order.js';

const KEY_BYTES = 16;
const INITIALIZATION_VECTOR_BYTES = 12;

/** A payment credential as Samsung Pay gives it: a JWE (RSA1_5, A128GCM) in a little JSON. */
export function samsungPayToken(
  { keyId, recipientKey }: WalletKeys['samsungPay'],
  order: WalletOrder,
  now: Date,
): string {
  const header = { alg: 'RSA1_5', enc: 'A128GCM', kid: keyId };
  const authenticated = base64url(Buffer.from(JSON.stringify(header)));
  const [contentKey, vector] = [randomBytes(KEY_BYTES), randomBytes(INITIALIZATION_VECTOR_BYTES)];
  const padding = constants.RSA_PKCS1_PADDING;
  const encryptedKey = publicEncrypt({ key: createPublicKey(recipientKey), padding }, contentKey);
  const cipher = createCipheriv('aes-128-gcm', contentKey, vector);
  cipher.setAAD(Buffer.from(authenticated, 'latin1'));
  const plain = JSON.stringify(contentOf(order, now));
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const parts = [encryptedKey, vector, encrypted, cipher.getAuthTag()].map(base64url);
  const data = [authenticated, ...parts].join('.');
  return JSON.stringify({ method: '3DS', '3DS': { type: 'S', version: '100', data } });
}

function contentOf(order: WalletOrder, now: Date): object {
  const { number, expiryMonth, expiryYear, amountMinor, currency } = order;
  return {
    amount: String(amountMinor),
    currency_code: currency,
    utc: String(now.getTime()),
    eci_indicator: '5',
    tokenPAN: number,
    tokenPanExpiration: `${expiryMonth}${expiryYear.slice(2)}`,
    cryptogram: newCryptogram(),
  };
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}
