import { meaningOf, type NameMeaning } from './catalogue.js';
import { formatsOfSwitches } from './compatibility.js';
import type { Form } from './form.js';
import { type Kind, newPaymentKinds } from './kinds.js';
import { ownAccounts } from './own-accounts.js';
import { impliedParameters } from './standing-instruction.js';
import { isSecurityCodeName } from './security-code-names.js';

/** What commands carry of a form (fields of the same names in the payment commands). */
export interface StoredParameters {
  /** By wire name: to keep and to echo. */
  readonly parameters: Readonly<Record<string, string>>;
  /** By wire name: kept encrypted under the payment's own key. */
  readonly personal: Readonly<Record<string, string>>;
}

/** Three or four digits of any script, however they are spaced. */
const SECURITY_CODE = /^[\s._/-]*(?:\p{Nd}[\s._/-]*){3,4}$/u;
const MASK = '***';

/**
 * The parameters of a checked form that may be kept. Card data and secrets never come out of here;
 * card numbers in free text are masked (D-43), and so are the form's own accounts. The keys are wire names of the catalogue, so none of
 * them can be `__proto__`; the records have no prototype all the same.
 */
export function stored(form: Form, kind: Kind): StoredParameters {
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  const personal: Record<string, string> = Object.create(null) as Record<string, string>;
  const keptText = keptTexts(form);
  form.forEach((name, value, meaning) => {
    if (meaning.kind !== 'row') return;
    const { row } = meaning.entry;
    if (!row.kept || !row.kinds.includes(kind)) return;
    const kept = keptText(value, meaning);
    if (row.sensitivity === 'none') parameters[name] = kept;
    else if (row.sensitivity === 'personal') personal[name] = kept;
  });
  for (const [name, value] of impliedParameters(form, kind)) parameters[name] = value;
  return { parameters, personal };
}

/** Whether a request for a new payment may have a parameter of this name that is kept of it, personal ones among them. */
export function isKeptName(name: string): boolean {
  const meaning = meaningOf(name);
  if (meaning.kind !== 'row') return false;
  const { kept, sensitivity, kinds } = meaning.entry.row;
  const isReadable = sensitivity === 'none' || sensitivity === 'personal';
  return kept && isReadable && newPaymentKinds.some((kind) => kinds.includes(kind));
}

/** Why a parameter never has this value, whatever switches a channel has; undefined where it may. */
export function neverValue(name: string, value: string): string | undefined {
  const meaning = meaningOf(name);
  if (meaning.kind !== 'row') return undefined;
  const { key, row } = meaning.entry;
  const isTaken = row.format.accepts(value) || formatsOfSwitches.get(key)?.accepts(value) === true;
  return isTaken ? undefined : row.format.message;
}

/** How the values of a form are kept: in free text, numbers of cards and codes are masked. */
export function keptTexts(
  form: Form,
): (value: string, meaning: Extract<NameMeaning, { readonly kind: 'row' }>) => string {
  const { masked } = ownAccounts(form);
  return (value, { entry: { row }, mapName }) => {
    if (row.cardNumbers !== 'masked') return value;
    const isCodeOfMerchant = isCalledCode(mapName) && isCode(value, form);
    return isCodeOfMerchant ? MASK : masked(value, row.format.accepts);
  };
}

/** Of a card, or the PIN of the gift card that the form has. */
function isCode(value: string, form: Form): boolean {
  return SECURITY_CODE.test(value) || value === form.get('giftCard.pin');
}

/** Whether a merchant's own name for a value says that it is a security code (S-PCI-03). */
function isCalledCode(mapName: string | undefined): boolean {
  return mapName !== undefined && isSecurityCodeName(mapName);
}
