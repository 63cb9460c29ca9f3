import { createHash } from 'node:crypto';

/** One way in which digits can stand in a file or an answer. */
export interface LeakForm {
  readonly name: string;
  /** The bytes that a leak of `digits` in this form consists of. */
  readonly encode: (digits: string) => Buffer;
}

const GROUP = 4;
const ASCII_ZERO = 0x30;
const FULL_WIDTH_ZERO = 0xff10;

/**
 * Every form of S-PCI-02 (raw, separated, URL-encoded, base64 in three alignments, hex, UTF-16)
 * and those in which programs happen to leak: escapes, numbers as integers, plain hashes
 * (S-PCI-06). The scanner is proven by planting each of them.
 */
export const leakForms: readonly LeakForm[] = [
  text('raw', (digits) => digits),
  text('inside a longer run of digits', (digits) => `00731${digits}29`),
  text('separated by spaces', (digits) => grouped(digits, ' ')),
  text('separated by hyphens', (digits) => grouped(digits, '-')),
  text('separated by dots', (digits) => grouped(digits, '.')),
  text('separated by commas, digit by digit', (digits) => [...digits].join(', ')),
  text('separated by line breaks', (digits) => grouped(digits, '\r\n')),
  text('separated by escaped line breaks', (digits) => grouped(digits, '\\r\\n')),
  text('separated by line breaks escaped twice', (digits) => grouped(digits, '\\\\r\\\\n')),
  text('track data', (digits) => `;${digits}=34051011000000000?`),
  text('URL-encoded', (digits) => percentEncoded(digits)),
  text('URL-encoded twice', (digits) => percentEncoded(digits).replaceAll('%', '%25')),
  text('URL-encoded separators', (digits) => grouped(digits, '%20')),
  text('form-encoded separators', (digits) => grouped(digits, '+')),
  text('base64, alignment 0', (digits) => base64(`abc${digits}xyz`)),
  text('base64, alignment 1', (digits) => base64(`"${digits}"`)),
  text('base64, alignment 2', (digits) => base64(`a=${digits}&b`)),
  text('base64url in JSON', (digits) =>
    Buffer.from(JSON.stringify({ number: digits })).toString('base64url'),
  ),
  text('hex', (digits) => Buffer.from(digits).toString('hex')),
  text('hex with spaces', (digits) => hexBytes(digits).join(' ')),
  text('hex with colons', (digits) => hexBytes(digits).join(':')),
  text('hex in backslash escapes', (digits) =>
    hexBytes(digits)
      .map((hex) => `\\x${hex}`)
      .join(''),
  ),
  text('hex in an array', (digits) =>
    hexBytes(digits)
      .map((hex) => `0x${hex}`)
      .join(', '),
  ),
  text('JSON escapes', (digits) =>
    hexBytes(digits)
      .map((hex) => `\\u00${hex}`)
      .join(''),
  ),
  text('character references', (digits) =>
    [...digits].map((digit) => `&#${String(ASCII_ZERO + Number(digit))};`).join(''),
  ),
  text('full-width digits', (digits) => fullWidth(digits)),
  text('full-width digits, URL-encoded', (digits) => encodeURIComponent(fullWidth(digits))),
  { name: 'UTF-16, little end first', encode: (digits) => Buffer.from(digits, 'utf16le') },
  { name: 'UTF-16, big end first', encode: (digits) => Buffer.from(digits, 'utf16le').swap16() },
  { name: 'UTF-16, separated', encode: (digits) => Buffer.from(grouped(digits, ' '), 'utf16le') },
  { name: 'compressed literals', encode: (digits) => withControlBytes(digits) },
  { name: '64-bit integer, little end first', encode: (digits) => integer64(digits).reverse() },
  { name: '64-bit integer, big end first', encode: (digits) => integer64(digits) },
  { name: 'packed decimal', encode: (digits) => packedDecimal(digits) },
  { name: 'numeric column', encode: (digits) => numericColumn(digits) },
  ...['sha256', 'sha1', 'md5', 'sha512'].flatMap(plainHash),
];

