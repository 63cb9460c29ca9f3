import { type Mode, type Redirect, redirectMethods } from '@sluice/contracts';
import { type Fields, isFields } from './gateway-answer.js';

/** Interface 2.2. */
const URL_CHARACTERS_MAX = 2_048;
/** More than any form of a bank has. */
const PARAMETERS_MAX = 100;
/** A proof of 3-D Secure is the longest; our own answers allow as much. */
const VALUE_CHARACTERS_MAX = 65_536;

/**
 * Where the other gateway wants the shopper (wire contract 5). A shopper is sent there, so it must be an
 * address of the web, and one that is encrypted where money is moved.
 */
export function redirectIn(fields: Fields, mode: Mode): Redirect | 'malformed' | undefined {
  const { redirect } = fields;
  if (redirect === undefined) return undefined;
  if (!isFields(redirect)) return 'malformed';
  // Absent: a form, as clients of the family take it.
  const { url, method: named = 'POST', parameters: list = [] } = redirect;
  const method = redirectMethods.find((each) => each === named);
  const parameters = parametersIn(list);
  if (!isWebAddress(url, mode) || method === undefined || parameters === undefined) {
    return 'malformed';
  }
  return { url, method, parameters };
}

/** By name; undefined where a name comes twice, because a browser would be sent with one of them. */
function parametersIn(list: unknown): Readonly<Record<string, string>> | undefined {
  if (!Array.isArray(list) || list.length > PARAMETERS_MAX) return undefined;
  const parameters = new Map<string, string>();
  for (const each of list as readonly unknown[]) {
    if (!isFields(each)) return undefined;
    const { name, value } = each;
    if (typeof name !== 'string' || typeof value !== 'string') return undefined;
    if (name === '' || parameters.has(name) || value.length > VALUE_CHARACTERS_MAX)
      return undefined;
    parameters.set(name, value);
  }
  return Object.fromEntries(parameters);
}

function isWebAddress(value: unknown, mode: Mode): value is string {
  if (typeof value !== 'string' || value.length > URL_CHARACTERS_MAX) return false;
  if (!URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && mode !== 'LIVE');
}
