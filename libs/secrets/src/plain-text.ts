/** A text as plain ASCII, and where each of its characters came from. */
export interface PlainText {
  readonly text: string;
  /** Absent: every character is where it was. */
  readonly origins?: Origins;
}

/** `starts[n]` and `ends[n]` bound what character `n` was read from. */
interface Origins {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** `%2534` and a log line within a log line; deeper nesting than this is not read. */
const ESCAPE_LEVELS_MAX = 3;
const ASCII_LAST = 0x7f;
const BYTE_LAST = 0xff;
const HEX_RADIX = 16;
const CONTINUATION_BITS = 6;
const CONTINUATION_MASK = 0x3f;
const CONTINUATION_LEAD = 0b10;
const CODE_POINT_LAST = 0x10ffff;

/** Stands for an unknown character: it separates, and is not a digit. */
const UNKNOWN = '?';
const LETTER = 'x';
const NOT_ASCII = /[^\0-\x7f]/;
const ESCAPE_MARK = /[%\\]/;
const WHITE_ESCAPES = 'nrtfvb';

/**
 * The readings of a text in which a number may be found: as it is, and with its escapes decoded
 * (`%34`, `\u0034`, `\n`), again and again while the result has escapes. Digits of any script are
 * 0-9 in them, full-width letters are the plain ones, other letters are `x`, blanks are spaces, dashes
 * are hyphens.
 */
export function plainTexts(text: string): readonly PlainText[] {
  const first = NOT_ASCII.test(text) ? rewritten({ text }, asItStands) : { text };
  const readings = [first];
  let latest = first;
  while (readings.length <= ESCAPE_LEVELS_MAX && ESCAPE_MARK.test(latest.text)) {
    const next = rewritten(latest, unescapedAt);
    if (next.text === latest.text) break;
    readings.push(next);
    latest = next;
  }
  return readings;
}

/** A character and how many units of the source it was written in. */
interface Read {
  readonly codePoint: number;
  readonly units: number;
}

type ReadAt = (source: string, at: number) => Read;

function rewritten(source: PlainText, readAt: ReadAt): PlainText {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  const known = new Map<number, string>();
  for (let at = 0; at < source.text.length;) {
    const { codePoint, units } = readAt(source.text, at);
    const start = source.origins?.starts[at] ?? at;
    const end = source.origins?.ends[at + units - 1] ?? at + units;
    const plain = known.get(codePoint) ?? plainCharacters(codePoint);
    known.set(codePoint, plain);
    for (const character of plain) {
      text += character;
      starts.push(start);
      ends.push(end);
    }
    at += units;
  }
  return { text, origins: { starts, ends } };
}

function asItStands(source: string, at: number): Read {
  const codePoint = source.codePointAt(at) ?? 0;
  return { codePoint, units: String.fromCodePoint(codePoint).length };
}

function unescapedAt(source: string, at: number): Read {
  switch (source.charAt(at)) {
    case '%':
      return percentEncodedAt(source, at) ?? asItStands(source, at);
    case '\\':
      return backslashEscapeAt(source, at) ?? asItStands(source, at);
    default:
      return asItStands(source, at);
  }
}

/** One character of UTF-8, each of its bytes as `%XX`. */
function percentEncodedAt(source: string, at: number): Read | undefined {
  const lead = percentByteAt(source, at);
  if (lead === undefined) return undefined;
  // 110xxxxx leads two bytes, 1110xxxx three and 11110xxx four; what is none of these stays alone.
  const bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  let codePoint = bytes === 1 ? lead : lead & (BYTE_LAST >> (bytes + 1));
  for (let index = 1; index < bytes; index += 1) {
    const next = percentByteAt(source, at + 3 * index);
    if (next === undefined || next >> CONTINUATION_BITS !== CONTINUATION_LEAD) {
      return { codePoint: UNKNOWN.charCodeAt(0), units: 3 };
    }
    codePoint = (codePoint << CONTINUATION_BITS) | (next & CONTINUATION_MASK);
  }
  return { codePoint, units: 3 * bytes };
}

function percentByteAt(source: string, at: number): number | undefined {
  return source.charAt(at) === '%' ? hexAt(source, at + 1, 2) : undefined;
}

function backslashEscapeAt(source: string, at: number): Read | undefined {
  const mark = source.charAt(at + 1);
  if (mark === 'u' || mark === 'x') {
    const digits = mark === 'u' ? 4 : 2;
    const codePoint = hexAt(source, at + 2, digits);
    return codePoint === undefined ? undefined : { codePoint, units: 2 + digits };
  }
  if (mark !== '' && WHITE_ESCAPES.includes(mark)) return { codePoint: 0x20, units: 2 };
  if (mark === '\\' || mark === '"' || mark === '/') {
    return { codePoint: mark.charCodeAt(0), units: 2 };
  }
  return undefined;
}

function hexAt(source: string, at: number, digits: number): number | undefined {
  const text = source.slice(at, at + digits);
  if (text.length < digits || !/^[0-9a-f]{2,4}$/i.test(text)) return undefined;
  return Number.parseInt(text, HEX_RADIX);
}

/** What a character is here: usually one, for a circled 10 two. */
function plainCharacters(codePoint: number): string {
  if (codePoint <= ASCII_LAST) return String.fromCodePoint(codePoint);
  if (codePoint > CODE_POINT_LAST) return UNKNOWN;
  const character = String.fromCodePoint(codePoint);
  // Full-width, circled, superscript and other decorated characters become the plain ones.
  const undressed = character.normalize('NFKC');
  if (/^\p{L}/u.test(character)) return /^[A-Za-z]$/.test(undressed) ? undressed : LETTER;
  if (/^\p{Nd}+$/u.test(undressed)) return Array.from(undressed, digitValue).join('');
  if (!NOT_ASCII.test(undressed) && undressed.length === 1) return undressed;
  if (/^\p{N}/u.test(undressed)) return LETTER;
  if (/^\p{Pd}/u.test(undressed)) return '-';
  // Marks and formatting characters, such as the one that makes a keycap of a digit, are invisible.
  if (/^[\p{Z}\p{C}\p{M}]/u.test(undressed)) return ' ';
  return character.length === 1 ? character : UNKNOWN;
}

/**
 * Decimal digits of any script as 0-9: the ten digits of a script are consecutive, so the digits
 * below are counted.
 */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  if (code <= ASCII_LAST) return digit;
  let below = 0;
  // The longest row without NFKC form is far shorter than these.
  while (below < 49 && /^\p{Nd}$/u.test(String.fromCodePoint(code - below - 1))) below += 1;
  return String(below % 10);
}