/** The forms that are byte strings of their own, beyond what reading digits can find. */
export const fixedForms: readonly LeakForm[] = [
  ...[0, 1, 2].map((alignment) => ({
    name: `base64, alignment ${String(alignment)}`,
    encode: (digits: string) => Buffer.from(base64Core(digits, alignment)),
  })),
  ...leakForms.filter(
    ({ name }) =>
      name.startsWith('64-bit') ||
      name === 'packed decimal' ||
      name === 'numeric column' ||
      name.startsWith('plain '),
  ),
];

/**
 * The part of the base64 text that `content` alone decides when `alignment` bytes of something
 * else precede it in the group of three: the characters at both edges also hold neighbours' bits.
 */
export function base64Core(content: string, alignment: number): string {
  const whole = Buffer.concat([Buffer.alloc(alignment), Buffer.from(content)]).toString('base64');
  const first = Math.ceil((alignment * 8) / 6);
  const last = Math.floor(((alignment + Buffer.byteLength(content)) * 8) / 6);
  return whole.slice(first, last);
}

function text(name: string, encode: (digits: string) => string): LeakForm {
  return { name, encode: (digits) => Buffer.from(encode(digits), 'utf8') };
}

function grouped(digits: string, separator: string): string {
  const groups: string[] = [];
  for (let at = 0; at < digits.length; at += GROUP) groups.push(digits.slice(at, at + GROUP));
  return groups.join(separator);
}

function base64(content: string): string {
  return Buffer.from(content).toString('base64');
}

function hexBytes(digits: string): string[] {
  return [...digits].map((digit) => (ASCII_ZERO + Number(digit)).toString(16));
}

function percentEncoded(digits: string): string {
  return hexBytes(digits)
    .map((hex) => `%${hex}`)
    .join('');
}

/** The digits of East Asian typography, which some parsers read as digits (S-PCI-07). */
export function fullWidth(digits: string): string {
  return [...digits].map((digit) => String.fromCodePoint(FULL_WIDTH_ZERO + Number(digit))).join('');
}

/** PostgreSQL's pglz puts one control byte before every eight literals. */
function withControlBytes(digits: string): Buffer {
  const bytes: number[] = [];
  [...Buffer.from(digits)].forEach((byte, index) => {
    if (index % 8 === 3) bytes.push(0);
    bytes.push(byte);
  });
  return Buffer.from(bytes);
}

function integer64(digits: string): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(digits));
  return bytes;
}

function packedDecimal(digits: string): Buffer {
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

/** PostgreSQL's numeric: digits in base 10,000, two bytes each, little end first on disk. */
function numericColumn(digits: string): Buffer {
  const padded = digits.padStart(Math.ceil(digits.length / GROUP) * GROUP, '0');
  const bytes = Buffer.alloc((padded.length / GROUP) * 2);
  for (let group = 0; group < padded.length / GROUP; group++) {
    bytes.writeUInt16LE(Number(padded.slice(group * GROUP, (group + 1) * GROUP)), group * 2);
  }
  return bytes;
}

function plainHash(algorithm: string): LeakForm[] {
  const digest = (digits: string): Buffer => createHash(algorithm).update(digits).digest();
  return [
    { name: `plain ${algorithm}`, encode: digest },
    {
      name: `plain ${algorithm}, hex`,
      encode: (digits) => Buffer.from(digest(digits).toString('hex')),
    },
    {
      name: `plain ${algorithm}, upper-case hex`,
      encode: (digits) => Buffer.from(digest(digits).toString('hex').toUpperCase()),
    },
    {
      name: `plain ${algorithm}, base64`,
      encode: (digits) =>
        Buffer.from(
          digest(digits)
            .toString('base64')
            .replace(/={1,2}$/, ''),
        ),
    },
  ];
}
