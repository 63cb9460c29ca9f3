import { exponentOf, isCurrency, isWithdrawn } from '@sluice/money';
import type { Form } from './form.js';
import type { Conflict } from './parameter.js';

/** Digits of any script. */
const NO_LETTER = /^[\p{Nd}\s]+$/u;

/** What must not come together at the two lines of one billing address. */
export interface StreetConflicts {
  readonly first: Conflict;
  readonly second: Conflict;
}

/**
 * Interface 2.10: the two lines of a street together are not digits only. It is said of the first, or
 * of the second where that came alone; with a house number of its own the second is ignored.
 */
export function streetOfDigits(address: 'billing' | 'merchant.billing'): StreetConflicts {
  const [street1, street2] = [`${address}.street1`, `${address}.street2`];
  const houseNumber = `${address}.houseNumber1`;
  const keys = [street1, street2, houseNumber];
  const isOfDigits = (form: Form): boolean => {
    const second = form.has(houseNumber) ? '' : (form.get(street2) ?? '');
    return NO_LETTER.test((form.get(street1) ?? '') + second);
  };
  return {
    first: {
      message: `must not be digits only together with ${street2}`,
      keys,
      holds: isOfDigits,
    },
    second: {
      message: `must not be digits only without ${street1}`,
      keys,
      holds: (form) => !form.has(street1) && isOfDigits(form),
    },
  };
}

const OLDER_THAN_2_2 = /^(?:1\.|2\.[01]\.)/;

/** Interface 2.17: what 3-D Secure knows from version 2.2 on does not come with an older one. */
export const sinceVersion22: Conflict = {
  message: 'needs a threeDSecure.version of 2.2 or higher',
  keys: ['threeDSecure.version'],
  // There the version is what becomes of it.
  exceptIn: ['threeDSecure'],
  holds: (form) => OLDER_THAN_2_2.test(form.get('threeDSecure.version') ?? ''),
};

/** An amount that is more than a whole number: `1.50`, and not `1.00`. */
const WITH_FRACTION = /\.(?!0+$)/;

/**
 * Interface 2.3: an amount is one of its currency, so none of JPY has a fraction (`1.00` has none).
 * What is paid has a code of its own for that, 100.550.303 (D-37). Of several keys of a currency the
 * first that was sent is the one it is of; `[n]` in them is the index of the amount.
 */
export function fractionOf(amount: string, ...currencies: readonly string[]): Conflict {
  return {
    message: `must not have a fraction, which its currency (${currencies.join(', else ')}) does not have`,
    keys: [amount, ...currencies],
    holds: (form, name) => {
      if (!WITH_FRACTION.test(form.get(name) ?? '')) return false;
      for (const key of currencies) {
        const code = form.get(besideName(key, name));
        if (code !== undefined) return hasNoFraction(code);
      }
      return false;
    },
  };
}

/**
 * The same where the interface does not say which of two currencies an amount is of: it is refused
 * if neither has a fraction.
 */
export function fractionOfAny(amount: string, ...currencies: readonly string[]): Conflict {
  return {
    message: `must not have a fraction, which neither of its currencies (${currencies.join(', ')}) has`,
    keys: [amount, ...currencies],
    holds: (form, name) => {
      if (!WITH_FRACTION.test(form.get(name) ?? '')) return false;
      const codes = currencies.flatMap((key) => form.get(key) ?? []);
      return codes.length > 0 && codes.every(hasNoFraction);
    },
  };
}

function hasNoFraction(code: string): boolean {
  return isCurrency(code) && exponentOf(code) === 0;
}

/** `cart.items[n].currency` beside `cart.items[7].price` is `cart.items[7].currency`. */
function besideName(key: string, name: string): string {
  const at = key.indexOf('[n]');
  return at === -1 ? key : name.slice(0, name.indexOf(']', at) + 1) + key.slice(at + '[n]'.length);
}

/** They give back, or settle, what was paid before: CP, RV, RF, RC, CB, CR. */
const OF_OLDER_PAYMENTS: readonly (string | undefined)[] = ['CP', 'RV', 'RF', 'RC', 'CB', 'CR'];

/** A currency that ISO 4217 has withdrawn is there for older payments alone. */
export const currencyWithdrawn: Conflict = {
  message: 'is no longer in use; only older payments in it can be settled or given back',
  keys: ['currency', 'paymentType'],
  exceptIn: ['report'],
  holds: (form) =>
    isWithdrawn(form.get('currency') ?? '') && !OF_OLDER_PAYMENTS.includes(form.get('paymentType')),
};
