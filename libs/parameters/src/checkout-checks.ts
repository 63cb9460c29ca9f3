import type { CheckoutPurpose } from '@sluice/contracts';
import { asksForAuthentication, checkoutThatPays } from './conditions.js';
import { DEVICE_INFO } from './device-info.js';
import { DUE_DATE, dueDateRejection } from './due-date.js';
import type { Form } from './form.js';
import { repeatable } from './form-parser.js';
import { installmentsRejection } from './installments.js';
import { PARAMETER_ERRORS_MAX } from './limits.js';
import { namedRegistrationFaults } from './named-registrations.js';
import { ownAccounts } from './own-accounts.js';
import type { ParameterError } from './parameter-error.js';
import { isOfAccess } from './registration-checks.js';
import { notServedRejection, type Rejection } from './rejection.js';
import { isInitiatedByMerchant, LEGACY, PRACTICE } from './standing-instruction.js';
import { typesTwice } from './type-by-brand.js';

/** What a form without violations is to be completed by (wire contract 3). */
export function checkoutPurposeOf(form: Form): CheckoutPurpose {
  return checkoutThatPays.holds(form) ? 'payment' : 'registration';
}

/**
 * What is wrong with a form that is a checkout's in all else: stored accounts that cannot be offered, a
 * payment without its shopper, and account data, which no checkout keeps. It would be taken, and
 * nothing would come of it (D-70).
 */
export function checkoutFaults(form: Form): readonly ParameterError[] {
  const pays = checkoutThatPays.holds(form);
  const errors = [
    ...sentFaults(form, checkoutPurposeOf(form)),
    ...namedRegistrationFaults(form, { pays }),
    ...typesTwice(form),
  ];
  return errors.slice(0, PARAMETER_ERRORS_MAX);
}

/** The same of what a request itself says, whatever else the checkout has. */
function sentFaults(form: Form, purpose: CheckoutPurpose): readonly ParameterError[] {
  const { masked } = ownAccounts(form);
  const errors: ParameterError[] = [];
  form.forEach((name, _value, meaning) => {
    const isAccount = meaning.kind === 'row' && isAccountData(name, meaning.entry.row.sensitivity);
    const isOfPayment = name === DUE_DATE && purpose === 'registration';
    const message = isAccount ? OF_THE_FORM : isOfPayment ? OF_A_PAYMENT : undefined;
    if (message !== undefined) errors.push({ name: repeatable(name, masked), message });
  });
  if (isInitiatedByMerchant(form)) errors.push(initiatingFault(form));
  return errors;
}

/** Why a checkout comes to nothing, whatever its shopper tells: each of its attempts would be refused. */
export function checkoutRejection(form: Form, nowMs: number): Rejection | undefined {
  const isPaid = checkoutThatPays.holds(form) && form.get('paymentType') !== 'CD';
  const ofInstallments = isPaid ? undefined : installmentsRejection(form);
  return ofInstallments ?? appRejection(form) ?? dueDateRejection(form, nowMs);
}

/** An app talks to the issuer itself, and nothing of a checkout would tell it how. */
function appRejection(form: Form): Rejection | undefined {
  if (!form.has(DEVICE_INFO) || !asksForAuthentication(form)) return undefined;
  return notServedRejection(
    `${DEVICE_INFO} is of an app, and the shopper of a checkout in a browser`,
  );
}

/**
 * What is wrong with a change of a checkout, beside what is wrong with the checkout that it leads to:
 * the same, and what can be said only when it is made (Interface 2.3).
 * @param purpose of the checkout: the change alone does not tell it
 */
export function checkoutUpdateFaults(
  form: Form,
  purpose: CheckoutPurpose,
): readonly ParameterError[] {
  const { masked } = ownAccounts(form);
  const errors = [...sentFaults(form, purpose)];
  form.forEach((name, _, meaning) => {
    const isOfCreation = meaning.kind === 'row' && OF_CREATION.has(meaning.entry.key);
    const isSaid = errors.some((error) => error.name === name);
    if (isOfCreation && !isSaid) errors.push({ name: repeatable(name, masked), message: TOO_LATE });
  });
  return errors.slice(0, PARAMETER_ERRORS_MAX);
}

/** What was sent with a deletion, which says who asks, and can say no more (D-70). */
export function checkoutDeletionFaults(form: Form): readonly ParameterError[] {
  const { masked } = ownAccounts(form);
  const errors: ParameterError[] = [];
  form.forEach((name, _value, meaning) => {
    if (meaning.kind !== 'row' || OF_ANYBODY.has(name) || isOfAccess(name)) return;
    errors.push({ name: repeatable(name, masked), message: IDLE_IN_DELETION });
  });
  return errors.slice(0, PARAMETER_ERRORS_MAX);
}

/**
 * What a checkout says of its payment beside what payments keep as parameters: there, amount and type
 * are fields of their own; here they wait for the attempt.
 */
export function checkoutParameters(form: Form): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = {};
  form.forEach((name, value, meaning) => {
    if (meaning.kind !== 'row') return;
    const { key, row } = meaning.entry;
    if (row.kinds.includes('checkout') && OF_ITS_PAYMENT.has(key)) parameters[name] = value;
  });
  return parameters;
}

const OF_ITS_PAYMENT: ReadonlySet<string> = new Set([
  ...['amount', 'currency', 'paymentType', 'paymentBrand', 'numberOfCaptures'],
  'overridePaymentType[brand]',
]);

const OF_CREATION: ReadonlySet<string> = new Set(['overridePaymentType[brand]', 'integrity']);
const OF_ANYBODY: ReadonlySet<string> = new Set(['entityId', 'testMode']);
const IDLE_IN_DELETION = 'has no part in a deletion, which is of the whole checkout';
const TOO_LATE = 'is taken only when a checkout is created';
const SOURCE = 'standingInstruction.source';
const IS_THERE = 'the shopper is there who completes a checkout';
const BY_MERCHANT: ParameterError = { name: SOURCE, message: `must not be MIT: ${IS_THERE}` };
const BY_PRACTICE: ParameterError = {
  name: PRACTICE,
  message: `says that the merchant initiates it: ${IS_THERE}`,
};
const BY_LEGACY_WORD: ParameterError = {
  name: LEGACY,
  message: `must not be REPEATED, which the merchant initiates: ${IS_THERE}`,
};
const OF_A_PAYMENT = 'is of a payment, and this checkout only stores';
const OF_THE_FORM = 'is not taken with a checkout: the shopper tells it';

/** By what was said of it. */
function initiatingFault(form: Form): ParameterError {
  if (form.has(SOURCE)) return BY_MERCHANT;
  return form.has(LEGACY) ? BY_LEGACY_WORD : BY_PRACTICE;
}

function isAccountData(name: string, sensitivity: string): boolean {
  const isSecret = sensitivity === 'secret' && !name.startsWith('authentication.');
  return isSecret || sensitivity === 'accountData';
}
