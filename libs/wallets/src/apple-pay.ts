import { type Amount, type Currency, currencies, numberOf } from '@sluice/money';
import { Buffer } from 'node:buffer';
import {
  constants,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  privateDecrypt,
  X509Certificate,
} from 'node:crypto';
import { merchantIdHash } from './apple-pay-merchant.js';
import {
  AppleRoots,
  refusalOfSignature,
  SIGNING_TIME_DIFFERENCE_MS,
} from './apple-pay-signature.js';
import {
  bytesOf,
  exactBytes,
  type Fields,
  fieldsOf,
  fieldsOfText,
  sha256,
  textOf,
} from './token-text.js';
import {
  cardOf,
  type CardOfToken,
  refused,
  type WalletCard,
  type WalletOpening,
} from './wallet-card.js';

/** A merchant's payment processing certificate and its private key, both PEM. */
export interface ApplePayMerchant {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Whose tokens are opened, and whose signatures count; made once by `applePayRecipient`. */
export interface ApplePayRecipient {
  /** By the hash of the public key, in Base64, as tokens name it. */
  readonly merchants: ReadonlyMap<string, MerchantKey>;
  readonly roots: AppleRoots;
}

/** A merchant's key, ready for use. */
export interface MerchantKey {
  readonly privateKey: KeyObject;
  /** SHA-256 of the merchant's id at Apple. */
  readonly merchantIdHash: Buffer;
}

/**
 * Reads certificates and keys.
 * @throws when one of them is none, or a key is not that of its certificate: wrong settings.
 */
export function applePayRecipient(settings: {
  readonly merchants: readonly ApplePayMerchant[];
  /** Apple Root CA - G3; in tests, whatever root has signed. PEM. */
  readonly roots: readonly string[];
}): ApplePayRecipient {
  const merchants = settings.merchants.map((merchant) => {
    const certificate = new X509Certificate(merchant.certificate);
    const privateKey = createPrivateKey(merchant.privateKey);
    if (!certificate.checkPrivateKey(privateKey)) {
      throw new TypeError("The merchant's private key is not that of its certificate.");
    }
    const publicKey = certificate.publicKey.export({ type: 'spki', format: 'der' });
    const key = { privateKey, merchantIdHash: merchantIdHash(certificate) };
    return [sha256(publicKey).toString('base64'), key] as const;
  });
  return {
    merchants: new Map(merchants),
    roots: new AppleRoots(settings.roots.map((root) => new X509Certificate(root))),
  };
}

interface AppleToken {
  readonly version: Version;
  readonly data: Buffer;
  readonly signature: Buffer;
  /** The ephemeral public key of EC_v1, the wrapped key of RSA_v1. */
  readonly sealedKey: Buffer;
  readonly publicKeyHash: string;
  readonly transactionId: Buffer;
  readonly applicationData: Buffer;
}

type Version = 'EC_v1' | 'RSA_v1';

const versions = {
  EC_v1: { sealedKey: 'ephemeralPublicKey', cipher: 'aes-256-gcm', signedBy: 'ec' },
  RSA_v1: { sealedKey: 'wrappedKey', cipher: 'aes-128-gcm', signedBy: 'rsa' },
} as const;

/** Each token has a key of its own, so Apple's initialization vector is 16 zeros. */
const INITIALIZATION_VECTOR = Buffer.alloc(16);
const TAG_BYTES = 16;

/**
 * Opens an Apple Pay payment token: the JSON of `paymentData`, of version EC_v1 or RSA_v1. Apple's
 * signature is checked before anything is decrypted.
 */
export function openApplePayToken(
  token: string,
  recipient: ApplePayRecipient,
  now: Date,
): WalletOpening {
  const fields = fieldsOfText(token);
  if (fields === undefined) return refused('unreadable');
  const version = textOf(fields, 'version');
  if (version !== 'EC_v1' && version !== 'RSA_v1') {
    return refused(version === undefined ? 'unreadable' : 'unsupported');
  }
  const read = readToken(fields, version);
  if (read === undefined) return refused('unreadable');
  const merchant = recipient.merchants.get(read.publicKeyHash);
  if (merchant === undefined) return refused('otherMerchant');
  const { data, sealedKey, transactionId, applicationData } = read;
  const content = Buffer.concat([sealedKey, data, transactionId, applicationData]);
  const algorithm = versions[version].signedBy;
  const signature = { bytes: read.signature, content, algorithm };
  const refusal = refusalOfSignature(signature, recipient.roots, now);
  if (refusal !== undefined) return refused(refusal);
  const plain = decrypt(read, merchant);
  if (plain === undefined) return refused('altered');
  // Signed by now's clock five minutes ahead at most, and good for as long.
  const goodUntil = new Date(now.getTime() + 2 * SIGNING_TIME_DIFFERENCE_MS);
  return openingOf(plain, { tokenId: transactionId.toString('hex'), goodUntil });
}

function readToken(fields: Fields, version: Version): AppleToken | undefined {
  const header = fieldsOf(fields['header']);
  if (header === undefined) return undefined;
  const [data, signature] = [bytesOf(fields, 'data'), bytesOf(fields, 'signature')];
  const sealedKey = bytesOf(header, versions[version].sealedKey);
  const publicKeyHash = textOf(header, 'publicKeyHash');
  const transactionId = bytesOf(header, 'transactionId', 'hex');
  const applicationData = exactBytes(textOf(header, 'applicationData') ?? '', 'hex');
  if (data === undefined || signature === undefined || sealedKey === undefined) return undefined;
  if (publicKeyHash === undefined || transactionId === undefined) return undefined;
  if (applicationData === undefined) return undefined;
  return { version, data, signature, sealedKey, publicKeyHash, transactionId, applicationData };
}

/** What was encrypted for the merchant; nothing if it cannot be decrypted. */
function decrypt(token: AppleToken, merchant: MerchantKey): string | undefined {
  try {
    const key = token.version === 'EC_v1' ? agreedKey(token, merchant) : unwrapped(token, merchant);
    const encrypted = token.data.subarray(0, -TAG_BYTES);
    const { cipher } = versions[token.version];
    const decipher = createDecipheriv(cipher, key, INITIALIZATION_VECTOR, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(token.data.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
  } catch {
    // Another curve or padding, or a tag of something else: Node says all of it by throwing.
    return undefined;
  }
}

/** The key derivation of NIST SP 800-56A (5.8.1), which is X9.63's, with Apple's words. */
function agreedKey({ sealedKey }: AppleToken, { privateKey, merchantIdHash }: MerchantKey): Buffer {
  const publicKey = createPublicKey({ key: sealedKey, format: 'der', type: 'spki' });
  const shared = diffieHellman({ privateKey, publicKey });
  const firstRound = Buffer.from([0, 0, 0, 1]);
  const algorithm = Buffer.from('\x0did-aes256-GCM', 'latin1');
  return sha256(firstRound, shared, algorithm, Buffer.from('Apple'), merchantIdHash);
}

function unwrapped({ sealedKey }: AppleToken, { privateKey }: MerchantKey): Buffer {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, sealedKey);
}

/** YYMMDD; the card is good until the end of the month. */
const EXPIRATION = /^([0-9]{2})([0-9]{2})(?:0[1-9]|[12][0-9]|3[01])$/;

function openingOf(plain: string, token: Pick<WalletCard, 'tokenId' | 'goodUntil'>): WalletOpening {
  const fields = fieldsOfText(plain);
  if (fields === undefined) return refused('unreadable');
  // The other kind, EMV, has chip data for China's acquirers in place of a cryptogram.
  if (textOf(fields, 'paymentDataType') !== '3DSecure') return refused('unsupported');
  const proof = fieldsOf(fields['paymentData']);
  const expiration = EXPIRATION.exec(textOf(fields, 'applicationExpirationDate') ?? '');
  const amount = amountOf(fields);
  if (proof === undefined || expiration === null || amount === undefined) {
    return refused('unreadable');
  }
  const card: CardOfToken | undefined = cardOf({
    number: fields['applicationPrimaryAccountNumber'],
    numberType: 'DPAN',
    month: expiration[2],
    year: `20${expiration[1] ?? ''}`,
    holder: fields['cardholderName'],
    cryptogram: proof['onlinePaymentCryptogram'] ?? '',
    eci: proof['eciIndicator'],
  });
  return card === undefined
    ? refused('unreadable')
    : { kind: 'opened', card: { ...card, amount, ...token } };
}

const currenciesByNumber: ReadonlyMap<string, Currency> = new Map(
  currencies.map((currency) => [numberOf(currency), currency]),
);

function amountOf(fields: Fields): Amount | undefined {
  const minor = fields['transactionAmount'];
  const currency = currenciesByNumber.get(textOf(fields, 'currencyCode') ?? '');
  if (!Number.isSafeInteger(minor) || currency === undefined) return undefined;
  return typeof minor === 'number' && minor >= 0 ? { minor: BigInt(minor), currency } : undefined;
}
