import type {
  AccountField,
  AccountFormKind,
  AccountOf,
  AccountValues,
} from './account-form-kind.js';
import { bankCodeOf, electronic, ibanText, isIban } from './iban.js';
import type { PostedField } from './posted-fields.js';

/** Interface 2.7. */
const HOLDER_MIN = 4;
const HOLDER_MAX = 128;
const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
const NUMBER = /^[A-Z0-9]{3,64}$/;
const BANK_CODE = /^[A-Z0-9]{1,12}$/;
const COUNTRY_LETTERS = 2;

const holder: AccountField = {
  ...{ name: 'accountHolder', parameters: ['bankAccount.holder'], autoComplete: 'name' },
  isWrong: ({ accountHolder = '' }) => {
    const { length } = accountHolder.trim();
    return length < HOLDER_MIN || length > HOLDER_MAX;
  },
};

const iban: AccountField = {
  ...{
    name: 'accountIban',
    parameters: ['bankAccount.iban'],
    autoComplete: 'off',
    shown: ibanText,
  },
  isWrong: ({ accountIban = '' }) => !isIban(accountIban),
};

/** Who knows it may say it; otherwise the IBAN says which bank it is (Interface 2.7: bankCode or bic). */
const bic: AccountField = {
  name: 'accountBic',
  parameters: ['bankAccount.bic', 'bankAccount.bankCode'],
  ...{ autoComplete: 'off', shown: electronic },
  isWrong: ({ accountBic = '' }) => accountBic !== '' && !BIC.test(accountBic),
};

const number: AccountField = {
  ...{ name: 'accountNumber', parameters: ['bankAccount.number'], autoComplete: 'off' },
  shown: electronic,
  isWrong: ({ accountNumber = '' }) => !NUMBER.test(accountNumber),
};

const bankCode: AccountField = {
  ...{ name: 'bankCode', parameters: ['bankAccount.bankCode'], autoComplete: 'off' },
  shown: electronic,
  isWrong: ({ bankCode: code = '' }) => !BANK_CODE.test(code),
};

/** A direct debit: by IBAN, or by the number of the account and the code of its bank. */
export const directDebit: AccountFormKind = {
  titleOf: (_of, texts) => texts.directDebit,
  fieldsOf: (of) => (isSepa(of) ? [holder, iban, bic] : [holder, number, bankCode]),
  posted: (values, of) => [
    ['bankAccount.holder', (values.accountHolder ?? '').trim()],
    ...(isSepa(of) ? postedIban(values) : postedNumber(values)),
  ],
  agreementOf: (of) => (isSepa(of) ? ['mandate', 'refundRight'] : ['mandate']),
  isElsewhere: false,
};

function isSepa({ brand }: AccountOf): boolean {
  return brand.startsWith('DIRECTDEBIT_SEPA');
}

function postedIban({ accountIban = '', accountBic = '' }: AccountValues): PostedField[] {
  const account = electronic(accountIban);
  return [
    ['bankAccount.iban', account],
    accountBic === ''
      ? ['bankAccount.bankCode', bankCodeOf(account) ?? '']
      : ['bankAccount.bic', accountBic],
    ['bankAccount.country', account.slice(0, COUNTRY_LETTERS)],
  ];
}

function postedNumber(values: AccountValues): PostedField[] {
  return [
    ['bankAccount.number', values.accountNumber ?? ''],
    ['bankAccount.bankCode', values.bankCode ?? ''],
  ];
}
