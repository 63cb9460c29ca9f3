import type { CardSummary, CardToHold, Mode } from '@sluice/contracts';
import { type Amount, isCurrency, parseAmount, zero } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import { AccountNumber, Cryptogram, Cvv, Pan } from '@sluice/secrets';
import { brandNamed, type CardBrand, detectedBrand, isOfBrand } from './brands.js';
import type { Form } from './form.js';
import { isNewPayment, type Kind } from './kinds.js';
import { passesLuhn } from './luhn.js';
import { needsSecurityCode } from './security-code.js';
import { shownBrandOf, unservedDescription } from './unserved.js';

type RejectionCode = (typeof codes)[
  | 'amountTooLow'
  | 'amountFormat'
  | 'notConfigured'
  | 'invalidCardNumber'
  | 'brandMismatch'
  | 'cardExpired'
  | 'securityCodeMissing'
  | 'invalidSecurityCode'];

/** Why a form without violations is refused: it gets an id and is recorded (D-37). */
export interface Rejection {
  readonly code: RejectionCode;
  /** What the answer says, where the code's own text does not say enough. */
  readonly description?: string;
}

/** What a form without violations asks for, where, and when. */
export interface AskedPayment {
  readonly kind: Kind;
  readonly mode: Mode;
  readonly nowMs: number;
}

/**
 * The first reason, in the order of D-37, for which a form without violations cannot be paid:
 * amount, what is not served, then card. Nothing is called then, but the attempt is recorded.
 */
export function firstRejection(
  form: Form,
  { kind, mode, nowMs }: AskedPayment,
): Rejection | undefined {
  const ofAmount = amountRejection(form);
  if (ofAmount !== undefined) return { code: ofAmount };
  if (!isNewPayment(kind)) return undefined;
  const description = unservedDescription(form, kind, mode);
  if (description !== undefined) return { code: codes.notConfigured, description };
  const ofCard = cardRejection(form, nowMs);
  return ofCard && { code: ofCard };
}

function amountRejection(form: Form): RejectionCode | undefined {
  const text = form.get('amount');
  const currency = form.get('currency');
  if (text === undefined || currency === undefined || !isCurrency(currency)) return undefined;
  const parsed = parseAmount(text, currency);
  if (parsed.kind === 'amount') return undefined;
  return parsed.reason === 'zero' ? codes.amountTooLow : codes.amountFormat;
}

function cardRejection(form: Form, nowMs: number): RejectionCode | undefined {
  const number = form.get('card.number') ?? '';
  if (!passesLuhn(number)) return codes.invalidCardNumber;
  const brand = brandOf(form);
  if (brand === undefined || !isOfBrand(number, brand)) return codes.brandMismatch;
  if (isExpired(form.get('card.expiryYear'), form.get('card.expiryMonth'), nowMs)) {
    return codes.cardExpired;
  }
  const securityCode = form.get('card.cvv');
  if (securityCode === undefined) {
    return needsSecurityCode(form, brand) ? codes.securityCodeMissing : undefined;
  }
  return securityCode.length === brand.securityCodeDigits ? undefined : codes.invalidSecurityCode;
}

/** The brand that was sent, else the one the number belongs to (Interface 2.3). */
function brandOf(form: Form): CardBrand | undefined {
  const name = form.get('paymentBrand');
  return name === undefined ? detectedBrand(form.get('card.number') ?? '') : brandNamed(name);
}

/** When it has ended everywhere on earth, the last month of a card is over. */
const LATEST_TIME_ZONE_HOURS = 12;
const HOUR_MS = 3_600_000;

function isExpired(year: string | undefined, month: string | undefined, nowMs: number): boolean {
  const latest = new Date(nowMs - LATEST_TIME_ZONE_HOURS * HOUR_MS).toISOString();
  return `${year ?? ''}-${month ?? ''}` < latest.slice(0, 'yyyy-MM'.length);
}

/**
 * The amount of a form without violations; undefined when none was sent. An amount that cannot be
 * paid (zero, a fraction of JPY) is zero: the rejected attempt is recorded with nothing.
 */
export function amountOf(form: Form): Amount | undefined {
  const text = form.get('amount');
  const currency = form.get('currency');
  if (text === undefined || currency === undefined || !isCurrency(currency)) return undefined;
  const parsed = parseAmount(text, currency);
  return parsed.kind === 'amount' ? parsed.amount : zero(currency);
}

/**
 * The card of a form without violations, for the vault, with the accounts that money is moved between
 * and the proof of an authentication; card data leaves the form only here.
 */
export function cardOf(form: Form): CardToHold {
  const holder = form.get('card.holder');
  const securityCode = form.get('card.cvv');
  const sender = form.get('sender.accountNumber');
  const recipient = form.get('recipient.accountNumber');
  const cryptogram = form.get('threeDSecure.verificationId');
  return {
    number: new Pan(form.get('card.number') ?? ''),
    expiryMonth: form.get('card.expiryMonth') ?? '',
    expiryYear: form.get('card.expiryYear') ?? '',
    ...(holder !== undefined && { holder }),
    ...(securityCode !== undefined && { cvv: new Cvv(securityCode) }),
    ...(sender !== undefined && { senderAccount: new AccountNumber(sender) }),
    ...(recipient !== undefined && { recipientAccount: new AccountNumber(recipient) }),
    ...(cryptogram !== undefined && { cryptogram: new Cryptogram(cryptogram) }),
  };
}

const BIN_DIGITS = 6;
const LAST_DIGITS = 4;
/**
 * Shorter numbers, which no brand has, would be all but shown by their first six and last four
 * digits. They are rejected, and recorded without the first (PaymentInitiated always has six).
 */
export const BIN_SHOWN_FROM_DIGITS = 12;

/** What may be shown of the card (Interface 2.2), before the vault's reference is known. */
export function cardSummaryOf(form: Form): Omit<CardSummary, 'vaultReference'> {
  const number = form.get('card.number') ?? '';
  const sentBrand = shownBrandOf(form);
  const detected = sentBrand === undefined ? detectedBrand(number)?.name : undefined;
  return {
    bin: number.length >= BIN_SHOWN_FROM_DIGITS ? number.slice(0, BIN_DIGITS) : '',
    last4: number.slice(-LAST_DIGITS),
    brand: sentBrand ?? detected ?? '',
    ...(detected !== undefined && { brandDetected: true }),
    expiryMonth: form.get('card.expiryMonth') ?? '',
    expiryYear: form.get('card.expiryYear') ?? '',
  };
}
