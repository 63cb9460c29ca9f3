import { text } from '../formats.js';
import { required, type Parameters } from '../parameter.js';

const ofVirtualAccounts = {
  requirement: required,
  kinds: ['virtualAccountPayment', 'checkout', 'registration'],
  sensitivity: 'personal',
  echo: false,
  kept: true,
  interface: '2.6',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;

/** Interface 2.6: virtual account, e.g. of a wallet that the shopper logs in to. */
export const virtualAccount = {
  'virtualAccount.accountId': {
    ...ofVirtualAccounts,
    format: text({ min: 1, max: 100 }),
    description: 'The account, e.g. an e-mail address.',
  },
} as const satisfies Parameters;
