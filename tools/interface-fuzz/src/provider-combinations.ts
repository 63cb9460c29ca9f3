import type { Combination } from './combination.js';
import type { SentParameter } from './valid-requests.js';

const debit: SentParameter = ['paymentType', 'DB'];
const byMerchant: readonly SentParameter[] = [
  ['standingInstruction.source', 'MIT'],
  ['standingInstruction.initialTransactionId', '484301795628194'],
];
const RESULT_URL = 'shopperResultUrl';
const ACCOUNT_ID = 'virtualAccount.accountId';

function payment(
  rule: string,
  more: readonly SentParameter[],
  drop: readonly string[],
  ...refused: readonly string[]
): Combination {
  return { rule: `a provider ${rule}`, kind: 'virtualAccountPayment', more, drop, refused };
}

/** Whom a provider asks, and what can be stored of it (2.6, 2.16, 2.18). */
export function providers(): Combination[] {
  return [
    payment('sends the shopper back', [debit], [RESULT_URL], RESULT_URL),
    payment(
      'asks the shopper who initiates it',
      [debit, ['standingInstruction.source', 'CIT']],
      ...([[RESULT_URL], RESULT_URL] as const),
    ),
    payment('asks nobody where the merchant initiates it', [debit, ...byMerchant], [RESULT_URL]),
    payment(
      'has no agreement about an account that nobody names',
      [debit, ...byMerchant],
      ...([[RESULT_URL, ACCOUNT_ID], RESULT_URL] as const),
    ),
    payment('asks nobody who is paid out', [['paymentType', 'CD']], [RESULT_URL]),
    {
      rule: "what is stored of a provider's brand is no card",
      kind: 'registration',
      more: [['paymentBrand', 'PAYPAL']],
      drop: ['card.number', 'card.expiryMonth', 'card.expiryYear'],
      refused: [],
    },
  ];
}
