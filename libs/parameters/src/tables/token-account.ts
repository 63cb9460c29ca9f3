import { noted } from '../format.js';
import { cardYear, digits, month, oneOf } from '../formats.js';
import { base64 } from '../registered-formats.js';
import { anySent } from '../conditions.js';
import {
  conditional,
  required,
  type Parameters,
  type Requirement,
  sent,
  when,
} from '../parameter.js';

const ofTokenAccounts = {
  requirement: required,
  kinds: ['tokenPayment', 'registration'],
  sensitivity: 'accountData',
  echo: false,
  kept: false,
  interface: '2.8',
  since: '0.1.0',
} as const;
/** Registrations are for other accounts as well (D-50). */
const whereUsed = {
  registration: { ...when(anySent('tokenAccount.')), letter: 'R' },
} as const;
const ofSecrets = {
  ...ofTokenAccounts,
  // Of a payment with one that is stored, too.
  kinds: ['payment', ...ofTokenAccounts.kinds],
  requirement: conditional('expected by some receivers'),
} as const;

/** Interface 2.8 leaves it to the merchant whether a token expires; half an expiry says nothing. */
const beside = (other: string): Requirement => ({ ...when(sent(other)), letter: 'O' });

/** Interface 2.8: token of a card network or of another provider, in place of a card number. */
export const tokenAccount = {
  'tokenAccount.number': {
    ...ofTokenAccounts,
    format: digits(19, 12),
    requirementIn: whereUsed,
    example: '4200000000000075',
    description: 'The number of the token, digits only.',
  },
  'tokenAccount.type': {
    ...ofTokenAccounts,
    format: noted('EXTERNAL or NETWORK', oneOf('EXTERNAL', 'NETWORK')),
    requirementIn: whereUsed,
    sensitivity: 'none',
    kept: true,
    description: 'Who issued the token.',
  },
  'tokenAccount.expiryMonth': {
    ...ofTokenAccounts,
    kinds: [...ofTokenAccounts.kinds, 'registrationUpdate'],
    format: month,
    requirement: beside('tokenAccount.expiryYear'),
    example: '11',
    description: 'The month in which the token expires.',
  },
  'tokenAccount.expiryYear': {
    ...ofTokenAccounts,
    kinds: [...ofTokenAccounts.kinds, 'registrationUpdate'],
    format: noted('4 digits, 19xx or 20xx', cardYear),
    requirement: beside('tokenAccount.expiryMonth'),
    example: '2031',
    description: 'The year in which the token expires.',
  },
  'tokenAccount.cryptogram': {
    ...ofSecrets,
    format: base64(28, 32),
    example: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
    description: 'The cryptogram of this payment.',
  },
  'tokenAccount.dtvc': {
    ...ofSecrets,
    format: digits(4, 3),
    isMomentary: true,
    example: '846',
    description: 'The dynamic security code of this payment.',
  },
} as const satisfies Parameters;
