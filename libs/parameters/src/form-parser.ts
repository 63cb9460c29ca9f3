import { isPlainName, meaningOf, type NameMeaning } from './catalogue.js';
import { accountNumbersMasked } from './card-numbers-in-text.js';
import { CollectedParameters } from './collected-parameters.js';
import type { Form } from './form.js';
import { errorOfMore } from './found-violations.js';
import {
  BODY_BYTES_MAX,
  CHARACTER_BYTES_MAX,
  NAME_BYTES_MAX,
  PARAMETER_ERRORS_MAX,
  PARAMETERS_MAX,
  PAYMENT_TOKEN_BYTES_MAX,
  REPEATED_CHARACTERS_MAX,
  VALUE_BYTES_MAX,
} from './limits.js';
import type { ParameterError } from './parameter-error.js';

/** What `parseForm` answers: the parameters, or why there are none (HTTP 400, 200.300.404). */
export type ParsedForm =
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'refused'; readonly problems: readonly ParameterError[] };

/** Fatal: an invalid sequence is refused, not replaced. The mark at the start is kept to be seen. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Only in unicode mode does this class match a surrogate that stands alone. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const BYTE_ORDER_MARK = '\ufeff';
const NUL = '\u0000';
/** A UTF-16 unit is at most three bytes of UTF-8. */
const BYTES_PER_UNIT_MAX = 3;

/** Names may be as long as a body; no number that begins in the part shown ends behind this. */
const LOOKED_AT_CHARACTERS_MAX = 4 * REPEATED_CHARACTERS_MAX;

/** Why a piece of the body stands for no text: what is said of a text, and where it is a name. */
interface NoText {
  readonly ofText: string;
  readonly ofName: string;
}
const NOT_UTF_8: NoText = {
  ofText: 'must be valid UTF-8',
  ofName: 'has a parameter name that is not valid UTF-8',
};
/** Well-formed, but stores end a text at the one, and nobody sees the other. */
const UNUSABLE: NoText = {
  ofText: 'must not contain U+0000 or U+FEFF (the byte order mark)',
  ofName: 'has a parameter name with U+0000 or U+FEFF (the byte order mark)',
};

const AMPERSAND = '&';
const AMPERSAND_UNIT = AMPERSAND.charCodeAt(0);
const EQUALS = '=';

/**
 * Reads an `application/x-www-form-urlencoded` body, or a query string without its question mark,
 * into a flat form (S-INP-01 to S-INP-05). Strict where ambiguity could cost money: a parameter
 * sent twice in any encoding, a text that is not UTF-8, U+0000 and oversize are refused. Names are
 * data; what they mean is for the catalogue to say.
 */
export function parseForm(body: Uint8Array | string): ParsedForm {
  if (body.length > BODY_BYTES_MAX) return refused(bodyProblem('is too large'));
  const text = typeof body === 'string' ? wellFormed(body) : decoded(body);
  if (typeof text !== 'string') return refused(bodyProblem(text.ofText));

  const parameters = new CollectedParameters();
  const problems: ParameterError[] = [];
  let pieces = 0;
  let start = 0;
  // Kept from piece to piece: looking ahead from each is a square where no more equals signs follow.
  let equals = -1;
  while (start < text.length) {
    if (text.charCodeAt(start) === AMPERSAND_UNIT) {
      start += 1;
      continue;
    }
    pieces += 1;
    if (pieces > PARAMETERS_MAX) {
      return refused(bodyProblem(`must have at most ${PARAMETERS_MAX} parameters`));
    }
    const end = placeOf(AMPERSAND, text, start);
    if (equals < start) equals = placeOf(EQUALS, text, start);
    const problem = addParameter(parameters, text, { start, equals, end });
    if (problem !== undefined) {
      problems.push(problem);
      if (problems.length >= PARAMETER_ERRORS_MAX) {
        // Reading on would cost more than all the rest: a text that is no UTF-8 is an exception.
        problems.push(bodyProblem('was read no further'));
        break;
      }
    }
    start = end + 1;
  }
  if (problems.length > 0) return { kind: 'refused', problems };
  parameters.leaveOutEmpty(isLeftOut);
  return { kind: 'form', form: parameters.form() };
}

/** Where the mark stands next; behind the text if nowhere. */
function placeOf(mark: string, text: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}

/**
 * Shops send the fields that a shopper left out with empty values: where a parameter cannot be
 * empty, that is the same as not sent. So it is of names that are only tolerated: an empty
 * `registrationId` is no registration. Unknown names stay, to be refused.
 */
function isLeftOut(meaning: NameMeaning): boolean {
  if (meaning.kind !== 'row') return meaning.kind === 'known';
  const { format, emptyIsWrong } = meaning.entry.row;
  return emptyIsWrong !== true && !format.accepts('');
}

/** Methods whose clients are known to send the same parameter in query and body. */
const TOLERANT_METHODS: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/** Who asks: libraries put it into every query, and shops into the body as well. */
const ACCESS_PARAMETERS: ReadonlySet<string> = new Set([
  'entityId',
  'authentication.userId',
  'authentication.password',
  'authentication.entityId',
]);

/**
 * One form of what the query string and the body brought. A parameter in both is a duplicate; with
 * an equal value it is tolerated on GET and DELETE (S-INP-03), and on POST for who asks, which two
 * equal values cannot make ambiguous (wire contract 1).
 */
