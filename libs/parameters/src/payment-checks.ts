import type {
  CardSummary,
  CardToHold,
  InitialOperation,
  ReferenceOperation,
} from '@sluice/contracts';
import { type Amount, isCurrency, parseAmount, zero } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import { Cvv, Pan } from '@sluice/secrets';
import { brandNamed, type CardBrand, detectedBrand, isOfBrand } from './brands.js';
import type { Form } from './form.js';
import { passesLuhn } from './luhn.js';

/** A code that refuses a form without violations: it gets an id and is recorded (D-37). */
export type Rejection = (typeof codes)[
  | 'amountTooLow'
  | 'amountFormat'
  | 'invalidCardNumber'
  | 'brandMismatch'
  | 'cardExpired'
  | 'securityCodeMissing'
  | 'invalidSecurityCode'];

/**
 * The first reason, in the order of D-37, for which a form without violations cannot be paid:
 * amount, then card. Nothing is called then, but the attempt is recorded.
 */
export function firstRejection(
  form: Form,
  operation: InitialOperation | ReferenceOperation,
  nowMs: number,
): Rejection | undefined {
  const rejection = amountRejection(form);
  if (rejection !== undefined) return rejection;
  switch (operation) {
    case 'authorization':
    case 'debit':
    case 'credit':
      return cardRejection(form, operation, nowMs);
    default:
      return undefined;
  }
}

function amountRejection(form: Form): Rejection | undefined {
  const text = form.get('amount');
  const currency = form.get('currency');
  if (text === undefined || currency === undefined || !isCurrency(currency)) return undefined;
  const parsed = parseAmount(text, currency);
  if (parsed.kind === 'amount') return undefined;
  return parsed.reason === 'zero' ? codes.amountTooLow : codes.amountFormat;
}

function cardRejection(
  form: Form,
  operation: InitialOperation,
  nowMs: number,
): Rejection | undefined {
  const number = form.get('card.number') ?? '';
  if (!passesLuhn(number)) return codes.invalidCardNumber;
  const brand = brandOf(form);
  if (brand === undefined || !isOfBrand(number, brand)) return codes.brandMismatch;
  if (isExpired(form.get('card.expiryYear'), form.get('card.expiryMonth'), nowMs)) {
    return codes.cardExpired;
  }
  const securityCode = form.get('card.cvv');
  if (securityCode === undefined) {
    return needsSecurityCode(form, brand, operation) ? codes.securityCodeMissing : undefined;
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

const REPEATED_LEGACY: readonly (string | undefined)[] = ['REPEATED', 'REGISTRATION_BASED'];
const WALLET_SOURCES = ['applePay.source', 'googlePay.source', 'samsungPay.source'] as const;
const MAIL_AND_TELEPHONE: readonly (string | undefined)[] = ['MO', 'TO', 'MOTO'];

/**
 * Whether a missing security code refuses a payment. The interface calls `card.cvv` conditional and
 * leaves the condition open. Taken here: the brands that the code 100.100.600 of the family means
 * (VISA, MASTER, AMEX) want it when the shopper takes part, that is, not when
 * - the payment repeats or is initiated by the merchant (`standingInstruction.mode` REPEATED,
 *   `source` MIT, or the legacy `recurringType`): a merchant may not keep the code for that;
 * - money is paid out (CD), or the order came by mail or telephone;
 * - the number is that of a device (`card.numberType` DPAN) or came out of a wallet, which knows no
 *   code (Interface 2.5), or an external 3-D Secure server has authenticated the shopper
 *   (`threeDSecure.verificationId`).
 */
function needsSecurityCode(form: Form, brand: CardBrand, operation: InitialOperation): boolean {
  const isOptional =
    !brand.securityCodeRequired ||
    operation === 'credit' ||
    form.get('standingInstruction.mode') === 'REPEATED' ||
    form.get('standingInstruction.source') === 'MIT' ||
    REPEATED_LEGACY.includes(form.get('recurringType')) ||
    MAIL_AND_TELEPHONE.includes(form.get('transactionCategory')) ||
    form.get('card.numberType') === 'DPAN' ||
    WALLET_SOURCES.some((source) => form.has(source)) ||
    form.has('threeDSecure.verificationId');
  return !isOptional;
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

/** The card of a form without violations, for the vault; card data leaves the form only here. */
export function cardOf(form: Form): CardToHold {
  const holder = form.get('card.holder');
  const securityCode = form.get('card.cvv');
  return {
    number: new Pan(form.get('card.number') ?? ''),
    expiryMonth: form.get('card.expiryMonth') ?? '',
    expiryYear: form.get('card.expiryYear') ?? '',
    ...(holder !== undefined && { holder }),
    ...(securityCode !== undefined && { cvv: new Cvv(securityCode) }),
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
  const sentBrand = form.get('paymentBrand');
  const detected = sentBrand === undefined ? detectedBrand(number)?.name : undefined;
  return {
    bin: number.length >= BIN_SHOWN_FROM_DIGITS ? number.slice(0, BIN_DIGITS) : '',
    last4: number.slice(-LAST_DIGITS),
    brand: sentBrand?.toUpperCase() ?? detected ?? '',
    ...(detected !== undefined && { brandDetected: true }),
    expiryMonth: form.get('card.expiryMonth') ?? '',
    expiryYear: form.get('card.expiryYear') ?? '',
  };
}
