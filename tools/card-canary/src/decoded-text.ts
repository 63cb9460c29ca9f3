const NUL = 0x00;
const AMPERSAND = 0x26;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const LOWER_X = 0x78;
const LOWER_U = 0x75;
const ZERO = 0x30;
const HASH = 0x23;
const SEMICOLON = 0x3b;
const SPACE = 0x20;
const NOT_HEX = -1;
/** Line feed, carriage return and tabulator as JSON writes them: `\n`, `\r`, `\t`. */
const BLANK_ESCAPES: ReadonlySet<number> = new Set([0x6e, 0x72, 0x74]);

/** UTF-8 of U+FF10 to U+FF19 is EF BC 90 to EF BC 99. */
const FULL_WIDTH_LEAD = 0xef;
const FULL_WIDTH_MIDDLE = 0xbc;
const FULL_WIDTH_ZERO = 0x90;

const BEGINS_AN_ESCAPE: ReadonlySet<number> = new Set([
  PERCENT,
  BACKSLASH,
  AMPERSAND,
  FULL_WIDTH_LEAD,
]);
const HEX_VALUES = hexValues();

/** A second reading of the same bytes, and where each of its bytes came from. */
export interface DecodedText {
  readonly bytes: Buffer;
  /** `origins[n]` is the place in the read bytes at which decoded byte `n` began. */
  readonly origins: Uint32Array;
  /** An escape stood for the beginning of another escape, as in `%2534`: read the result again. */
  readonly isNested: boolean;
}

/**
 * Reads `%34`, `\x34`, `0x34`, `\u0034`, `\n`, `&#52;` and full-width digits as the characters
 * they stand for, and drops the zero bytes of UTF-16. Everything else stays as it is, so the result
 * of any bytes is defined; it is for searching only.
 */
export function decodeText(source: Buffer): DecodedText {
  const bytes = Buffer.allocUnsafe(source.length);
  const origins = new Uint32Array(source.length);
  let length = 0;
  let at = 0;
  let isNested = false;
  while (at < source.length) {
    const byte = source[at] ?? 0;
    let width = 1;
    let value = byte;
    switch (byte) {
      case NUL:
        at += 1;
        continue;
      case PERCENT:
        value = hexPair(source, at + 1);
        width = 3;
        break;
      case BACKSLASH:
        if (source[at + 1] === LOWER_X) {
          value = hexPair(source, at + 2);
          width = 4;
        } else if (source[at + 1] === LOWER_U && hexPair(source, at + 2) === 0) {
          value = hexPair(source, at + 4);
          width = 6;
        } else {
          value = characterEscape(source[at + 1] ?? 0);
          width = 2;
        }
        break;
      case ZERO:
        value = source[at + 1] === LOWER_X ? hexPair(source, at + 2) : NOT_HEX;
        width = 4;
        break;
      case AMPERSAND:
        value = digitReference(source, at);
        width = 5;
        break;
      case FULL_WIDTH_LEAD:
        value = fullWidthDigit(source, at);
        width = 3;
        break;
    }
    if (value === NOT_HEX) {
      value = byte;
      width = 1;
    } else if (width > 1 && BEGINS_AN_ESCAPE.has(value)) {
      isNested = true;
    }
    bytes[length] = value;
    origins[length] = at;
    length += 1;
    at += width;
  }
  return { bytes: bytes.subarray(0, length), origins: origins.subarray(0, length), isNested };
}

function hexPair(source: Buffer, at: number): number {
  const high = HEX_VALUES[source[at] ?? 0] ?? NOT_HEX;
  const low = HEX_VALUES[source[at + 1] ?? 0] ?? NOT_HEX;
  return high === NOT_HEX || low === NOT_HEX ? NOT_HEX : high * 16 + low;
}

/** `\n` and the like, or a backslash that escapes another. */
function characterEscape(byte: number): number {
  if (byte === BACKSLASH) return BACKSLASH;
  return BLANK_ESCAPES.has(byte) ? SPACE : NOT_HEX;
}

/** `&#48;` to `&#57;`. */
function digitReference(source: Buffer, at: number): number {
  if (source[at + 1] !== HASH || source[at + 4] !== SEMICOLON) return NOT_HEX;
  const code = ((source[at + 2] ?? 0) - ZERO) * 10 + ((source[at + 3] ?? 0) - ZERO);
  return code >= ZERO && code <= ZERO + 9 ? code : NOT_HEX;
}

function fullWidthDigit(source: Buffer, at: number): number {
  const digit = (source[at + 2] ?? 0) - FULL_WIDTH_ZERO;
  return source[at + 1] === FULL_WIDTH_MIDDLE && digit >= 0 && digit <= 9 ? ZERO + digit : NOT_HEX;
}

function hexValues(): Int8Array {
  const values = new Int8Array(256).fill(NOT_HEX);
  for (let value = 0; value < 16; value++) {
    const digit = value.toString(16);
    values[digit.charCodeAt(0)] = value;
    values[digit.toUpperCase().charCodeAt(0)] = value;
  }
  return values;
}
