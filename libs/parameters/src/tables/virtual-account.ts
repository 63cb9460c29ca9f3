import { text } from '../formats.js';
import { anySent } from '../conditions.js';
import { optional, type Parameters, when } from '../parameter.js';

const ofVirtualAccounts = {
  // Where it is used (D-50); a shopper may also log in to it at the provider (wire contract 7).
  requirement: { ...when(anySent('virtualAccount.')), letter: 'R' },
  kinds: ['virtualAccountPayment', 'checkout', 'widgetPayment', 'registration', 'risk'],
  sensitivity: 'personal',
  echo: false,
  kept: true,
  interface: '2.6',
  since: '0.1.0',
  cardNumbers: 'refused',
} as const;

/** Interface 2.6: virtual account, e.g. of a wallet that the shopper logs in to. */
export const virtualAccount = {
  'virtualAccount.accountId': {
    ...ofVirtualAccounts,
    // With an agreement it is all that is needed to be paid again.
    sensitivity: 'accountData',
    kept: false,
    format: text({ min: 1, max: 100 }),
    example: 'jane.jones@example.org',
    description:
      'The account, e.g. an e-mail address. It is what is stored of a provider, so storing needs it; and what the merchant initiates is paid from it without the shopper.',
  },
  'virtualAccount.password': {
    ...ofVirtualAccounts,
    requirement: optional,
    format: text({ min: 1, max: 100 }),
    sensitivity: 'secret',
    kept: false,
    onlyWith: 'virtualAccountPassword',
    interface: '2.6',
    example: 'correct-horse-battery',
    description:
      'The password of the account. It is neither kept nor passed on: the provider asks the shopper.',
  },
} as const satisfies Parameters;
