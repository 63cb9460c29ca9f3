import { base64Core } from './leak-forms.js';
import type { Pattern } from './pattern-finder.js';

/*
 * Three or four digits are not provable in arbitrary bytes: every megabyte of a database holds
 * any of them by chance. So a security code is looked for where one would be leaked by:
 *   - a name of the field, then within a few bytes the code (this file, all files, and the same
 *     in base64, hex, URL-encoding, escapes and UTF-16);
 *   - a value of its own in an answer's JSON or a word of its own in a line of a log
 *     (text-words.ts), for the four-digit codes, which nothing else in those texts equals;
 *   - malformed codes of twelve digits, which are searched everywhere like card numbers.
 */

const ZERO = 0x30;
const FILLER_MAX_BYTES = 12;
const CODE_MIN_DIGITS = 3;
const CODE_MAX_DIGITS = 4;
/**
 * Ciphertext in base64 holds "cvv" and a known code after it by chance, about once in a megabyte.
 * Its runs of letters are at least this long and mix capitals, small letters and digits; what a
 * person or a program writes beside a code is ended by a separator, and a path has no capitals.
 */
const CIPHERTEXT_MIN_LETTERS = 40;
const CIPHERTEXT_MIXES = [/[A-Z]/, /[a-z]/, /[0-9]/];
/** Of base64 and of base64url. Its padding, "=", is none: it separates a name from its code. */
const BASE64_LETTERS: ReadonlySet<number> = new Set(
  Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'),
);
const NAMES = ['cvv', 'cvc', 'csc', 'cvn', 'securitycode', 'security_code', 'security-code'];

/** Finds known security codes that follow a name of the field. */
export class MarkedCodeFinder {
  readonly #codes: ReadonlySet<string>;

  constructor(codes: readonly string[]) {
    this.#codes = new Set(codes);
  }

  /** `bytes` are text as it stands or decoded; `found` gets the code and where its name begins. */
  find(bytes: Buffer, found: (code: string, start: number) => void): void {
    const last = bytes.length - CODE_MIN_DIGITS;
    for (let at = 0; at < last; at++) {
      // The second and third letter turn nearly every place away before text is made of it.
      const first = (bytes[at] ?? 0) | 0x20;
      if (first !== 0x63 && first !== 0x73) continue;
      const second = (bytes[at + 1] ?? 0) | 0x20;
      if (second !== 0x76 && second !== 0x73 && second !== 0x65) continue;
      const name = nameAt(bytes, at);
      if (name === undefined) continue;
      const code = codeAfter(bytes, at + name.length);
      if (code === undefined || !this.#codes.has(code.digits)) continue;
      if (!isInsideCiphertext(bytes, at, code.end)) found(code.digits, at);
    }
  }
}

/** The same contexts as byte strings in base64 and hex, which no reading of text shows. */
export function encodedCodePatterns(codes: readonly string[]): Pattern[] {
  return codes.flatMap((code, index) =>
    [`cvv":"${code}"`, `cvv=${code}&`, `cvv: ${code}`, `cvv=${code}`].flatMap((context) => [
      ...[0, 1, 2].map((alignment) => ({
        bytes: Buffer.from(base64Core(context, alignment)),
        label: `security code in base64, alignment ${String(alignment)}`,
        index,
      })),
      { bytes: hexOf(context), label: 'security code in hex', index },
    ]),
  );
}

function hexOf(context: string): Buffer {
  return Buffer.from(Buffer.from(context).toString('hex'));
}

function nameAt(bytes: Buffer, at: number): string | undefined {
  return NAMES.find(
    (name) => bytes.toString('latin1', at, at + name.length).toLowerCase() === name,
  );
}

/** The first run of digits after the name, when it has a code's length and nothing else is near. */
function codeAfter(
  bytes: Buffer,
  from: number,
): { readonly digits: string; readonly end: number } | undefined {
  let start = from;
  while (start - from < FILLER_MAX_BYTES && !isDigit(bytes[start])) start += 1;
  let end = start;
  while (end - start <= CODE_MAX_DIGITS && isDigit(bytes[end])) end += 1;
  const length = end - start;
  return length >= CODE_MIN_DIGITS && length <= CODE_MAX_DIGITS
    ? { digits: bytes.toString('latin1', start, end), end }
    : undefined;
}

/** Whether the bytes from a name to the end of its code are the middle of one long run of base64. */
function isInsideCiphertext(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isBase64Letter(bytes[at])) return false;
  let first = start;
  while (end - first < CIPHERTEXT_MIN_LETTERS && isBase64Letter(bytes[first - 1])) first -= 1;
  let last = end;
  while (last - first < CIPHERTEXT_MIN_LETTERS && isBase64Letter(bytes[last])) last += 1;
  const around = bytes.toString('latin1', first, start) + bytes.toString('latin1', end, last);
  return (
    last - first >= CIPHERTEXT_MIN_LETTERS && CIPHERTEXT_MIXES.every((mix) => mix.test(around))
  );
}

function isBase64Letter(byte: number | undefined): boolean {
  return byte !== undefined && BASE64_LETTERS.has(byte);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
}
