import { bankMethodOf } from './bank-methods.js';
import { Form } from './form.js';
import { repeatable } from './form-parser.js';
import { PARAMETER_ERRORS_MAX } from './limits.js';
import { ownAccounts } from './own-accounts.js';
import type { ParameterError } from './parameter-error.js';

/** `overridePaymentType[brand]` is of checkouts alone, and has done its work in one. */
const BY_BRAND = 'overridePaymentType[';

/** The form that a shopper has completed a checkout with. */
export interface CompletedForm {
  /** What the merchant and the shopper have told together. */
  readonly form: Form;
  /** What the shopper's browser must not tell. */
  readonly faults: readonly ParameterError[];
}

/**
 * A checkout with what the shopper has told in the widget's form, as the payment or registration that
 * is made of it (wire contract 3 and 10). What the merchant has set stands: the browser can add to
 * it, and change nothing.
 * @param ofMerchant by wire name, what is personal too
 */
export function completedForm(
  ofMerchant: Readonly<Record<string, string>>,
  ofShopper: Form,
): CompletedForm {
  const told = new Map(Object.entries(ofMerchant));
  const faults: ParameterError[] = [];
  const { masked } = ownAccounts(ofShopper);
  ofShopper.forEach((name, value, meaning) => {
    if (meaning.kind !== 'row') return;
    const message = meaning.entry.row.kinds.includes('widgetPayment')
      ? faultBeside(ofMerchant[name], value)
      : 'is not taken from a shopper';
    if (message === undefined) told.set(name, value);
    else faults.push({ name: repeatable(name, masked), message });
  });
  const paymentType = told.get(`${BY_BRAND}${told.get('paymentBrand') ?? ''}]`);
  if (paymentType !== undefined) told.set('paymentType', paymentType);
  const isDebit = bankMethodOf(told.get('paymentBrand') ?? '')?.paymentMethod === 'DD';
  for (const name of told.keys()) {
    if (name.startsWith(BY_BRAND) || (!isDebit && isOfDebits(name))) told.delete(name);
  }
  return { form: new Form(told), faults: faults.slice(0, PARAMETER_ERRORS_MAX) };
}

/** What the merchant has set for whoever pays by direct debit; of other payments it says nothing. */
function isOfDebits(name: string): boolean {
  return name.startsWith('bankAccount.mandate.') || name === 'transactionDueDate';
}

function faultBeside(set: string | undefined, value: string): string | undefined {
  return set === undefined || set === value ? undefined : 'is set by the merchant';
}
