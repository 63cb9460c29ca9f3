import { type Compatibility, strictly } from '@sluice/contracts';
import { catalogue, type ParameterKey, type ParameterValue } from './catalogue.js';
import { formatAllowed } from './compatibility.js';
import type { Form } from './form.js';

/**
 * A parameter of a checked form with the type that its row declares; undefined when it was not sent
 * or has not the row's form; a form that was checked with switches is read with them.
 */
export function read<Key extends ParameterKey>(
  form: Form,
  key: Key,
  compatibility: Compatibility = strictly,
): ParameterValue<Key> | undefined {
  const value = form.get(key);
  if (value === undefined) return undefined;
  const format = formatAllowed(key, compatibility) ?? catalogue[key].format;
  return format.accepts(value) ? (format.parse(value) as ParameterValue<Key>) : undefined;
}
