import { type Amount, type Currency, exponentOf, isCurrency } from '@sluice/money';
import { Buffer } from 'node:buffer';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { openedJwe, readCompactJwe, useOf } from './compact-jwe.js';
import {
  type CompactJws,
  isSignedBy,
  payloadOf,
  readCompactJws,
  type SigningKey,
  signingKeys,
} from './compact-jws.js';
import {
  type Fields,
  fieldsOf,
  fieldsOfText,
  sha256,
  textOf,
  TOKEN_LENGTH_MAX,
} from './token-text.js';
import { cardOf, type CardOfToken, refused, type WalletOpening } from './wallet-card.js';

/** A scheme's SRC system: whose word counts, and by which keys it is known. */
export interface SrcSystem {
  /** What it calls itself (`iss`), where it does. */
  readonly issuer?: string;
  readonly keys: readonly SigningKey[];
}

/** Whose checkout responses are opened; made once by `clickToPayRecipient`. */
export interface ClickToPayRecipient {
  /** How SRC systems know the merchant: a response for another is refused. */
  readonly srcDpaId: string;
  /** By the ids that responses name them by. */
  readonly privateKeys: ReadonlyMap<string, KeyObject>;
  readonly systems: readonly SrcSystem[];
}

/**
 * Reads the keys of SRC systems.
 * @throws when one is none: wrong settings
 */
export function srcSystems(
  settings: readonly { readonly issuer?: string; readonly keys: unknown }[],
): readonly SrcSystem[] {
  if (settings.length === 0) throw new TypeError('no SRC system');
  return settings.map(({ keys, ...others }) => ({ ...others, keys: signingKeys(keys) }));
}

/**
 * Reads a merchant's keys.
 * @throws when one is none of RSA: wrong settings
 */
export function clickToPayRecipient(settings: {
  readonly srcDpaId: string;
  readonly keys: readonly { readonly keyId: string; readonly privateKey: string }[];
  readonly systems: readonly SrcSystem[];
}): ClickToPayRecipient {
  const { srcDpaId, systems } = settings;
  const keys = settings.keys.map(({ keyId, privateKey }) => {
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType !== 'rsa') throw new TypeError('the keys of a DPA are of RSA');
    return [keyId, key] as const;
  });
  return { srcDpaId, systems, privateKeys: new Map(keys) };
}

const taken = { keys: ['RSA-OAEP-256'], contents: ['A256GCM'] } as const;
const SECOND_MS = 1_000;
/** A shopper confirms, and the page sends at once: whatever a response says, it counts no longer. */
const AGE_MAX_MS = 60 * 60 * SECOND_MS;
/** Clocks differ by less. */
const EARLY_MAX_MS = 5 * 60 * SECOND_MS;

/**
 * Opens the checkout response of an SRC system: a JWS that says for whom and what it is, with the card as
 * a JWE in it. Who has signed it is found out before anything else is believed.
 */
export function openClickToPayToken(
  sent: string,
  recipient: ClickToPayRecipient,
  now: Date,
): WalletOpening {
  if (sent.length > TOKEN_LENGTH_MAX) return refused('unreadable');
  const jws = readCompactJws(sent);
  if (typeof jws === 'string') return refused(jws);
  const keys = recipient.systems.flatMap(({ issuer, keys: all }) =>
    all.filter(({ keyId }) => keyId === jws.keyId).map((key) => ({ issuer, key })),
  );
  if (keys.length === 0) return refused('wrongChain');
  const signers = keys.filter(({ key }) => isSignedBy(jws, key));
  if (signers.length === 0) return refused('altered');
  const claims = payloadOf(jws);
  if (claims === undefined) return refused('unreadable');
  const issuer = textOf(claims, 'iss');
  const isOwn = signers.some((signer) => signer.issuer === undefined || signer.issuer === issuer);
  return isOwn ? openingOf(jws, claims, { recipient, now }) : refused('wrongChain');
}

interface OpenedFor {
  readonly recipient: ClickToPayRecipient;
  readonly now: Date;
}

