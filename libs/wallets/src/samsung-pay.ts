import { type Amount, isCurrency } from '@sluice/money';
import { Buffer } from 'node:buffer';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { openedJwe, readCompactJwe, useOf } from './compact-jwe.js';
import { type Fields, fieldsOf, fieldsOfText, instantOf, sha256, textOf } from './token-text.js';
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

const taken = { keys: ['RSA1_5', 'RSA-OAEP'], contents: ['A128GCM', 'A256GCM'] } as const;
/** Nobody waits longer between the finger on the phone and the payment; clocks differ by less. */
const AGE_MAX_MS = 10 * 60 * 1_000;

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
  const read = readCompactJwe(token);
  if (read === undefined) return refused('unreadable');
  const use = useOf(read, taken);
  if (typeof use === 'string') return refused(use);
  const privateKey = recipient.privateKeys.get(use.keyId);
  if (privateKey === undefined) return refused('otherMerchant');
  const plain = openedJwe(read, use, privateKey);
  if (plain === undefined) return refused('altered');
  return openingOf(plain, sha256(Buffer.from(token)).toString('hex'), now);
}

/** Of the JSON that a phone or a page is given; any other text is the part itself. */
function encryptedPartOf(sent: string): string {
  if (!sent.startsWith('{')) return sent;
  const fields = fieldsOfText(sent) ?? {};
  return textOf(fieldsOf(fields['3DS']) ?? fields, 'data') ?? '';
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
