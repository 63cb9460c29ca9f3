import { REGISTRATION_ID } from './conditions.js';
import type { Form } from './form.js';
import { repeatable } from './form-parser.js';
import { instrumentsByStructure } from './instruments.js';
import { PARAMETER_ERRORS_MAX } from './limits.js';
import { ownAccounts } from './own-accounts.js';
import type { ParameterError } from './parameter-error.js';
import { SAVES } from './saved-form.js';
import { shownAmount } from './shown-amount.js';

/** By which a summary says what it has shown: the id of what was saved. */
export const SAVED = 'saved';

/** What a form without a means of payment can say of what it pays. */
export const COMPLETION_FIELDS: readonly string[] = ['amount', 'currency', SAVED, 'entityId'];

/** Whether a shopper's form names nothing to pay with, and is not to be saved: it can only pay what was. */
export function isCompletion(form: Form): boolean {
  // What of a form is too much is not known: it is refused as any other.
  if (form.excess !== undefined || form.has(SAVES)) return false;
  if (form.has('paymentBrand') || form.has(REGISTRATION_ID)) return false;
  return ![...form.structures()].some(
    (structure) => structure === 'card' || instrumentsByStructure.has(structure),
  );
}

/** What is paid by such a form. */
export interface PaidSaving {
  /** What the checkout says, by wire name. */
  readonly ofMerchant: Readonly<Record<string, string>>;
  /** The channel of the checkout. */
  readonly entityId: string;
  /** What is saved, or was and is paid with already. */
  readonly saved: string | undefined;
}

/**
 * What is wrong with a form that pays what was saved: a summary may say which amount and which saving it has
 * shown, so that nobody is charged anything else because of another window, or of the merchant (page 0068).
 */
export function completionFaults(
  form: Form,
  { ofMerchant, entityId, saved }: PaidSaving,
): readonly ParameterError[] {
  const shown = shownAmount(ofMerchant, form);
  const { masked } = ownAccounts(form);
  const others = Array.from(shown.form.entries(), ([name, value]): ParameterError[] => {
    if (name === SAVED) return value === saved ? [] : [OTHER_SAVING];
    if (name === 'entityId') return value === entityId ? [] : [OTHER_CHANNEL];
    return [{ name: repeatable(name, masked), message: NOTHING_ELSE }];
  });
  return [...shown.faults, ...others.flat()].slice(0, PARAMETER_ERRORS_MAX);
}

const NOTHING_ELSE = 'only what was saved is paid here: send no other field';
const OTHER_SAVING: ParameterError = {
  name: SAVED,
  message: 'is not what is saved by now: something else was saved since, or paid with',
};
const OTHER_CHANNEL: ParameterError = {
  name: 'entityId',
  message: 'is not the channel of this checkout',
};
