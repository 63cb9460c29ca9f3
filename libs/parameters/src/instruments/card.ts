import { codes } from '@sluice/result-codes';
import { country, object, text } from '../answer-properties.js';
import { isExpired } from '../card-expiry.js';
import { brandNamed, type CardBrand, detectedBrand, isOfBrand } from '../brands.js';
import type { Form } from '../form.js';
import { passesLuhn } from '../luhn.js';
import type { RejectionCode } from '../rejection.js';
import { read } from '../read.js';
import { needsSecurityCode } from '../security-code.js';
import { cardBrandSent, namesOtherWallet, walletOfBrand, walletOfCard } from './wallet.js';
import type { AnswerParts, InstrumentForm, Unheld } from './instrument-form.js';

const BIN_DIGITS = 6;
const LAST_DIGITS = 4;
/**
 * Shorter numbers, which no brand has, would be all but shown by their first six and last four
 * digits. They are rejected, and recorded without the first (PaymentInitiated always has six).
 */
export const BIN_SHOWN_FROM_DIGITS = 12;

/** A card (Interface 2.4). */
export const card: InstrumentForm<'card'> = {
  // A structure beside it contradicts it: it is looked for by its number.
  structures: [],
  column: 'card',
  words: 'by card',
  isMeant: (form) => form.has('card.number'),
  hasBrand: (name) => brandNamed(name) !== undefined,
  isOfCards: () => true,
  shownOf: shownCard,
  rejectionOf: cardRejection,
  storedRejectionOf: storedCardRejection,
  answer: { schema: answerSchema(), fieldsOf: answeredFields },
};

/** Interface 2.2. */
function shownCard(form: Form, sentBrand: string | undefined): Unheld<'card'> {
  const number = form.get('card.number') ?? '';
  const wallet = walletOfCard(form);
  const isOfWallet = wallet !== undefined && walletOfBrand(sentBrand ?? '') !== undefined;
  const cardBrand = isOfWallet ? undefined : sentBrand;
  const detected = cardBrand === undefined ? detectedBrand(number)?.name : undefined;
  return {
    kind: 'card',
    bin: binOf(number),
    last4: lastDigitsOf(number),
    brand: cardBrand ?? detected ?? '',
    ...(detected !== undefined && { brandDetected: true }),
    expiryMonth: form.get('card.expiryMonth') ?? '',
    expiryYear: form.get('card.expiryYear') ?? '',
    // A wallet gives the number of a device, unless the merchant says that it is the card's own.
    ...(wallet !== undefined && { wallet, numberType: read(form, 'card.numberType') ?? 'DPAN' }),
  };
}

/** The first digits that may be shown. */
export function binOf(number: string): string {
  return number.length >= BIN_SHOWN_FROM_DIGITS ? number.slice(0, BIN_DIGITS) : '';
}

/** The last digits that may be shown. */
export function lastDigitsOf(number: string): string {
  return number.slice(-LAST_DIGITS);
}

function cardRejection(form: Form, nowMs: number): RejectionCode | undefined {
  const number = form.get('card.number') ?? '';
  if (!passesLuhn(number)) return codes.invalidCardNumber;
  const brand = brandOf(form);
  if (brand === undefined || !isOfBrand(number, brand)) return codes.brandMismatch;
  if (namesOtherWallet(form, walletOfCard(form))) return codes.brandMismatch;
  if (isExpired(form.get('card.expiryYear'), form.get('card.expiryMonth'), nowMs)) {
    return codes.cardExpired;
  }
  const securityCode = form.get('card.cvv');
  if (securityCode === undefined) {
    return needsSecurityCode(form, brand) ? codes.securityCodeMissing : undefined;
  }
  return securityCode.length === brand.securityCodeDigits ? undefined : codes.invalidSecurityCode;
}

/** Of a card that was stored when it was right: its time may be over, and the code is new. */
function storedCardRejection(
  { brand: name, expiryYear, expiryMonth, wallet }: Unheld<'card'>,
  form: Form,
  nowMs: number,
): RejectionCode | undefined {
  const sentBrand = cardBrandSent(form)?.toUpperCase() ?? name;
  if (sentBrand !== name || namesOtherWallet(form, wallet)) return codes.brandMismatch;
  if (isExpired(expiryYear, expiryMonth, nowMs)) return codes.cardExpired;
  const securityCode = form.get('card.cvv');
  const digits = brandNamed(name)?.securityCodeDigits;
  return securityCode === undefined || securityCode.length === digits
    ? undefined
    : codes.invalidSecurityCode;
}

/** The brand that was sent, else the one the number belongs to (Interface 2.3). */
function brandOf(form: Form): CardBrand | undefined {
  const name = cardBrandSent(form);
  return name === undefined ? detectedBrand(form.get('card.number') ?? '') : brandNamed(name);
}

/** Interface 2.2; what would be empty or is not known is left out. */
function answeredFields(
  { bin, last4, expiryMonth, expiryYear }: Unheld<'card'>,
  { personal, bins }: AnswerParts,
): object {
  return {
    bin: bin === '' ? undefined : bin,
    last4Digits: last4,
    holder: personal['card.holder'],
    expiryMonth,
    expiryYear,
    ...bins.fieldsOf(bin),
  };
}

function answerSchema() {
  return object('First six and last four digits, what was sent, and what is known of such cards.', {
    bin: text('The first six digits, of numbers with 12 or more.', { pattern: '^[0-9]{6}$' }),
    last4Digits: text('The last four digits.', { pattern: '^[0-9]{4}$' }),
    holder: text('As sent.', { minLength: 3, maxLength: 128 }),
    expiryMonth: text('As sent.', { pattern: '^(0[1-9]|1[0-2])$' }),
    expiryYear: text('As sent.', { pattern: '^(19|20)[0-9]{2}$' }),
    type: text('CREDIT, DEBIT or PREPAID.', { maxLength: 2048 }),
    level: text('CLASSIC, GOLD and the like.'),
    country: text("The issuer's country, ISO 3166-1.", country),
    binCountry: text('The same.', country),
    issuer: object('Who issued the card.', {
      bank: text('Its name.', { maxLength: 2048 }),
      phone: text('Its telephone number.', { maxLength: 2048 }),
      website: text('Its website.', { maxLength: 2048 }),
    }),
    maxPanLength: text('The most digits that such numbers have.', { pattern: '^[0-9]{1,2}$' }),
    binType: text('PERSONAL or COMMERCIAL.'),
    regulatedFlag: text("Whether the issuer's fees are capped by law.", {
      enum: ['true', 'false'],
    }),
  });
}
