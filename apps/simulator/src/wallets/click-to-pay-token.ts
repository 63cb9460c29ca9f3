import {
  constants,
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  publicEncrypt,
  randomBytes,
  randomUUID,
  sign,
} from 'node:crypto';
import { newCryptogram } from './cryptogram.js';
import type { WalletKeys } from './wallet-keys.js';
import type { WalletOrder } from './wallet-order.js';

const KEY_BYTES = 32;
const INITIALIZATION_VECTOR_BYTES = 12;
const SECOND_MS = 1_000;
/** How long one of its responses is good for. */
const LIFE_S = 10 * 60;

/**
 * A checkout response as an SRC system gives it: a JWS (RS256) that says for whom and what it is, with the
 * card as a JWE (RSA-OAEP-256, A256GCM) in it.
 */
export function clickToPayToken(
  keys: WalletKeys['clickToPay'],
  order: WalletOrder,
  now: Date,
): string {
  const made = Math.floor(now.getTime() / SECOND_MS);
  const { amount, currency, number, numberType, transaction } = order;
  const claims = {
    ...{ iss: keys.issuer, iat: made, exp: made + LIFE_S },
    srcDpaId: order.dpa ?? keys.srcDpaId,
    srcCorrelationId: randomUUID(),
    ...(transaction !== undefined && { srciTransactionId: transaction }),
    maskedCard: { panBin: number.slice(0, 6), panLastFour: number.slice(-4) },
    transactionAmount: { transactionAmount: amount, transactionCurrencyCode: currency },
    assuranceData: numberType === 'DPAN' ? { eci: '05' } : {},
    encryptedPayload: sealed(contentOf(order), keys),
  };
  const header = { alg: 'RS256', typ: 'JOSE', kid: keys.signingKeyId };
  const signed = [header, claims].map((part) => base64url(Buffer.from(JSON.stringify(part))));
  const text = signed.join('.');
  const signature = sign('sha256', Buffer.from(text), createPrivateKey(keys.signingKey));
  return `${text}.${base64url(signature)}`;
}

function contentOf({ number, numberType, expiryMonth, expiryYear, holder }: WalletOrder): object {
  const named = holder === undefined ? {} : { cardholderFullName: holder };
  if (numberType === 'PAN') {
    const expiry = { panExpirationMonth: expiryMonth, panExpirationYear: expiryYear };
    return { card: { primaryAccountNumber: number, ...expiry, ...named } };
  }
  const expiry = { tokenExpirationMonth: expiryMonth, tokenExpirationYear: expiryYear };
  return {
    token: { paymentToken: number, ...expiry, ...named },
    dynamicData: [
      {
        dynamicDataType: 'CARD_APPLICATION_CRYPTOGRAM_LONG_FORM',
        dynamicDataValue: newCryptogram(),
      },
    ],
  };
}

function sealed(content: object, { keyId, recipientKey }: WalletKeys['clickToPay']): string {
  const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: keyId };
  const authenticated = base64url(Buffer.from(JSON.stringify(header)));
  const [contentKey, vector] = [randomBytes(KEY_BYTES), randomBytes(INITIALIZATION_VECTOR_BYTES)];
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const encryptedKey = publicEncrypt(
    { key: createPublicKey(recipientKey), padding, oaepHash: 'sha256' },
    contentKey,
  );
  const cipher = createCipheriv('aes-256-gcm', contentKey, vector);
  cipher.setAAD(Buffer.from(authenticated, 'latin1'));
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
  const parts = [encryptedKey, vector, encrypted, cipher.getAuthTag()].map(base64url);
  return [authenticated, ...parts].join('.');
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}
