import { text } from '../formats.js';
import { anySent } from '../conditions.js';
import { type Parameters, required, type Requirement, when } from '../parameter.js';

/** Checkouts and registrations are for other accounts as well (D-50). */
const used: Requirement = { ...when(anySent('virtualAccount.')), letter: 'R' };

const ofVirtualAccounts = {
  requirement: required,
  requirementIn: { checkout: used, registration: used },
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
