import { noted } from '../format.js';
import { characters, date, dateSince1900, shape, text } from '../formats.js';
import { bic, country2, iban } from '../registered-formats.js';
import {
  type Condition,
  conditional,
  optional,
  type Parameters,
  type Requirement,
  when,
} from '../parameter.js';
import {
  bankDetailIsDemanded,
  bankDetailIsDemandedIfTold,
  bankDetailIsDemandedInCheckout,
  insteadOf,
} from '../conditions.js';
import { type BankDetail, brandsAtTheBank } from '../bank-methods.js';
import { dueOfNoDebit, numberOfOtherAccount, OF_NO_DEBIT } from '../conflicts.js';
import { collectingReferences } from '../kinds.js';

const ofBankAccounts = {
  requirement: conditional('expected by some receivers'),
  kinds: ['bankAccountPayment', 'checkout', 'widgetPayment', 'registration', 'risk'],
  sensitivity: 'personal',
  echo: false,
  kept: true,
  interface: '2.7',
  since: '0.1.0',
} as const;
/** What the merchant has agreed with the holder; it says nothing of a risk (Interface 2.7). */
const ofMandates = {
  ...ofBankAccounts,
  kinds: ['bankAccountPayment', 'checkout', 'registration', 'registrationUpdate'],
} as const;
/** These are for other accounts as well, whatever their brand (D-50). */
const whereTold = (detail: BankDetail, demanded: (condition: Condition) => Requirement) => {
  const requirement = demanded(bankDetailIsDemandedIfTold(detail));
  return {
    checkout: demanded(bankDetailIsDemandedInCheckout(detail)),
    registration: requirement,
    risk: requirement,
  };
};
/** One of two: the other will do. */
const either = (detail: BankDetail, other: string) => ({
  requirement: insteadOf(other, bankDetailIsDemanded(detail)),
  requirementIn: whereTold(detail, (condition) => insteadOf(other, condition)),
});
const ofAccountNumbers = { ...ofBankAccounts, sensitivity: 'accountData', kept: false } as const;

/** Interface 2.7: bank account, for direct debit, SEPA and bank transfer. */
export const bankAccount = {
  'bankAccount.holder': {
    ...ofBankAccounts,
    kinds: [...ofBankAccounts.kinds, 'registrationUpdate'],
    format: text({ min: 4, max: 128 }),
    requirement: { ...when(bankDetailIsDemanded('holder')), letter: 'R' },
    requirementIn: {
      ...whereTold('holder', (condition) => ({ ...when(condition), letter: 'R' })),
      registrationUpdate: optional,
    },
    cardNumbers: 'masked',
    example: 'Jane Jones',
    description: 'The holder of the account.',
  },
  'bankAccount.bankName': {
    ...ofBankAccounts,
    kinds: [...ofBankAccounts.kinds, 'registrationUpdate'],
    format: text({ max: 255 }),
    cardNumbers: 'masked',
    example: 'Musterbank Berlin',
    description: 'Name of the bank.',
  },
  'bankAccount.number': {
    ...ofAccountNumbers,
    format: characters(64, 'a-z A-Z 0-9', 'a-zA-Z0-9', 3),
    ...either('number', 'bankAccount.iban'),
    conflict: numberOfOtherAccount,
    example: '1234567890',
    description: 'The number of the account; or `bankAccount.iban`.',
  },
  'bankAccount.iban': {
    ...ofAccountNumbers,
    format: iban,
    ...either('number', 'bankAccount.number'),
    example: 'DE23100000001234567890',
    description: 'The IBAN; or `bankAccount.number`.',
  },
  'bankAccount.bankCode': {
    ...ofBankAccounts,
    cardNumbers: 'refused',
    format: noted('AN12, alphanumeric', shape('[a-zA-Z0-9]{1,12}', '10000000', '1000-0000')),
    ...either('bank', 'bankAccount.bic'),
    example: '10000000',
    description: "The bank's code; or `bankAccount.bic`.",
  },
  'bankAccount.bic': {
    ...ofBankAccounts,
    format: bic,
    ...either('bank', 'bankAccount.bankCode'),
    example: 'MARKDEF1100',
    description: 'The BIC; or `bankAccount.bankCode`.',
  },
  'bankAccount.country': {
    ...ofBankAccounts,
    format: noted('A2', country2),
    requirement: conditional(
      `expected by some receivers, and enough for the brands by which the shopper names the account at the bank: ${brandsAtTheBank.join(', ')}`,
    ),
    example: 'DE',
    description: "The bank's country, ISO 3166-1.",
  },
  'bankAccount.mandate.id': {
    ...ofMandates,
    format: noted(
      'AN256, letters and hyphen, len 0-256',
      shape('[a-zA-Z-]{0,256}', 'MANDATE-ONE', 'MANDATE 1'),
    ),
    example: 'SHOP-MANDATE-JONES',
    description: 'The id of the direct debit mandate.',
  },
  'bankAccount.mandate.dateOfSignature': {
    ...ofMandates,
    format: dateSince1900,
    example: '2026-03-02',
    description: 'The day on which the mandate was signed.',
  },
  transactionDueDate: {
    ...ofMandates,
    // Of one payment, also by what is stored, and of what collects by one.
    kinds: ['payment', 'bankAccountPayment', ...collectingReferences, 'checkout'],
    refusedIn: {
      registration: 'is of one payment: send it with the payment by what is stored',
      ...{ walletPayment: OF_NO_DEBIT, virtualAccountPayment: OF_NO_DEBIT },
      ...{ tokenPayment: OF_NO_DEBIT, giftCardPayment: OF_NO_DEBIT },
    },
    conflict: dueOfNoDebit,
    format: date,
    example: '2034-12-01',
    description:
      'The day on which a direct debit is due, or the capture of one; a day that is over is refused with 100.500.301.',
  },
} as const satisfies Parameters;
