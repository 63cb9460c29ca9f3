import { codes } from '@sluice/result-codes';
import { country, object, text } from '../answer-properties.js';
import { bankMethodOf } from '../bank-methods.js';
import type { Form } from '../form.js';
import { maskedAccount } from '../masked-account.js';
import { namesOtherBrand } from '../shown-brand.js';
import { isVirtualAccountBrand } from '../virtual-account-brands.js';
import type { AnswerParts, InstrumentForm, Unheld } from './instrument-form.js';

const COUNTRY_LETTERS = 2;

/** A bank account (Interface 2.7). */
export const bankAccount: InstrumentForm<'bankAccount'> = {
  structures: ['bankAccount'],
  column: 'bank',
  words: 'by bank account',
  wordsFor: (form) => (isDirectDebit(form) ? 'by bank account' : 'by order at the bank'),
  hasBrand: (name) => bankMethodOf(name) !== undefined,
  // Clients tell the country of whoever pays at a provider in this structure (wire contract 7).
  isAside: (form) =>
    isVirtualAccountBrand(form.get('paymentBrand') ?? '') &&
    form.namesOf('bankAccount').every((name) => name === 'bankAccount.country'),
  isServed: (form) => bankMethodOf(form.get('paymentBrand') ?? '') !== undefined,
  isStored: isDirectDebit,
  needsShopper: (form) => !isDirectDebit(form),
  shownOf: (form, brand) => ({
    kind: 'bankAccount',
    paymentMethod: methodOf(form),
    ...(brand !== undefined && { brand }),
    ...maskedAccountOf(form),
  }),
  storedRejectionOf: ({ brand }, form) =>
    namesOtherBrand(form, brand) ? codes.brandMismatch : undefined,
  answer: { schema: answerSchema(), fieldsOf: answeredFields },
};

function methodOf(form: Form): 'DD' | 'OT' {
  return bankMethodOf(form.get('paymentBrand') ?? '')?.paymentMethod ?? 'OT';
}

/** Otherwise it is the shopper's own order, given at the bank. */
function isDirectDebit(form: Form): boolean {
  return methodOf(form) === 'DD';
}

function maskedAccountOf(form: Form): Pick<Unheld<'bankAccount'>, 'maskedIban' | 'maskedNumber'> {
  const iban = form.get('bankAccount.iban');
  const number = form.get('bankAccount.number');
  return {
    ...(iban !== undefined && {
      maskedIban: iban.slice(0, COUNTRY_LETTERS) + maskedAccount(iban.slice(COUNTRY_LETTERS)),
    }),
    ...(number !== undefined && { maskedNumber: maskedAccount(number) }),
  };
}

/** As they were sent, but for the account itself. */
function answeredFields(
  { maskedIban: iban, maskedNumber: number }: Unheld<'bankAccount'>,
  { personal }: AnswerParts,
): object {
  return {
    holder: personal['bankAccount.holder'],
    bankName: personal['bankAccount.bankName'],
    ...{ number, iban },
    bankCode: personal['bankAccount.bankCode'],
    bic: personal['bankAccount.bic'],
    country: personal['bankAccount.country'],
    mandate: mandateOf(personal),
  };
}

function mandateOf(personal: AnswerParts['personal']): object | undefined {
  const id = personal['bankAccount.mandate.id'];
  const dateOfSignature = personal['bankAccount.mandate.dateOfSignature'];
  return id === undefined && dateOfSignature === undefined ? undefined : { id, dateOfSignature };
}

function answerSchema() {
  return object('What was sent of the bank account; the account itself is masked.', {
    holder: text('As sent.', { minLength: 4, maxLength: 128 }),
    bankName: text('As sent.', { maxLength: 255 }),
    number: text('Stars, and the last four characters of a number of eight or more.'),
    iban: text('Its country, stars, and its last four characters.'),
    bankCode: text('As sent.', { maxLength: 12 }),
    bic: text('As sent.', { maxLength: 11 }),
    country: text('As sent.', country),
    mandate: object('As sent.', {
      id: text('Its id.', { maxLength: 256 }),
      dateOfSignature: text('When it was signed.', { format: 'date' }),
    }),
  });
}
