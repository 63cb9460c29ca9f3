import type { FieldContent } from './field-row.js';
import { type FieldName, fieldRows, versionDigits, versions } from './message-fields.js';

/**
 * A message: its type, 4 digits, of which the first is the version, and its fields as text. Digits are
 * as long as their field, characters without the blanks behind them, bytes as hex digits.
 */
export interface Message {
  readonly type: string;
  readonly fields: MessageFields;
}

/** Fields by name. */
export type MessageFields = Readonly<Partial<Record<FieldName, string>>>;

/**
 * How a message is written: everything in characters and the bitmap in hex digits, or digits two to a
 * byte (BCD) and the bitmap in bytes. An agreement between the two sides. Bytes of variable length,
 * which 1993 has, are bytes in either.
 */
export type Encoding = 'ascii' | 'binary';

const TYPE_DIGITS = 4;
const BITMAP_BYTES = 8;
const BITS_OF_BITMAP = 64;
/** The bit that says that a second bitmap follows the first. */
const SECOND_BITMAP = 1;
const HIGHEST_BIT = 0x80;
const LENGTH_DIGITS = { fixed: 0, llvar: 2, lllvar: 3 } as const;

interface Field {
  readonly number: number;
  readonly name: FieldName;
  readonly lengthDigits: number;
  readonly length: number;
  readonly content: FieldContent;
}

/** The fields of a version. */
interface FieldTable {
  readonly byName: ReadonlyMap<string, Field>;
  readonly byNumber: ReadonlyMap<number, Field>;
}

/** By the first digit of a message's type. */
const tables: ReadonlyMap<string, FieldTable> = new Map(
  versions.map((version) => {
    const fields = fieldRows[version].map(([number, name, kind, length, content]): Field => {
      return { number, name, lengthDigits: LENGTH_DIGITS[kind], length, content };
    });
    const byName = new Map(fields.map((field) => [field.name, field]));
    const byNumber = new Map(fields.map((field) => [field.number, field]));
    return [versionDigits[version], { byName, byNumber }];
  }),
);

function tableOf(type: string): FieldTable | undefined {
  return tables.get(type.charAt(0));
}

/**
 * The bytes of a message.
 * @throws RangeError where a value does not fit its field, or the version of the type has none of the
 * name: a defect, never said of what a host sends
 */
export function pack({ type, fields: values }: Message, encoding: Encoding): Buffer {
  const table = tableOf(type);
  if (table === undefined) throw new RangeError(`${type} is of no version`);
  const bitmap = Buffer.alloc(2 * BITMAP_BYTES);
  let packed = '';
  for (const field of fieldsOf(values, table)) {
    setBit(bitmap, field.number);
    packed += packedField(field, values[field.name] ?? '', encoding);
    if (field.number > BITS_OF_BITMAP) setBit(bitmap, SECOND_BITMAP);
  }
  const used = hasBit(bitmap, SECOND_BITMAP) ? bitmap : bitmap.subarray(0, BITMAP_BYTES);
  const whole = digits(type, encoding) + bytes(used, encoding) + packed;
  return Buffer.from(whole, encoding === 'ascii' ? 'latin1' : 'hex');
}

