import { detectedBrand } from './brands.js';
import type { Form } from './form.js';
import { type Condition, type Requirement, sent, when } from './parameter.js';

/** Interface 2.3: `paymentBrand` is optional only when the brand can be detected. */
export const brandNotDetectable: Condition = {
  text: 'no brand is known for `card.number`',
  keys: ['card.number'],
  holds: (form) => {
    const number = form.get('card.number');
    return number !== undefined && detectedBrand(number) === undefined;
  },
};

/** None of the others was sent, one of which would do instead. */
export function unless(...keys: readonly string[]): Condition {
  return {
    text: `${keys.map((key) => `\`${key}\``).join(' and ')} ${keys.length > 1 ? 'are' : 'is'} absent`,
    keys,
    holds: (form) => keys.every((key) => !form.has(key)),
  };
}

/** A parameter does not have this value; so also when it is absent. */
export function isNot(key: string, value: string): Condition {
  return {
    text: `\`${key}\` is not ${value}`,
    keys: [key],
    holds: (form) => form.get(key) !== value,
  };
}

/** A parameter of a structure was sent; `prefix` ends with its dot. */
export function anySent(prefix: string): Condition {
  return {
    text: `another \`${prefix}*\` is sent`,
    keys: [],
    holds: (form) => someName(form, (name) => name.startsWith(prefix)),
  };
}

/** What says nothing about a person, so that no name has to come with it (D-52). */
const OF_DEVICE = ['browser.', 'browserFingerprint.', 'app.', 'ip', 'merchantCustomerId'].map(
  (rest) => `customer.${rest}`,
);

/** Interface 2.9: a customer has a name (D-52). */
export const customerIsNamed: Condition = {
  text: 'another `customer.*` is sent, other than ip, browser, fingerprint, app and merchantCustomerId',
  keys: ['customer.ip', 'customer.merchantCustomerId'],
  holds: (form) =>
    someName(
      form,
      (name) => name.startsWith('customer.') && !OF_DEVICE.some((rest) => name.startsWith(rest)),
    ),
};

/** What only the request of an authentication by version 2 has (Interface 2.17). */
const OF_AUTHENTICATION = [
  'threeDSecure.authenticationInd',
  'threeDSecure.threeRIInd',
  'threeDSecure.channel',
  'threeDSecure.npa',
  'threeDSecure.decoupled',
  'threeDSecure.deviceInfo',
] as const;

function asksForAuthentication(form: Form): boolean {
  return (
    OF_AUTHENTICATION.some((key) => form.has(key)) ||
    someName(form, (name) => name.startsWith('threeDSecure.v2.'))
  );
}

/** Interface 2.10: an authentication by 3-D Secure 2 needs the address. */
export const addressOfThreeDSecure: Condition = {
  text: 'the request asks for an authentication by 3-D Secure version 2',
  keys: OF_AUTHENTICATION,
  holds: asksForAuthentication,
};

/** Interface 2.9: and, outside of an app, what is known of the browser. */
export const browserOfThreeDSecure: Condition = {
  text: `${addressOfThreeDSecure.text}, without \`threeDSecure.deviceInfo\``,
  keys: OF_AUTHENTICATION,
  holds: (form) => !form.has('threeDSecure.deviceInfo') && asksForAuthentication(form),
};

/** Interface 2.5: a wallet is used by its token; decrypted, by its source and a card (D-50). */
export function walletTokenOf(wallet: string): Requirement {
  const source = `${wallet}.source`;
  const condition: Condition = {
    text: `another \`${wallet}.*\` is sent without \`${source}\``,
    keys: [source],
    holds: (form) => !form.has(source) && someName(form, (name) => name.startsWith(`${wallet}.`)),
  };
  return { ...when(condition), letter: 'R' };
}

/** Interface 2.5: see `walletTokenOf`. */
export function walletSourceOf(wallet: string): Requirement {
  const token = `${wallet}.paymentToken`;
  const condition: Condition = {
    text: `the card of the wallet is sent decrypted, without \`${token}\``,
    keys: [token, 'card.number'],
    holds: (form) =>
      !form.has(token) &&
      sent('card.number').holds(form) &&
      someName(form, (name) => name.startsWith(`${wallet}.`)),
  };
  return { ...when(condition), letter: 'R' };
}

/** Interface 2.3: recipients in these countries; both codes, because clients send both. */
const PURPOSE_COUNTRIES: ReadonlySet<string> = new Set([
  ...['ARG', 'BGD', 'CHL', 'COL', 'EGY', 'IND'],
]);

/** Interface 2.3: transfers of money to some countries state their purpose. */
export const purposeOfTransfer: Condition = {
  text: '`transactionProcessingCode` is FUNDING or PAYMENT and `recipient.country` is ARG, BGD, CHL, COL, EGY or IND',
  keys: ['transactionProcessingCode', 'recipient.country'],
  holds: (form) =>
    ['FUNDING', 'PAYMENT'].includes(form.get('transactionProcessingCode') ?? '') &&
    PURPOSE_COUNTRIES.has(form.get('recipient.country') ?? ''),
};

function someName(form: Form, test: (name: string) => boolean): boolean {
  for (const [name] of form.entries()) if (test(name)) return true;
  return false;
}
