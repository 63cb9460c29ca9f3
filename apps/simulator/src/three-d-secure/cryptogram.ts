import { createHmac, randomBytes } from 'node:crypto';
import { claimsAuthentication } from './networks.js';

/** What a cryptogram was made for. */
export interface Proven {
  readonly number: string;
  /** Exact decimal text and letters; absent where nothing is paid. */
  readonly amount?: string;
  readonly currency?: string;
  /** The issuer answers for an attempt (A): the shopper was not authenticated. */
  readonly isAttempt?: boolean;
}

/** What a payment comes with a cryptogram for. */
export interface Claimed extends Pick<Proven, 'amount' | 'currency' | 'number'> {
  readonly eci?: string;
}

/** What the acquirer finds about a cryptogram that was made here. */
export type ProofFit = 'fits' | 'otherCard' | 'otherOutcome' | 'otherAmount';

/** A cryptogram that was made here, for whoever must not have it. */
export interface MadeHere {
  readonly fit: ProofFit;
  /** The same for the same one: nobody can make it out of this. */
  readonly mark: string;
}

/** Known to everybody: it keeps apart what was made here, and protects nothing. */
const KEY = 'the issuers of the simulator';

const MARK = 0x53;
const NONCE_BYTES = 6;
const MADE_HERE_BYTES = 4;
const CARD_BYTES = 4;
const AMOUNT_BYTES = 5;
const CRYPTOGRAM_BYTES = 1 + NONCE_BYTES + MADE_HERE_BYTES + CARD_BYTES + AMOUNT_BYTES;
/** By either alphabet of base64, whatever the two bits behind its bytes. */
const CRYPTOGRAM = /^[0-9A-Za-z+/_-]{27}=$/;

/** Proves an authentication to the issuer: 20 bytes, base64, another one each time. */
export function newProof(proven: Proven, nonce = randomBytes(NONCE_BYTES)): string {
  return Buffer.concat([
    ...[Buffer.of(MARK), nonce, hashOf(nonce, outcomeText(proven), MADE_HERE_BYTES)],
    hashOf(nonce, proven.number, CARD_BYTES),
    hashOf(nonce, amountText(proven), AMOUNT_BYTES),
  ]).toString('base64');
}

/** Whether a cryptogram fits what is paid; undefined where it was not made here. */
export function fitOf(told: string, { eci, ...paid }: Claimed): ProofFit | undefined {
  if (!CRYPTOGRAM.test(told)) return undefined;
  const cryptogram = inOneSpelling(told);
  const nonce = Buffer.from(cryptogram, 'base64').subarray(1, 1 + NONCE_BYTES);
  const begin = (text: string): string => text.slice(0, CARD_END);
  const isAttempt = [false, true].find(
    (each) => madeHereOf(cryptogram) === madeHereOf(newProof({ ...paid, isAttempt: each }, nonce)),
  );
  if (isAttempt === undefined) return undefined;
  const [whole, withoutAmount] = [paid, { number: paid.number }].map((one) =>
    newProof({ ...one, isAttempt }, nonce),
  );
  if (begin(hexOf(cryptogram)) !== begin(hexOf(whole ?? ''))) return 'otherCard';
  if (isAttempt && claimsAuthentication(eci)) return 'otherOutcome';
  return cryptogram === whole || cryptogram === withoutAmount ? 'fits' : 'otherAmount';
}

/** What the acquirer's book may know of one; undefined where it was not made here. */
export function madeHere(cryptogram: string, claimed: Claimed): MadeHere | undefined {
  const fit = fitOf(cryptogram, claimed);
  if (fit === undefined) return undefined;
  const spelt = inOneSpelling(cryptogram);
  const mark = createHmac('sha256', KEY).update(spelt).digest('hex').slice(0, MARK_LENGTH);
  return { fit, mark };
}

/** Two spellings of the same bytes are the same cryptogram, or one could be used twice. */
function inOneSpelling(base64: string): string {
  return Buffer.from(base64, 'base64').toString('base64');
}

const MARK_LENGTH = 32;
const HEX = 2;
const MADE_HERE_END = HEX * (1 + NONCE_BYTES + MADE_HERE_BYTES);
const CARD_END = HEX * (CRYPTOGRAM_BYTES - AMOUNT_BYTES);

function madeHereOf(cryptogram: string): string {
  return hexOf(cryptogram).slice(0, MADE_HERE_END);
}

function hexOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

function outcomeText({ isAttempt }: Proven): string {
  return isAttempt === true ? 'an attempt, made here' : 'made here';
}

/** EMV `purchaseExponent` has one digit. */
const DECIMALS_MAX = 9;

/** With all zeros at its end, of which the other side may write more or fewer. */
function amountText({ amount, currency }: Proven): string {
  if (amount === undefined || currency === undefined) return 'nothing';
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(DECIMALS_MAX, '0');
  return `${whole.replace(/^0+(?=[0-9])/, '')}.${digits} ${currency}`;
}

function hashOf(nonce: Buffer, text: string, bytes: number): Buffer {
  return createHmac('sha256', KEY).update(nonce).update(text).digest().subarray(0, bytes);
}
