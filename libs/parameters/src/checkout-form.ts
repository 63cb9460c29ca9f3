import type { InstrumentKind } from '@sluice/contracts';
import { bankMethodOf } from './bank-methods.js';
import { REGISTRATION_ID } from './conditions.js';
import { DUE_DATE } from './due-date.js';
import { deviceNames } from './device-names.js';
import { Form } from './form.js';
import { repeatable } from './form-parser.js';
import { PARAMETER_ERRORS_MAX } from './limits.js';
import { ownAccounts } from './own-accounts.js';
import type { ParameterError } from './parameter-error.js';
import { usedRegistrationOf } from './registration-checks.js';
import { toleratedFormats } from './tolerated.js';
import { brandsOf, isTypeOfBrand, typeForBrands } from './type-by-brand.js';

/** What is stored, of what a checkout can be paid with. */
export interface StoredAccounts {
  /** Those between which the shopper chooses, by their ids. */
  readonly offered?: readonly string[];
  /** What the account is that is paid with, if one is: no request says. */
  readonly usedKind?: InstrumentKind | undefined;
}

/** The form that a shopper has completed a checkout with. */
export interface CompletedForm {
  /** What the merchant and the shopper have told together. */
  readonly form: Form;
  /** Whether the shopper pays with one of the stored accounts that are offered. */
  readonly isChosen: boolean;
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
  { offered = [], usedKind }: StoredAccounts = {},
): CompletedForm {
  const told = new Map(Object.entries(ofMerchant));
  const faults: ParameterError[] = [];
  const { masked } = ownAccounts(ofShopper);
  const choice = { ofMerchant, ofShopper, offered };
  ofShopper.forEach((name, value, meaning) => {
    if (meaning.kind !== 'row') {
      // What stands for standing instructions is the merchant's word.
      if (toleratedFormats.has(name)) faults.push({ name, message: NOT_A_SHOPPERS });
      return;
    }
    // A page tells it whether or not the merchant has.
    if (name.startsWith(OF_BROWSER) && name in ofMerchant) return;
    if (isOtherDevice(name, ofMerchant)) return;
    const message = meaning.entry.row.kinds.includes('widgetPayment')
      ? (faultBeside(ofMerchant[name], value, name) ?? faultOfChoice(name, value, choice))
      : NOT_A_SHOPPERS;
    if (message === undefined) told.set(name, value);
    else faults.push({ name: repeatable(name, masked), message });
  });
  const isDebit = bankMethodOf(told.get('paymentBrand') ?? '')?.paymentMethod === 'DD';
  // A stored bank account has its mandate with it, and no day.
  const isCollected = isDebit || usedKind === 'bankAccount';
  const isStored = usedRegistrationOf(new Form(told)) !== undefined;
  // What is stored has the brand that its owner knows, whatever was sent beside it.
  const isTyped = !isStored && Object.keys(ofMerchant).some(isTypeOfBrand);
  const paymentType = isTyped ? typeForBrands(ofMerchant, brandsOf(new Form(told))) : undefined;
  if (paymentType !== undefined) told.set('paymentType', paymentType);
  for (const name of told.keys()) {
    const isIdle =
      (!isDebit && isOfMandate(name)) ||
      (!isCollected && name === DUE_DATE) ||
      // The shopper has chosen an account that has no holder stored.
      (!isStored && name === OVERRIDE_HOLDER);
    if (isIdle || isTypeOfBrand(name)) told.delete(name);
  }
  const form = new Form(told);
  const isChosen = offered.length > 0 && usedRegistrationOf(form) !== undefined;
  const completed = isChosen && isFirstUse(form) ? form.with(MODE, 'REPEATED') : form;
  return { form: completed, isChosen, faults: faults.slice(0, PARAMETER_ERRORS_MAX) };
}

/** Of a device that the merchant knows, no page says in another parameter that it is another one. */
function isOtherDevice(name: string, ofMerchant: Readonly<Record<string, string>>): boolean {
  if (name in ofMerchant || !isDeviceName(name)) return false;
  return deviceNames.some((each) => each in ofMerchant);
}

function isDeviceName(name: string): boolean {
  return (deviceNames as readonly string[]).includes(name);
}

const OF_BROWSER = 'customer.browser.';
const NOT_A_SHOPPERS = 'is not taken from a shopper';
const MODE = 'standingInstruction.mode';
const OVERRIDE_HOLDER = 'overrideHolder';

/**
 * Whether it says that it is the first payment with a card, and no more: merchants say so for whoever pays
 * with a card that is stored then, and not of one that is stored (wire contract 4). A plan that begins
 * with a stored card begins all the same.
 */
function isFirstUse(form: Form): boolean {
  const type = form.get('standingInstruction.type') ?? 'UNSCHEDULED';
  return form.get(MODE) === 'INITIAL' && type === 'UNSCHEDULED';
}

/** Between what a shopper chooses. */
interface Choice {
  readonly ofMerchant: Readonly<Record<string, string>>;
  readonly ofShopper: Form;
  readonly offered: readonly string[];
}

/** Whoever has a checkout's id pays with what the checkout offers, and with nothing else that is stored. */
function faultOfChoice(
  name: string,
  value: string,
  { ofMerchant, ofShopper, offered }: Choice,
): string | undefined {
  const named = ofMerchant[REGISTRATION_ID];
  if (name === 'card.number') {
    const isStored = named !== undefined || ofShopper.has(REGISTRATION_ID);
    return isStored ? `contradicts ${REGISTRATION_ID}, which says what is paid with` : undefined;
  }
  if (name !== REGISTRATION_ID || named === value) return undefined;
  return offered.includes(value) ? undefined : 'names nothing that this checkout offers';
}

/*
 * What the merchant has set for whoever pays by direct debit says nothing of other payments: the mandate,
 * and the day of collection.
 */
function isOfMandate(name: string): boolean {
  return name.startsWith('bankAccount.mandate.');
}

function faultBeside(set: string | undefined, value: string, name: string): string | undefined {
  const isSame = set === value || (name === BRAND && set?.toUpperCase() === value.toUpperCase());
  return set === undefined || isSame ? undefined : 'is set by the merchant';
}

/** Taken in any case, as in payments. */
const BRAND = 'paymentBrand';
