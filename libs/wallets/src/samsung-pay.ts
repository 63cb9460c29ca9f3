import { type Amount, isCurrency } from '@sluice/money';
import { Buffer } from 'node:buffer';
import { createDecipheriv, createPrivateKey, type KeyObject } from 'node:crypto';
import { contentKey } from './samsung-pay-key.js';
import {
  exactBytes,
  type Fields,
  fieldsOf,
  fieldsOfText,
  instantOf,
  sha256,
  textOf,
  TOKEN_LENGTH_MAX,
} from './token-text.js';
import { cardOf, refused, type WalletOpening } from './wallet-card.js';

/** The keys by the id that tokens name; made once by `samsungPayRecipient`. */
export interface SamsungPayRecipient {
  readonly privateKeys: ReadonlyMap<string, KeyObject>;
}

/**
 * Reads keys.
 * @throws when one of them is none of RSA: wrong settings.
 */
export function samsungPayRecipient(settings: {
  readonly keys: readonly {
    /** As Samsung shows it for the certificate request: what tokens have as `kid`. */
    readonly keyId: string;
    /** PEM. */
    readonly privateKey: string;
  }[];
}): SamsungPayRecipient {
  const keys = settings.keys.map(({ keyId, privateKey }) => {
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType !== 'rsa') throw new TypeError("Samsung's keys are of RSA.");
    return [keyId, key] as const;
  });
  return { privateKeys: new Map(keys) };
}

/** How the content's key is encrypted: Samsung's own samples have the first. */
const algorithms = ['RSA1_5', 'RSA-OAEP'] as const;
/** Ciphers, with their keys' lengths. */
const ciphers = {
  A128GCM: { cipher: 'aes-128-gcm', keyBytes: 16 },
  A256GCM: { cipher: 'aes-256-gcm', keyBytes: 32 },
} as const;
/** RFC 7518, 5.3. */
const INITIALIZATION_VECTOR_BYTES = 12;
const TAG_BYTES = 16;
const PARTS = 5;
/** Nobody waits longer between the finger on the phone and the payment; clocks differ by less. */
const AGE_MAX_MS = 10 * 60 * 1_000;

interface SamsungToken {
  readonly header: Fields;
  readonly authenticated: string;
  readonly encryptedKey: Buffer;
  readonly initializationVector: Buffer;
  readonly encrypted: Buffer;
  readonly tag: Buffer;
}

/**
 * Opens a Samsung Pay credential, or the `3DS.data` in it: a JWE in compact form. Samsung does not
 * sign it: its authentication code says that it is whole, and not who has made it.
 */
export function openSamsungPayToken(
  sent: string,
  recipient: SamsungPayRecipient,
  now: Date,
): WalletOpening {
  // What stands around the JWE is not authenticated, so nothing else of it is read.
  const token = encryptedPartOf(sent);
  const read = readToken(token);
  if (read === undefined) return refused('unreadable');
  const [algorithm, encryption, keyId] = ['alg', 'enc', 'kid'].map((name) =>
    textOf(read.header, name),
  );
  if (algorithm === undefined || encryption === undefined || keyId === undefined) {
    return refused('unreadable');
  }
  // Extensions that must be understood, and compression, which makes much of little.
  if ('crit' in read.header || 'zip' in read.header) return refused('unsupported');
  if (!isOneOf(algorithms, algorithm) || (encryption !== 'A128GCM' && encryption !== 'A256GCM')) {
    return refused('unsupported');
  }
  if (read.initializationVector.length !== INITIALIZATION_VECTOR_BYTES)
    return refused('unreadable');
  if (read.tag.length !== TAG_BYTES) return refused('unreadable');
  const privateKey = recipient.privateKeys.get(keyId);
  if (privateKey === undefined) return refused('otherMerchant');
  const { cipher, keyBytes } = ciphers[encryption];
  const key = contentKey({ algorithm, encryptedKey: read.encryptedKey, keyBytes }, privateKey);
  const plain = decrypt(read, cipher, key);
  if (plain === undefined) return refused('altered');
  return openingOf(plain, sha256(Buffer.from(token)).toString('hex'), now);
}

/** Of the JSON that a phone or a page is given; any other text is the part itself. */
function encryptedPartOf(sent: string): string {
  if (!sent.startsWith('{')) return sent;
  const fields = fieldsOfText(sent) ?? {};
  return textOf(fieldsOf(fields['3DS']) ?? fields, 'data') ?? '';
}

function readToken(token: string): SamsungToken | undefined {
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

function isOneOf<Value extends string>(values: readonly Value[], value: string): value is Value {
  return (values as readonly string[]).includes(value);
}

function decrypt(
  token: SamsungToken,
  cipher: 'aes-128-gcm' | 'aes-256-gcm',
  key: Buffer,
): string | undefined {
  const decipher = createDecipheriv(cipher, key, token.initializationVector, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(token.authenticated, 'latin1')).setAuthTag(token.tag);
  try {
    return Buffer.concat([decipher.update(token.encrypted), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** MMYY. */
const EXPIRATION = /^([0-9]{2})([0-9]{2})$/;
/** Minor units; no amount of a card has more digits. */
const MINOR_UNITS = /^[0-9]{1,15}$/;

function openingOf(plain: string, tokenId: string, now: Date): WalletOpening {
  const fields = fieldsOfText(plain);
  const made = instantOf(textOf(fields ?? {}, 'utc'));
  if (fields === undefined || made === undefined) return refused('unreadable');
  const ageMs = now.getTime() - made.getTime();
  if (ageMs > AGE_MAX_MS) return refused('expired');
  if (ageMs < -AGE_MAX_MS) return refused('early');
  const expiration = EXPIRATION.exec(textOf(fields, 'tokenPanExpiration') ?? '');
  const card = cardOf({
    number: fields['tokenPAN'],
    numberType: 'DPAN',
    month: expiration?.[1],
    year: `20${expiration?.[2] ?? ''}`,
    cryptogram: fields['cryptogram'] ?? '',
    eci: fields['eci_indicator'],
  });
  const amount = amountOf(fields);
  return card === undefined || amount === undefined
    ? refused('unreadable')
    : {
        kind: 'opened',
        card: { ...card, amount, tokenId, goodUntil: new Date(now.getTime() + 2 * AGE_MAX_MS) },
      };
}

function amountOf(fields: Fields): Amount | undefined {
  const [minor = '', currency = ''] = [textOf(fields, 'amount'), textOf(fields, 'currency_code')];
  if (!MINOR_UNITS.test(minor) || !isCurrency(currency)) return undefined;
  return { minor: BigInt(minor), currency };
}
