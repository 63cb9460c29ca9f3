import type { Combination } from './combination.js';
import type { SentParameter } from './valid-requests.js';

/** What a payment is made with is one account (2.4 to 2.8). */
export function accounts(): Combination[] {
  return [...besideCards(), ...walletsOfOtherBrands(), ...dueDays()];
}

/** What does not fit the brand is refused. */
function besideCards(): Combination[] {
  const registration: SentParameter = ['registrationId', '0123456789abcdef0123456789abcdef'];
  const iban: SentParameter = ['bankAccount.iban', 'DE89370400440532013000'];
  const debit: SentParameter[] = [
    ['paymentBrand', 'DIRECTDEBIT_SEPA'],
    ['bankAccount.holder', 'Jane Jones'],
    iban,
    ['bankAccount.bic', 'DEUTDEFF'],
  ];
  const beside = (more: readonly SentParameter[], ...refused: readonly string[]): Combination => ({
    rule: 'one account beside a card',
    kind: 'payment',
    more,
    refused,
  });
  return [
    beside([registration], 'registrationId'),
    beside([iban], 'bankAccount.iban'),
    beside([['bankAccount.country', 'DE']], 'bankAccount.country'),
    beside([['virtualAccount.accountId', 'jane']], 'virtualAccount.accountId'),
    beside([['tokenAccount.type', 'NETWORK']], 'tokenAccount.type'),
    beside([['applePay.paymentToken', 'dG9rZW4=']], 'applePay.paymentToken'),
    beside(debit, 'card.number'),
    beside([['registrations[0].id', 'x']]),
  ];
}

/** A wallet's structure beside the brand of another one. */
function walletsOfOtherBrands(): Combination[] {
  return ['APPLEPAY', 'samsungpay'].map((paymentBrand) => ({
    rule: 'a wallet has the brand that is named',
    kind: 'payment',
    more: [
      ['paymentBrand', paymentBrand],
      ['googlePay.source', 'web'],
    ],
    refused: ['googlePay.source'],
  }));
}

/** A day on which to collect is one of direct debits (2.7); what the sandbox has is of cards. */
function dueDays(): Combination[] {
  const due: SentParameter = ['transactionDueDate', '2034-12-01'];
  const rule = 'what is no direct debit is due on no day';
  const account: Combination[] = [{ rule, kind: 'bankAccountPayment', more: [due], refused: [] }];
  return (['payment', 'capture', 'rebill', 'receipt'] as const)
    .map<Combination>((kind) => ({ rule, kind, more: [due], refused: [due[0]] }))
    .concat(account);
}
