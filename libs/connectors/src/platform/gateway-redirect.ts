import { type Mode, type Precondition, type Redirect, redirectMethods } from '@sluice/contracts';
import { accountNumbersMasked } from '@sluice/parameters';
import { type Fields, isFields } from './gateway-answer.js';

/** Interface 2.2. */
const URL_CHARACTERS_MAX = 2_048;
/** More than any form of a bank has. */
const PARAMETERS_MAX = 100;
/** A proof of 3-D Secure is the longest; our own answers allow as much. */
const VALUE_CHARACTERS_MAX = 65_536;
/** 3-D Secure has one; more than a few would keep the shopper waiting. */
const PRECONDITIONS_MAX = 10;
/** `iframe#hidden`, or a sentence; as long as other texts of an answer. */
const TEXT_CHARACTERS_MAX = 2_048;

/**
 * Where the other gateway wants the shopper (wire contract 5). A shopper is sent there, so it must be an
 * address of the web, and one that is encrypted where money is moved.
 */
export function redirectIn(fields: Fields, mode: Mode): Redirect | 'malformed' | undefined {
  const { redirect } = fields;
  if (redirect === undefined) return undefined;
  const way = isFields(redirect) ? wayIn(redirect, mode) : undefined;
  if (way === undefined) return 'malformed';
  const { preconditions: list } = redirect as Fields;
  if (list === undefined) return way;
  const preconditions = preconditionsIn(list, mode);
  if (preconditions === undefined) return 'malformed';
  return preconditions.length === 0 ? way : { ...way, preconditions };
}

function wayIn(fields: Fields, mode: Mode): Redirect | undefined {
  // Absent: a form, as clients of the family take it.
  const { url, method: named = 'POST', parameters: list = [] } = fields;
  const method = redirectMethods.find((each) => each === named);
  const parameters = parametersIn(list);
  if (!isWebAddress(url, mode) || method === undefined || parameters === undefined) {
    return undefined;
  }
  return { url, method, parameters };
}

/**
 * In their order. The merchant's page loads them as it would follow the redirect, so they have to be
 * addresses as good as that; undefined if one is not: without it the next step could fail.
 */
function preconditionsIn(list: unknown, mode: Mode): readonly Precondition[] | undefined {
  if (!Array.isArray(list) || list.length > PRECONDITIONS_MAX) return undefined;
  const read = list.map((each: unknown) =>
    isFields(each) ? preconditionIn(each, mode) : undefined,
  );
  return read.every((each) => each !== undefined) ? read : undefined;
}

function preconditionIn(fields: Fields, mode: Mode): Precondition | undefined {
  const way = wayIn(fields, mode);
  const { origin, waitUntil, description } = fields;
  const texts = Object.entries({ origin, waitUntil, description }).filter(
    ([, value]) => value !== undefined,
  );
  if (way === undefined || !texts.every(isNamedText)) return undefined;
  return {
    ...way,
    ...Object.fromEntries(texts.map(([name, text]) => [name, accountNumbersMasked(text)])),
  };
}

function isNamedText(entry: [string, unknown]): entry is [string, string] {
  const [, value] = entry;
  return typeof value === 'string' && value.length <= TEXT_CHARACTERS_MAX;
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
