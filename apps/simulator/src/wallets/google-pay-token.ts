import {
  createCipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { newCryptogram } from './cryptogram.js';
import type { WalletKeys } from './wallet-keys.js';
import type { WalletOrder } from './wallet-order.js';

const VERSION = 'ECv2';
const SENDER = 'Google';
/** How long one of its messages is good for. */
const MESSAGE_LIFE_MS = 60 * 60 * 1_000;
/** A point of P-256, which ends its SubjectPublicKeyInfo. */
const POINT_BYTES = 65;
const KEY_BYTES = 32;
const HASH_BYTES = 32;
const COUNTER = Buffer.alloc(16);

/** A payment method token as Google Pay gives it, of version ECv2. */
export function googlePayToken(
  { recipientId, recipientKey, signedKey, keySignature, signingKey }: WalletKeys['googlePay'],
  order: WalletOrder,
  now: Date,
): string {
  const plain = JSON.stringify(contentOf(order, now));
  const signedMessage = JSON.stringify(sealed(plain, createPublicKey(recipientKey)));
  const words = [SENDER, recipientId, VERSION, signedMessage];
  return JSON.stringify({
    protocolVersion: VERSION,
    signature: signatureOf(words, createPrivateKey(signingKey)),
    intermediateSigningKey: { signedKey, signatures: [keySignature] },
    signedMessage,
  });
}

/** ECDSA over the words, each with its length in front, in Base64. */
function signatureOf(words: readonly string[], key: KeyObject): string {
  const framed = words.map((word) => {
    const bytes = Buffer.from(word, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return sign('sha256', Buffer.concat(framed), key).toString('base64');
}

/** ECIES with HKDF, AES-256-CTR and HMAC, all over SHA-256. */
function sealed(plain: string, recipient: KeyObject): object {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-POINT_BYTES);
  const secret = Buffer.concat([point, diffieHellman({ privateKey, publicKey: recipient })]);
  const salt = Buffer.alloc(HASH_BYTES);
  const keys = Buffer.from(hkdfSync('sha256', secret, salt, SENDER, 2 * KEY_BYTES));
  const cipher = createCipheriv('aes-256-ctr', keys.subarray(0, KEY_BYTES), COUNTER);
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const tag = createHmac('sha256', keys.subarray(KEY_BYTES)).update(encrypted).digest('base64');
  return {
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag,
  };
}

function contentOf(
  { number, numberType, expiryMonth, expiryYear, entityId }: WalletOrder,
  now: Date,
): object {
  const isOfDevice = numberType === 'DPAN';
  return {
    gatewayMerchantId: entityId,
    messageExpiration: String(now.getTime() + MESSAGE_LIFE_MS),
    messageId: randomUUID(),
    paymentMethod: 'CARD',
    paymentMethodDetails: {
      pan: number,
      expirationMonth: Number(expiryMonth),
      expirationYear: Number(expiryYear),
      authMethod: isOfDevice ? 'CRYPTOGRAM_3DS' : 'PAN_ONLY',
      ...(isOfDevice && { cryptogram: newCryptogram(), eciIndicator: '05' }),
    },
  };
}
