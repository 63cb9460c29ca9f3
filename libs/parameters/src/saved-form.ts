import type { DetailsToHold, SecretDetails } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { Form } from './form.js';
import { INSTALLMENTS } from './installments.js';
import { instrumentKindOf } from './instruments.js';
import type { NewPaymentKind } from './kinds.js';
import type { ParameterError } from './parameter-error.js';
import { keptTexts } from './stored.js';

/** By which a page has its form saved, and not paid with, because it shows a summary first (page 0068). */
export const SAVES = 'saveTransactionData';

/** A shopper's form without the wish to have it saved, and whether it has that wish. */
export interface FormToSave {
  readonly form: Form;
  readonly isSaved: boolean;
  readonly faults: readonly ParameterError[];
}

/** Takes that wish out of a form: it is about the form, and no field of what is paid. */
export function formToSave(sent: Form): FormToSave {
  const said = sent.get(SAVES);
  if (said === undefined) return { form: sent, isSaved: false, faults: [] };
  const others = [...sent.entries()].filter(([name]) => name !== SAVES);
  const form = new Form(new Map(others), [], sent.excess);
  const faults = said === 'true' ? [] : [{ name: SAVES, message: 'must be true, or absent' }];
  return { form, isSaved: said === 'true', faults };
}

/** A checked form in two parts: what the vault holds, and all else. */
export interface SavedParts {
  readonly toHold?: DetailsToHold;
  /** By wire name; numbers of cards in free text are masked as they are in what is stored. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Takes a shopper's form apart, with which nothing is wrong. */
export function savedParts(form: Form, kind: NewPaymentKind): SavedParts {
  const details: Record<string, Detail> = {};
  const inMemory: Record<string, Detail> = {};
  const fields: Record<string, string> = {};
  const keptText = keptTexts(form);
  form.forEach((name, value, meaning) => {
    if (name === INSTALLMENTS) fields[name] = value;
    if (meaning.kind !== 'row') return;
    const { sensitivity, isMomentary } = meaning.entry.row;
    if (sensitivity === 'secret') return;
    if (sensitivity !== 'accountData') fields[name] = keptText(value, meaning);
    else if (isMomentary === true) inMemory[name] = new Detail(value);
    else details[name] = new Detail(value);
  });
  const momentary = Object.keys(inMemory).length > 0 ? { inMemory } : {};
  const isHeld = Object.keys(details).length + Object.keys(inMemory).length > 0;
  if (!isHeld) return { fields };
  return { toHold: { kind: instrumentKindOf(form, kind), details, ...momentary }, fields };
}

/** Puts a form together again. */
export function savedForm(
  fields: Readonly<Record<string, string>>,
  details: SecretDetails = {},
): Form {
  const clear = Object.entries(details).map(([name, detail]) => [name, detail.reveal()] as const);
  return new Form(new Map([...Object.entries(fields), ...clear]));
}
