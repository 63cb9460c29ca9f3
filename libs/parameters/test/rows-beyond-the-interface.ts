import type { Sensitivity } from '../src/parameter.js';
import type { InterfaceRow } from './interface-rows.js';
import { EVERYWHERE, NEW } from './kinds-in-words.js';
import { ALWAYS, type Rule } from './row-demands.js';

/*
 * What the interface's list lacks and its text, its clients or this gateway have (D-54): all that this
 * folder says a second time of such a parameter stands here.
 */

/** A parameter as the list would have it, and what is said of those of the list on other pages. */
export interface RowBeyondTheInterface extends InterfaceRow {
  /** See `row-uses.ts`. */
  readonly use: readonly [kinds: string, sensitivity: Sensitivity, words: string];
  /** When it must be sent, and by which kinds of request; absent: never. */
  readonly demands?: readonly (Rule & { readonly kinds: string })[];
  /** Why it is stored in clear although anything can be written in it. */
  readonly reasonInClear?: string;
}

const HEX_ID = 'AN32, 32 lowercase hex characters';
const TYPES = ['SETTLED', 'FEE', 'CHARGEBACK', 'CHARGEBACK REVERSAL'];
const FLOWS = ['challenge', 'frictionless'];
const ENCRYPTED = 'encrypted token as defined by the provider';
const LEGACY = 'wire contract 0, D1';

const IN_CLEAR = [EVERYWHERE, 'none', ''] as const;
const SECRET = [EVERYWHERE, 'secret', ''] as const;

const TOKEN_KINDS = 'walletPayment checkout widgetPayment registration';
const WALLET_TOKEN = [TOKEN_KINDS, 'accountData', 'masked'] as const;
const WALLET_SOURCE = [
  'payment walletPayment checkout registration',
  'none',
  'echo kept masked',
] as const;

/** The rows, each with all that is said of it. */
export const rowsBeyondTheInterface: readonly RowBeyondTheInterface[] = [
  { ...row('5', 'entityId', HEX_ID, 'C'), use: IN_CLEAR },
  { ...listed('1', 'testMode', ['INTERNAL', 'EXTERNAL']), use: IN_CLEAR },
  { ...row(LEGACY, 'authentication.userId', 'AN64', 'C'), use: SECRET },
  { ...row(LEGACY, 'authentication.password', 'AN255', 'C'), use: SECRET },
  { ...row(LEGACY, 'authentication.entityId', HEX_ID, 'C'), use: IN_CLEAR },
  {
    ...listed('wire contract 2', 'threeDSecure.flow', FLOWS),
    use: [
      `${NEW} checkout`,
      'none',
      'echo kept masked refusedIn threeDSecure refusedIn risk with threeDSecureFlow',
    ],
  },
  {
    ...row('2.6', 'virtualAccount.password', 'AN100, len 1-100', 'O'),
    use: [
      'virtualAccountPayment checkout widgetPayment registration risk',
      'secret',
      'refused with virtualAccountPassword',
    ],
  },
  {
    // A schedule is of a registration, which it charges; a payment may be made with one, and a checkout's
    // is one that the checkout names.
    ...row('wire contract 6', 'registrationId', 'AN32, chars a-z A-Z 0-9, len 32-32', 'R'),
    use: ['payment checkout widgetPayment schedule', 'none', 'echo kept'],
    demands: [{ kinds: 'schedule', ...ALWAYS }],
  },
  // As those of the three wallets of 2.5, whose pages have their uses and demands.
  { ...row('2.5', 'clickToPay.paymentToken', ENCRYPTED, 'R'), use: WALLET_TOKEN },
  {
    ...row('2.5', 'clickToPay.source', 'web or app', 'R'),
    values: 'web|app',
    use: WALLET_SOURCE,
  },
  {
    ...row('wire contract 10', 'recurring.numberOfInstallments', 'N2', 'O'),
    use: [`${NEW} checkout widgetPayment`, 'none', 'echo kept'],
  },
  {
    ...row('wire contract 6', 'pageNo', 'N3, 1 to 500', 'O'),
    values: '1-500',
    use: ['query report', 'none', ''],
  },
  {
    ...listed('wire contract 6', 'reconciliationType', TYPES),
    use: ['report', 'none', ''],
  },
];

function row(section: string, key: string, format: string, requirement: string): InterfaceRow {
  return { section, key, name: key, format, requirement, values: '' };
}

/** An optional one that takes one of some values. */
function listed(section: string, key: string, values: readonly string[]): InterfaceRow {
  return { ...row(section, key, values.join(', '), 'O'), values: values.join('|') };
}
