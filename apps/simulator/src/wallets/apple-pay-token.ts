import {
  createCipheriv,
  createHash,
  createPrivateKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { signedMessage } from './apple-pay-signature.js';
import { newCryptogram } from './cryptogram.js';
import type { WalletKeys } from './wallet-keys.js';
import type { WalletOrder } from './wallet-order.js';

const TRANSACTION_ID_BYTES = 32;
/** Each token has a key of its own, so the vector is all zeros. */
const INITIALIZATION_VECTOR = Buffer.alloc(16);
/** NIST SP 800-56A's first round, and what Apple has derive the key. */
const ROUND = Buffer.from([0, 0, 0, 1]);
const ALGORITHM = Buffer.from('\x0did-aes256-GCM', 'latin1');

/** A payment token as Apple Pay gives it: version EC_v1, signed now. */
export function applePayToken(keys: WalletKeys['applePay'], order: WalletOrder, now: Date): string {
  const merchant = new X509Certificate(keys.merchantCertificate).publicKey;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ephemeral = publicKey.export({ type: 'spki', format: 'der' });
  const shared = diffieHellman({ privateKey, publicKey: merchant });
  const merchantId = sha256(Buffer.from(keys.merchantId));
  const key = sha256(ROUND, shared, ALGORITHM, Buffer.from('Apple'), merchantId);
  const cipher = createCipheriv('aes-256-gcm', key, INITIALIZATION_VECTOR);
  const plain = JSON.stringify(contentOf(order));
  const sealed = [cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()];
  const data = Buffer.concat(sealed);
  const transactionId = randomBytes(TRANSACTION_ID_BYTES);
  const content = Buffer.concat([ephemeral, data, transactionId]);
  const signature = signedMessage(content, {
    leaf: new X509Certificate(keys.leaf),
    key: createPrivateKey(keys.leafKey),
    intermediate: new X509Certificate(keys.intermediate),
    at: now,
  });
  return JSON.stringify({
    version: 'EC_v1',
    data: data.toString('base64'),
    signature: signature.toString('base64'),
    header: {
      ephemeralPublicKey: ephemeral.toString('base64'),
      publicKeyHash: sha256(merchant.export({ type: 'spki', format: 'der' })).toString('base64'),
      transactionId: transactionId.toString('hex'),
    },
  });
}

function contentOf(order: WalletOrder): object {
  const { number, expiryMonth, expiryYear, holder, currencyNumber, amountMinor } = order;
  return {
    applicationPrimaryAccountNumber: number,
    // YYMMDD; nobody looks at the day.
    applicationExpirationDate: `${expiryYear.slice(2)}${expiryMonth}28`,
    currencyCode: currencyNumber,
    transactionAmount: amountMinor,
    ...(holder !== undefined && { cardholderName: holder }),
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: newCryptogram(), eciIndicator: '5' },
  };
}

function sha256(...parts: readonly Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}
