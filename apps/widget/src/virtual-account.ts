import type { AccountField, AccountFormKind, AccountMode, AccountOf } from './account-form-kind.js';
import { MODE_PARAMETER } from './account-mode.js';
import { digitsOf } from './card-digits.js';

/** Interface 2.6. */
const ACCOUNT_MAX = 100;
const ACCOUNT = 'virtualAccount.accountId';
/** As telephone numbers are in the interface (2.9), with as many digits as the shortest of them have. */
const MOBILE = /^\+?[0-9](?:[ .()/-]*[0-9]){5,}[ .()/-]*$/;
const MOBILE_MAX = 25;

/** Of the providers that ask by a code on their page, or on the telephone whose number is told. */
const MODES: ReadonlyMap<string, readonly AccountMode[]> = new Map([
  ['STC_PAY', ['qrcode', 'mobile']],
]);

/** As people read them; others are named as the shop names them. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['PAYPAL', 'PayPal'],
  ['STC_PAY', 'stc pay'],
  ['TABBY', 'Tabby'],
  ['TAMARA_EN', 'Tamara'],
  ['TAMARA_AR', 'Tamara'],
  ['ZOODPAY', 'ZoodPay'],
  ['VALU', 'valU'],
  ['ROCKETFUEL', 'RocketFuel'],
]);

/**
 * An account at a provider, whose page the shopper logs in to: no password is ever asked for here. What
 * pays says the account if he likes, and what stores has to, because it is what is stored.
 */
export const virtualAccount: AccountFormKind = {
  titleOf: ({ brand }) => (brand.startsWith('KLARNA_') ? 'Klarna' : (TITLES.get(brand) ?? brand)),
  fieldsOf: (of) => (modesOf(of).length > 0 ? [MOBILE_PHONE] : [accountField(of)]),
  modesOf,
  posted: ({ accountId = '', mobilePhone = '' }, _of, mode) => {
    const account = asCalled((mode === 'mobile' ? mobilePhone : accountId).trim());
    return [
      ...(account === '' ? [] : [[ACCOUNT, account] as const]),
      ...(mode === undefined ? [] : [[MODE_PARAMETER, mode] as const]),
    ];
  },
  agreementOf: () => [],
  isElsewhere: true,
};

/** The account is the number. As `customer.mobile` it would need the customer's name beside it (Interface 2.9). */
const MOBILE_PHONE: AccountField = {
  ...{ name: 'mobilePhone', parameters: [ACCOUNT], autoComplete: 'tel' },
  ...{ mode: 'mobile', inputMode: 'tel' },
  isWrong: ({ mobilePhone = '' }) => !isMobile(asCalled(mobilePhone.trim())),
};

/** A telephone number, which may also be the account, in the digits that every provider reads. */
function asCalled(typed: string): string {
  const number = Array.from(typed, (one) => digitsOf(one) || one).join('');
  return isMobile(number) ? number : typed;
}

function isMobile(number: string): boolean {
  return number.length <= MOBILE_MAX && MOBILE.test(number);
}

function accountField(of: AccountOf): AccountField {
  return {
    ...{ name: 'accountId', parameters: [ACCOUNT], autoComplete: 'username' },
    isWrong: ({ accountId = '' }) => !isAccount(accountId.trim(), of),
  };
}

/** What only stores is told the account itself. */
function modesOf({ brand, purpose }: AccountOf): readonly AccountMode[] {
  return purpose === 'payment' ? (MODES.get(brand) ?? []) : [];
}

function isAccount({ length }: string, { purpose }: AccountOf): boolean {
  return length <= ACCOUNT_MAX && (length > 0 || purpose === 'payment');
}
