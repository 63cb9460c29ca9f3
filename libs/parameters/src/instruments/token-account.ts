import { codes } from '@sluice/result-codes';
import { object, text } from '../answer-properties.js';
import { isExpired } from '../card-expiry.js';
import { brandNamed, isOfBrand } from '../brands.js';
import type { Form } from '../form.js';
import { passesLuhn } from '../luhn.js';
import { maskedAccount } from '../masked-account.js';
import type { RejectionCode } from '../rejection.js';
import { namesOtherBrand } from '../shown-brand.js';
import type { InstrumentForm, Unheld } from './instrument-form.js';

/** A token in place of a card number (Interface 2.8). */
export const tokenAccount: InstrumentForm<'tokenAccount'> = {
  structures: ['tokenAccount'],
  column: 'tok',
  words: 'by token account',
  isOfCards: isOfNetwork,
  shownOf: (form, brand) => ({
    kind: 'tokenAccount',
    paymentMethod: isOfNetwork(form) ? 'NT' : 'ET',
    ...(brand !== undefined && { brand }),
    maskedNumber: maskedAccount(form.get('tokenAccount.number') ?? ''),
    ...expiryIn(form),
  }),
  rejectionOf: tokenRejection,
  storedRejectionOf: storedTokenRejection,
  answer: {
    schema: object('What was sent of the token; its number is masked.', {
      number: text('Stars, and the last four digits.'),
      type: text('As sent.', { enum: ['EXTERNAL', 'NETWORK'] }),
    }),
    fieldsOf: ({ maskedNumber: number, paymentMethod }: Unheld<'tokenAccount'>) => ({
      number,
      type: paymentMethod === 'NT' ? 'NETWORK' : 'EXTERNAL',
    }),
  },
};

function isOfNetwork(form: Form): boolean {
  return form.get('tokenAccount.type') === 'NETWORK';
}

/**
 * A network's token is written like a card number, in ranges of its brand; of another provider's, only
 * the time is known.
 */
function tokenRejection(form: Form, nowMs: number): RejectionCode | undefined {
  if (isOfNetwork(form)) {
    const number = form.get('tokenAccount.number') ?? '';
    if (!passesLuhn(number)) return codes.invalidCardNumber;
    const brand = brandNamed(form.get('paymentBrand') ?? '');
    if (brand === undefined || !isOfBrand(number, brand)) return codes.brandMismatch;
  }
  return expiryRejection(expiryIn(form), nowMs);
}

/** Of a token that was stored when it was right: its time may be over. */
function storedTokenRejection(
  { brand, ...expiry }: Unheld<'tokenAccount'>,
  form: Form,
  nowMs: number,
): RejectionCode | undefined {
  return namesOtherBrand(form, brand) ? codes.brandMismatch : expiryRejection(expiry, nowMs);
}

type ShownExpiry = Pick<Unheld<'tokenAccount'>, 'expiryMonth' | 'expiryYear'>;

function expiryIn(form: Form): ShownExpiry {
  const expiryMonth = form.get('tokenAccount.expiryMonth');
  const expiryYear = form.get('tokenAccount.expiryYear');
  return expiryMonth === undefined || expiryYear === undefined ? {} : { expiryMonth, expiryYear };
}

/** Not every token expires. */
function expiryRejection(
  { expiryMonth: month, expiryYear: year }: ShownExpiry,
  nowMs: number,
): RejectionCode | undefined {
  const isKnown = year !== undefined && month !== undefined;
  return isKnown && isExpired(year, month, nowMs) ? codes.cardExpired : undefined;
}