/** The message, or undefined where the bytes are none, or more than one. */
export function unpack(packed: Buffer, encoding: Encoding): Message | undefined {
  const reader = new MessageReader(packed, encoding);
  try {
    const type = reader.digits(TYPE_DIGITS);
    const table = tableOf(type);
    if (table === undefined) return undefined;
    const first = reader.bytes(BITMAP_BYTES);
    const isLong = hasBit(first, SECOND_BITMAP);
    const bitmap = isLong ? Buffer.concat([first, reader.bytes(BITMAP_BYTES)]) : first;
    const values: Partial<Record<FieldName, string>> = {};
    for (let number = 2; number <= bitmap.length * 8; number += 1) {
      if (!hasBit(bitmap, number)) continue;
      const field = table.byNumber.get(number);
      if (field === undefined) return undefined;
      values[field.name] = reader.field(field);
    }
    return reader.isAtEnd ? { type, fields: values } : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Those that a message has, in their order: far fewer than there are. */
function fieldsOf(values: MessageFields, { byName }: FieldTable): readonly Field[] {
  const fields: Field[] = [];
  for (const name of Object.keys(values)) {
    const field = byName.get(name);
    if (field === undefined) throw new RangeError(`this version has no ${name}`);
    fields.push(field);
  }
  return fields.sort((one, other) => one.number - other.number);
}

/** Bits are counted from 1, the highest of the first byte. */
function hasBit(bitmap: Buffer, number: number): boolean {
  return (bitmap.readUInt8((number - 1) >> 3) & (HIGHEST_BIT >> ((number - 1) & 7))) !== 0;
}

function setBit(bitmap: Buffer, number: number): void {
  const at = (number - 1) >> 3;
  bitmap.writeUInt8(bitmap.readUInt8(at) | (HIGHEST_BIT >> ((number - 1) & 7)), at);
}

/** As Latin-1, or in hex digits where digits are packed: quicker to put together than many small buffers. */
function packedField(field: Field, value: string, encoding: Encoding): string {
  const { name, lengthDigits, length, content } = field;
  const size = content === 'b' ? value.length / 2 : value.length;
  const isFixed = lengthDigits === 0;
  // Characters are filled up with blanks; digits and bytes have to be whole.
  const isWhole = !isFixed || content === 'ans' || size === length;
  if (size > length || !isWhole) throw new RangeError(`no ${name} has ${size} characters`);
  switch (content) {
    case 'n':
      if (!isDigits(value)) throw new RangeError(`${name} must be digits`);
      return isFixed
        ? digits(value, encoding)
        : lengthPart(size, lengthDigits, encoding) + digitsFromLeft(value, encoding);
    case 'x+n':
      if (!isDigits(value.slice(1))) throw new RangeError(`${name} must be a sign and digits`);
      return characters(value.slice(0, 1), encoding) + digits(value.slice(1), encoding);
    case 'ans':
      return isFixed
        ? characters(value.padEnd(length), encoding)
        : lengthPart(size, lengthDigits, encoding) + characters(value, encoding);
    case 'b': {
      const raw = Buffer.from(value, 'hex');
      return isFixed
        ? bytes(raw, encoding)
        : lengthPart(size, lengthDigits, encoding) + characters(raw.toString('latin1'), encoding);
    }
  }
}

function lengthPart(size: number, lengthDigits: number, encoding: Encoding): string {
  return digits(String(size).padStart(lengthDigits, '0'), encoding);
}

function characters(text: string, encoding: Encoding): string {
  return encoding === 'ascii' ? text : Buffer.from(text, 'latin1').toString('hex');
}

/** An odd number of them has a zero before it. */
function digits(text: string, encoding: Encoding): string {
  return encoding === 'ascii' || text.length % 2 === 0 ? text : `0${text}`;
}

/** Those of variable length: an odd number has a zero behind it. */
function digitsFromLeft(text: string, encoding: Encoding): string {
  return digits(encoding === 'ascii' || text.length % 2 === 0 ? text : `${text}0`, encoding);
}

function bytes(value: Buffer, encoding: Encoding): string {
  const hex = value.toString('hex');
  return encoding === 'ascii' ? hex.toUpperCase() : hex;
}

function isDigits(text: string): boolean {
  return /^[0-9]*$/u.test(text);
}

/** What is read is no message. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

class MessageReader {
  #at = 0;

  constructor(
    private readonly packed: Buffer,
    private readonly encoding: Encoding,
  ) {}

  get isAtEnd(): boolean {
    return this.#at === this.packed.length;
  }

  field({ lengthDigits, length, content }: Field): string {
    const isFixed = lengthDigits === 0;
    const size = isFixed ? length : lengthIn(this.digits(lengthDigits));
    if (size > length) throw new Unreadable();
    switch (content) {
      case 'n':
        return this.digits(size, !isFixed);
      case 'x+n':
        return this.#characters(1) + this.digits(size - 1);
      case 'ans':
        return isFixed ? this.#characters(size).trimEnd() : this.#characters(size);
      case 'b':
        return (isFixed ? this.bytes(size) : this.#taken(size)).toString('hex');
    }
  }

  digits(count: number, areFromLeft = false): string {
    const text =
      this.encoding === 'ascii'
        ? this.#characters(count)
        : this.#half(this.#text((count + 1) >> 1, 'hex'), count, areFromLeft);
    if (!isDigits(text)) throw new Unreadable();
    return text;
  }

  bytes(count: number): Buffer {
    if (this.encoding === 'binary') return this.#taken(count);
    const value = Buffer.from(this.#characters(2 * count), 'hex');
    if (value.length !== count) throw new Unreadable();
    return value;
  }

  /** Without the filling digit. */
  #half(hex: string, count: number, areFromLeft: boolean): string {
    return areFromLeft ? hex.slice(0, count) : hex.slice(hex.length - count);
  }

  #characters(count: number): string {
    return this.#text(count, 'latin1');
  }

  #text(count: number, encoding: 'latin1' | 'hex'): string {
    const from = this.#at;
    return this.packed.toString(encoding, from, this.#passed(count));
  }

  #taken(count: number): Buffer {
    const from = this.#at;
    return this.packed.subarray(from, this.#passed(count));
  }

  /** Where so many bytes end. */
  #passed(count: number): number {
    const end = this.#at + count;
    if (end > this.packed.length) throw new Unreadable();
    this.#at = end;
    return end;
  }
}

/** Digits that were read as such. */
function lengthIn(text: string): number {
  return [...text].reduce((sum, digit) => sum * 10 + digit.charCodeAt(0) - '0'.charCodeAt(0), 0);
}
