import { REGISTRATION_ID } from './conditions.js';
import type { Form } from './form.js';
import type { ParameterError } from './parameter-error.js';

/** The parameter in the words of the reference: other requests take it and ignore it (D-38). */
export const NAMED_REGISTRATIONS = 'registrations[n].id';

const NAME = /^registrations\[(\d+)\]\.id$/;

/**
 * Stored accounts of one checkout: more than anybody chooses among. Each is looked up when the checkout
 * is made, and again when its form is shown.
 */
export const NAMED_REGISTRATIONS_MAX = 30;

/** A stored account that a checkout's form is to offer (wire contract 3). */
export interface NamedRegistration {
  /** Of the parameter. */
  readonly name: string;
  readonly id: string;
}

/** What `registrations[n].id` names, by their index, each once; an index that is left out says nothing. */
export function namedRegistrations(form: Form): readonly NamedRegistration[] {
  const named = new Map<string, NamedRegistration>();
  for (const { name, value: id } of parametersOf(form)) {
    if (!named.has(id)) named.set(id, { name, id });
  }
  return [...named.values()];
}

/** The same list as the parameters that name it. */
export function namingParameters(ids: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.map((id, index) => [`registrations[${index}].id`, id]));
}

/** What is wrong with them that needs nobody else to tell. */
export function namedRegistrationFaults(
  form: Form,
  { pays }: { readonly pays: boolean },
): readonly ParameterError[] {
  const all = parametersOf(form);
  const [first] = all;
  if (first === undefined) return [];
  if (!pays) return [{ name: first.name, message: NOTHING_TO_PAY }];
  if (form.has(REGISTRATION_ID)) return [{ name: first.name, message: ONE_IS_NAMED }];
  return all.length > NAMED_REGISTRATIONS_MAX ? [{ name: first.name, message: TOO_MANY }] : [];
}

const NOTHING_TO_PAY = 'is offered to pay with, and this checkout only stores';
const ONE_IS_NAMED = 'offers a choice, and registrationId names the one that is paid with';
const TOO_MANY = `is one of more than ${NAMED_REGISTRATIONS_MAX}, which nobody chooses among`;

interface Named {
  readonly index: number;
  readonly name: string;
  readonly value: string;
}

function parametersOf(form: Form): readonly Named[] {
  const named: Named[] = [];
  form.forEach((name, value) => {
    const [, index] = NAME.exec(name) ?? [];
    if (index !== undefined) named.push({ index: Number(index), name, value });
  });
  return named.toSorted((one, other) => one.index - other.index);
}
