import { isCurrency, isWithdrawn, parseAmount } from '@sluice/money';
import type { Form } from './form.js';
import type { Conflict } from './parameter.js';

/** Digits of any script. */
const NO_LETTER = /^[\p{Nd}\s]+$/u;

const STREET1 = 'billing.street1';
const STREET2 = 'billing.street2';
const HOUSE_NUMBER = 'billing.houseNumber1';

/** With a house number of its own the second line is ignored (Interface 2.10). */
function isStreetOfDigits(form: Form): boolean {
  const second = form.has(HOUSE_NUMBER) ? '' : (form.get(STREET2) ?? '');
  return NO_LETTER.test((form.get(STREET1) ?? '') + second);
}

/** Interface 2.10: the two lines of a street together are not digits only; named at the first. */
export const street1OfDigits: Conflict = {
  message: `must not be digits only together with ${STREET2}`,
  rule: `It or \`${STREET2}\` must have more than digits; where \`${HOUSE_NUMBER}\` is sent, it itself.`,
  keys: [STREET1, STREET2, HOUSE_NUMBER],
  holds: isStreetOfDigits,
};

/** The same where the second line came alone. */
export const street2OfDigits: Conflict = {
  message: `must not be digits only without ${STREET1}`,
  rule: `Without \`${STREET1}\` it must not be digits only, unless \`${HOUSE_NUMBER}\` is sent.`,
  keys: [STREET1, STREET2, HOUSE_NUMBER],
  holds: (form) => !form.has(STREET1) && isStreetOfDigits(form),
};

const OLDER_THAN_2_2 = /^(?:1\.|2\.[01]\.)/;

/** Interface 2.17: what 3-D Secure knows from version 2.2 on does not come with an older one. */
export const sinceVersion22: Conflict = {
  message: 'needs a threeDSecure.version of 2.2 or higher',
  rule: 'Refused with a `threeDSecure.version` before 2.2.',
  keys: ['threeDSecure.version'],
  // There the version is what becomes of it.
  exceptIn: ['threeDSecure'],
  holds: (form) => OLDER_THAN_2_2.test(form.get('threeDSecure.version') ?? ''),
};

/**
 * Interface 2.3: an amount is one of its currency, so none of JPY has a fraction (`1.00` has none).
 * What is paid has a code of its own for that, 100.550.303 (D-37).
 */
export function fractionOf(amount: string, currency: string): Conflict {
  return {
    message: `must not have a fraction, which its currency (${currency}) does not have`,
    rule: `A fraction other than 0 is refused where \`${currency}\` has none, as JPY.`,
    keys: [amount, currency],
    holds: (form) => {
      const [text, code] = [form.get(amount), form.get(currency)];
      if (text === undefined || code === undefined || !isCurrency(code)) return false;
      const parsed = parseAmount(text, code);
      return parsed.kind === 'refused' && parsed.reason === 'fractionNotAllowed';
    },
  };
}

/** They give back, or settle, what was paid before: CP, RV, RF, RC, CB, CR. */
const OF_OLDER_PAYMENTS: readonly (string | undefined)[] = ['CP', 'RV', 'RF', 'RC', 'CB', 'CR'];

/** A currency that ISO 4217 has withdrawn is there for older payments alone. */
export const currencyWithdrawn: Conflict = {
  message: 'is no longer in use; only older payments in it can be settled or given back',
  rule: 'No payment begins in a currency that ISO 4217 has withdrawn; older ones in it are settled and given back.',
  keys: ['currency', 'paymentType'],
  exceptIn: ['report'],
  holds: (form) =>
    isWithdrawn(form.get('currency') ?? '') && !OF_OLDER_PAYMENTS.includes(form.get('paymentType')),
};
