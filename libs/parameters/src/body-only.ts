import { meaningOf } from './catalogue.js';
import { nameMeant } from './compatibility.js';
import type { Form } from './form.js';
import { repeatable } from './form-parser.js';
import { PARAMETER_ERRORS_MAX } from './limits.js';
import type { ParameterError } from './parameter-error.js';

/** Libraries put who asks into every query (wire contract 1); it is how they have always asked. */
const OF_ACCESS = 'authentication.';

/**
 * What a query string may not hold: account data, secrets and whatever is personal, because every proxy on
 * the way writes URLs into its log (Interface 5: all data but that of access is sent in the body). The
 * rest is harmless there, and taken. Values are not repeated.
 */
export function bodyOnly(query: Form): readonly ParameterError[] {
  return [...query.entries()]
    .filter(([name]) => isBodyOnly(name))
    .slice(0, PARAMETER_ERRORS_MAX)
    .map(([name]) => ({
      name: repeatable(name),
      message: 'must be sent in the body, not the URL',
    }));
}

function isBodyOnly(name: string): boolean {
  if (name.startsWith(OF_ACCESS)) return false;
  const meaning = meaningOf(nameMeant(name));
  if (meaning.kind !== 'row') return false;
  const { sensitivity } = meaning.entry.row;
  return sensitivity !== 'none';
}
