import { Form, formOfParameters } from './form.js';
import type { ParameterError } from './parameter-error.js';
import { amountOf } from './payment-checks.js';

const SHOWN = ['amount', 'currency'];

/** A shopper's form without the amount that he was shown, and whether it is the checkout's. */
export interface ShownAmount {
  readonly form: Form;
  readonly faults: readonly ParameterError[];
}

/**
 * A shopper's form may say which amount it has shown, so that nobody is charged another one because the
 * merchant has changed the checkout meanwhile: it has to be that of the checkout, which alone is charged.
 * Where the checkout has none there is nothing to compare, and it is refused like anything foreign.
 * @param ofMerchant what the checkout says, by wire name
 */
export function shownAmount(
  ofMerchant: Readonly<Record<string, string>>,
  ofShopper: Form,
): ShownAmount {
  const charged = amountOf(formOfParameters(ofMerchant));
  const { amount = '', currency = '' } = ofMerchant;
  if (charged === undefined || !SHOWN.some((name) => ofShopper.has(name))) {
    return { form: ofShopper, faults: [] };
  }
  const others = [...ofShopper.entries()].filter(([name]) => !SHOWN.includes(name));
  const form = new Form(new Map(others), [], ofShopper.excess);
  const told = formOfParameters({ amount: ofShopper.get('amount') ?? amount, currency });
  const isSame = amountOf(told)?.minor === charged.minor;
  const isOther = (ofShopper.get('currency') ?? currency) !== currency;
  return {
    form,
    faults: [...(isSame ? [] : [OTHER_AMOUNT]), ...(isOther ? [OTHER_CURRENCY] : [])],
  };
}

const OTHER_AMOUNT: ParameterError = {
  name: 'amount',
  message: 'is not what this checkout charges: the merchant has set another amount',
};
const OTHER_CURRENCY: ParameterError = {
  name: 'currency',
  message: 'is not what this checkout charges: the merchant has set another currency',
};