export function mergeQueryAndBody(method: string, query: Form, body: Form): ParsedForm {
  if (isEmpty(query)) return { kind: 'form', form: body };
  if (isEmpty(body)) return { kind: 'form', form: query };
  const merged = new CollectedParameters();
  const problems: ParameterError[] = [];
  query.forEach((name, value, meaning) => merged.add(name, value, meaning));
  body.forEach((name, value, meaning) => {
    const other = query.get(name);
    const isTolerated = TOLERANT_METHODS.has(method) || ACCESS_PARAMETERS.has(name);
    if (other === undefined) merged.add(name, value, meaning);
    else if (!isTolerated) problems.push(duplicateOf(name));
    else if (other !== value) problems.push(problemOf(name, 'must be equal in query and body'));
  });
  if (problems.length > 0) return refused(...firstOf(problems));
  if (merged.size > PARAMETERS_MAX) {
    return refused(bodyProblem(`must have at most ${PARAMETERS_MAX} parameters`));
  }
  const excess = query.excess ?? body.excess;
  if (excess !== undefined) merged.exceed(excess);
  return { kind: 'form', form: merged.form() };
}

function isEmpty(form: Form): boolean {
  return form.size === 0 && form.excess === undefined;
}

/** As many as are listed, and how many more there are. */
function firstOf(problems: readonly ParameterError[]): readonly ParameterError[] {
  const more = errorOfMore(Math.max(0, problems.length - PARAMETER_ERRORS_MAX));
  return [...problems.slice(0, PARAMETER_ERRORS_MAX), ...(more === undefined ? [] : [more])];
}

/** Where a `name=value` piece stands in the body; `equals` is behind it if it has none. */
interface Piece {
  readonly start: number;
  readonly equals: number;
  readonly end: number;
}

/** Adds the parameter of one piece, or says what is wrong with it. */
function addParameter(
  parameters: CollectedParameters,
  text: string,
  { start, equals, end }: Piece,
): ParameterError | undefined {
  const nameEnd = Math.min(equals, end);
  const piece = text.slice(start, nameEnd);
  // No client escapes a letter, a digit or a dot, so of these names none is written otherwise.
  if (parameters.isExceeded && !isPlainName(piece)) return undefined;
  const name = unescaped(piece);
  if (typeof name !== 'string') return bodyProblem(name.ofName);
  if (name === '') return bodyProblem('has a value without a parameter name');
  if (isLonger(name, NAME_BYTES_MAX)) return problemOf(name, 'is too long a parameter name');
  const value = nameEnd === end ? '' : unescaped(text.slice(nameEnd + 1, end));
  if (typeof value !== 'string') return problemOf(name, value.ofText);
  if (isTooLong(name, value)) return problemOf(name, 'is too long');
  return parameters.add(name, value) ? undefined : duplicateOf(name);
}

/**
 * The text a piece stands for, or why it stands for none. `decodeURIComponent` is strict
 * UTF-8: it refuses overlong forms, surrogates, cut-off sequences and `%uXXXX`.
 */
function unescaped(piece: string): string | NoText {
  let text = piece;
  if (piece.includes('+')) text = text.replaceAll('+', ' ');
  if (!piece.includes('%')) return text;
  try {
    text = decodeURIComponent(text);
  } catch {
    return NOT_UTF_8;
  }
  return usable(text);
}

function decoded(bytes: Uint8Array): string | NoText {
  try {
    return usable(utf8.decode(bytes));
  } catch {
    return NOT_UTF_8;
  }
}

function wellFormed(text: string): string | NoText {
  return LONE_SURROGATE.test(text) ? NOT_UTF_8 : usable(text);
}

function usable(text: string): string | NoText {
  return text.includes(NUL) || text.includes(BYTE_ORDER_MARK) ? UNUSABLE : text;
}

/** Of a value that is longer than values ordinarily may be, so the row is looked up for few. */
function isTooLong(name: string, value: string): boolean {
  return isLonger(value, VALUE_BYTES_MAX) && isLonger(value, longValueBytesMax(name));
}

/** Wallet tokens (Interface 2.5), and what the characters that a format allows may need. */
function longValueBytesMax(name: string): number {
  if (name.endsWith('.paymentToken')) return PAYMENT_TOKEN_BYTES_MAX;
  const meaning = meaningOf(name);
  if (meaning.kind !== 'row') return VALUE_BYTES_MAX;
  const { maxLength = 0 } = meaning.entry.row.format.schema;
  return Math.max(VALUE_BYTES_MAX, maxLength * CHARACTER_BYTES_MAX);
}

function isLonger(text: string, bytesMax: number): boolean {
  if (text.length * BYTES_PER_UNIT_MAX <= bytesMax) return false;
  return text.length > bytesMax || encoder.encode(text).length > bytesMax;
}

function duplicateOf(name: string): ParameterError {
  return problemOf(name, 'must not be sent more than once');
}

/**
 * Names and values come from outside and go back in the answer: without card numbers, and cut. In
 * this order, because half a number is not recognised as one.
 * @param masked hides what the request is paid with as well
 */
export function repeatable(
  text: string,
  masked: (text: string) => string = accountNumbersMasked,
): string {
  const looked = masked(text.slice(0, LOOKED_AT_CHARACTERS_MAX));
  const end = REPEATED_CHARACTERS_MAX;
  return looked.slice(0, isFirstOfPair(looked.charCodeAt(end - 1)) ? end - 1 : end);
}

/** Of a character of two units; strict readers of JSON refuse half of one. */
function isFirstOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function problemOf(name: string, message: string): ParameterError {
  return { name: repeatable(name), message };
}

function bodyProblem(message: string): ParameterError {
  return { name: 'body', message };
}

function refused(...problems: readonly ParameterError[]): ParsedForm {
  return { kind: 'refused', problems };
}