function openingOf(jws: CompactJws, claims: Fields, { recipient, now }: OpenedFor): WalletOpening {
  const [made, until] = [secondsIn(claims, 'iat'), secondsIn(claims, 'exp')];
  if (made === undefined || until === undefined) return refused('unreadable');
  const goodUntil = new Date(Math.min(until.getTime(), made.getTime() + AGE_MAX_MS));
  if (goodUntil <= now) return refused('expired');
  if (made.getTime() - now.getTime() > EARLY_MAX_MS) return refused('early');
  if (dpaOf(claims) !== recipient.srcDpaId) return refused('otherMerchant');
  const amount = amountIn(claims);
  const sealed = textOf(claims, 'encryptedPayload');
  if (amount === 'unreadable' || sealed === undefined) return refused('unreadable');
  const plain = unsealed(sealed, recipient);
  if (typeof plain !== 'string') return plain;
  const contents = fieldsOfText(plain);
  const card = contents && cardIn(contents, fieldsOf(claims['assuranceData']));
  if (card === undefined) return refused('unreadable');
  const transaction = textOf(claims, 'srciTransactionId');
  return {
    kind: 'opened',
    card: {
      ...card,
      ...(amount !== undefined && { amount }),
      ...(transaction !== undefined && { transaction }),
      tokenId: sha256(Buffer.from(jws.signed)).toString('hex'),
      goodUntil,
    },
  };
}

/** For whom it is; systems that do not say it so name whom they speak to (RFC 7519, 4.1.3). */
function dpaOf(claims: Fields): string | undefined {
  return textOf(claims, 'srcDpaId') ?? textOf(claims, 'aud');
}

function unsealed(sealed: string, { privateKeys }: ClickToPayRecipient) {
  const jwe = readCompactJwe(sealed);
  if (jwe === undefined) return refused('unreadable');
  const use = useOf(jwe, taken);
  if (typeof use === 'string') return refused(use);
  const privateKey = privateKeys.get(use.keyId);
  if (privateKey === undefined) return refused('unknownKey');
  return openedJwe(jwe, use, privateKey) ?? refused('altered');
}

/** What proves this one payment to the issuer; codes that a person would type are none of it. */
const CRYPTOGRAMS: readonly unknown[] = [
  'CARD_APPLICATION_CRYPTOGRAM_SHORT_FORM',
  'CARD_APPLICATION_CRYPTOGRAM_LONG_FORM',
  'CARDHOLDER_AUTHENTICATION_CRYPTOGRAM',
];

/** Either a token of the card's network or the card's own number, and never both. */
function cardIn(contents: Fields, assurance: Fields | undefined): CardOfToken | undefined {
  const [token, card] = [fieldsOf(contents['token']), fieldsOf(contents['card'])];
  const cryptogram = cryptogramIn(contents);
  const proof = {
    ...(cryptogram !== undefined && { cryptogram }),
    ...(assurance?.['eci'] !== undefined && { eci: assurance['eci'] }),
  };
  if (token !== undefined && card === undefined) {
    return cardOf({
      ...{ number: token['paymentToken'], numberType: 'DPAN', holder: token['cardholderFullName'] },
      ...{ month: token['tokenExpirationMonth'], year: token['tokenExpirationYear'] },
      // A network's token pays nothing without a proof.
      ...{ cryptogram: '', ...proof },
    });
  }
  if (card === undefined || token !== undefined) return undefined;
  return cardOf({
    ...{ number: card['primaryAccountNumber'], numberType: 'PAN' },
    ...{ month: card['panExpirationMonth'], year: card['panExpirationYear'] },
    ...{ holder: card['cardholderFullName'], ...proof },
  });
}

function cryptogramIn({ dynamicData }: Fields): unknown {
  const all: readonly unknown[] = Array.isArray(dynamicData) ? dynamicData : [dynamicData];
  return all
    .map((one) => fieldsOf(one) ?? {})
    .find(({ dynamicDataType: type }) => CRYPTOGRAMS.includes(type))?.['dynamicDataValue'];
}

/** Seconds since 1970, which no date needs more than ten digits of. */
const SECONDS_MAX = 9_999_999_999;

function secondsIn(claims: Fields, name: string): Date | undefined {
  const value = claims[name];
  const isMoment = typeof value === 'number' && value >= 0 && value <= SECONDS_MAX;
  return isMoment ? new Date(value * SECOND_MS) : undefined;
}

const DECIMAL = /^([0-9]{1,12})(?:\.([0-9]{1,3}))?$/;

/** What the shopper has agreed to, where it is said. */
function amountIn(claims: Fields): Amount | undefined | 'unreadable' {
  const said = claims['transactionAmount'];
  if (said === undefined) return undefined;
  const { transactionAmount, transactionCurrencyCode: currency } = fieldsOf(said) ?? {};
  const isText = typeof transactionAmount === 'string' || typeof transactionAmount === 'number';
  if (!isText || typeof currency !== 'string' || !isCurrency(currency)) return 'unreadable';
  return amountOf(String(transactionAmount), currency) ?? 'unreadable';
}

/** Digits behind the currency's own are noughts. */
function amountOf(text: string, currency: Currency): Amount | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  const decimals = exponentOf(currency);
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0');
  if (whole === undefined || /[^0]/.test(fraction.slice(decimals))) return undefined;
  return { minor: BigInt(`${whole}${kept}`), currency };
}
