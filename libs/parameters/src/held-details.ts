import type { AccountBank, DetailsToHold, InstrumentKind, SecretDetails } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import type { NameMeaning } from './catalogue.js';
import type { Form } from './form.js';
import { instrumentKindOf } from './instruments.js';
import { isNewPayment, type NewPaymentKind, type StandaloneKind } from './kinds.js';
import { paymentKindOf } from './payment-kind.js';
import { accountKindOf } from './standalone-account.js';

/**
 * What the vault has to hold of a form without violations: all that the catalogue calls account data and
 * this payment uses. Account data leaves the form only here. Undefined where there is none.
 */
export function detailsToHold(
  form: Form,
  request: NewPaymentKind | StandaloneKind | 'registration',
): DetailsToHold | undefined {
  const details: Record<string, Detail> = {};
  let inMemory: Record<string, Detail> | undefined;
  form.forEach((name, value, meaning) => {
    if (meaning.kind !== 'row') return;
    const { sensitivity, kinds, isMomentary } = meaning.entry.row;
    if (sensitivity !== 'accountData' || !kinds.includes(request)) return;
    if (isMomentary === true) (inMemory ??= {})[name] = new Detail(value);
    else details[name] = new Detail(value);
  });
  const toHold = madeOf(instrumentKindOf(form, paidKindOf(form, request)), details, inMemory);
  const bank = NATIONAL_NUMBER in details ? bankIn(form) : undefined;
  return toHold && bank ? { ...toHold, bank } : toHold;
}

const NATIONAL_NUMBER = 'bankAccount.number';

/** What of the bank the request says; undefined where it says nothing. */
function bankIn(form: Form): AccountBank | undefined {
  const said = BANK_PARTS.flatMap(([part, name]) => {
    const value = form.get(name);
    return value === undefined || value === '' ? [] : [[part, value] as const];
  });
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

const BANK_PARTS = [
  ['country', 'bankAccount.country'],
  ['code', 'bankAccount.bankCode'],
  ['bic', 'bankAccount.bic'],
] as const;

function paidKindOf(
  form: Form,
  request: NewPaymentKind | StandaloneKind | 'registration',
): NewPaymentKind {
  if (request === 'registration') return paymentKindOf(form).kind;
  return isNewPayment(request) ? request : accountKindOf(form, request);
}

function madeOf(
  kind: InstrumentKind,
  details: SecretDetails,
  inMemory: SecretDetails | undefined,
): DetailsToHold | undefined {
  if (inMemory !== undefined) return { kind, details, inMemory };
  return Object.keys(details).length === 0 ? undefined : { kind, details };
}

/**
 * Whether nothing of a parameter may be stored, not even a hash that is made outside of the vault:
 * account data, for which the vault's own hash stands, and secrets.
 */
export function isUnstorable(meaning: NameMeaning): boolean {
  if (meaning.kind !== 'row') return false;
  const { sensitivity } = meaning.entry.row;
  return sensitivity === 'accountData' || sensitivity === 'secret';
}
