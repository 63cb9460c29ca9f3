import type { AccountFormKind, AccountOf } from './account-form-kind.js';

/** Interface 2.6. */
const ACCOUNT_MAX = 100;

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
  fieldsOf: (of) => [
    {
      ...{ name: 'accountId', parameters: ['virtualAccount.accountId'], autoComplete: 'username' },
      isWrong: ({ accountId = '' }) => !isAccount(accountId.trim(), of),
    },
  ],
  posted: ({ accountId = '' }) =>
    accountId.trim() === '' ? [] : [['virtualAccount.accountId', accountId.trim()]],
  agreementOf: () => [],
  isElsewhere: true,
};

function isAccount({ length }: string, { purpose }: AccountOf): boolean {
  return length <= ACCOUNT_MAX && (length > 0 || purpose === 'payment');
}
