/** The element types of the arrays we send, by PostgreSQL's own type numbers. */
const TYPE_NUMBERS = {
  bytea: 17,
  int2: 21,
  int4: 23,
  text: 25,
  json: 114,
  float8: 701,
  uuid: 2950,
} as const;

export type ElementType = keyof typeof TYPE_NUMBERS;

/** A value of each element type; null is an element too. */
export interface ElementValues {
  bytea: Buffer;
  int2: number;
  int4: number;
  text: string;
  json: string;
  float8: number | null;
  uuid: string;
}

/** Dimensions, null flag, element type, length, lower bound: four bytes each. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const UUID_BYTES = 16;
const NULL_LENGTH = -1;
const UTF8_BYTES_MAX = 3;
const FIRST_CAPACITY_BYTES = 4_096;
const DASHES = /-/g;

/**
 * Encodes a one-dimensional array in PostgreSQL's binary format. As text every quote of a JSON
 * document would be escaped here and unescaped there; this is one copy of the bytes.
 */
export function binaryArray<Type extends ElementType>(
  type: Type,
  values: readonly ElementValues[Type][],
): Buffer {
  const writer = new ArrayWriter(TYPE_NUMBERS[type], values.length);
  switch (type) {
    case 'int2':
      for (const value of values as readonly number[]) writer.int2(value);
      break;
    case 'int4':
      for (const value of values as readonly number[]) writer.int4(value);
      break;
    case 'float8':
      for (const value of values as readonly (number | null)[]) writer.float8(value);
      break;
    case 'uuid':
      for (const value of values as readonly string[]) writer.uuid(value);
      break;
    case 'bytea':
      for (const value of values as readonly Buffer[]) writer.bytes(value);
      break;
    case 'text':
    case 'json':
      for (const value of values as readonly string[]) writer.text(value);
      break;
  }
  return writer.done();
}

class ArrayWriter {
  #buffer = Buffer.allocUnsafe(FIRST_CAPACITY_BYTES);
  #end = HEADER_BYTES;

  constructor(typeNumber: number, length: number) {
    this.#buffer.writeInt32BE(1, 0);
    this.#buffer.writeInt32BE(1, 4);
    this.#buffer.writeInt32BE(typeNumber, 8);
    this.#buffer.writeInt32BE(length, 12);
    this.#buffer.writeInt32BE(1, 16);
  }

  int2(value: number): void {
    this.#room(LENGTH_BYTES + 2);
    this.#length(2);
    this.#end = this.#buffer.writeInt16BE(value, this.#end);
  }

  int4(value: number): void {
    this.#room(LENGTH_BYTES + 4);
    this.#length(4);
    this.#end = this.#buffer.writeInt32BE(value, this.#end);
  }

  float8(value: number | null): void {
    this.#room(LENGTH_BYTES + 8);
    if (value === null) return this.#length(NULL_LENGTH);
    this.#length(8);
    this.#end = this.#buffer.writeDoubleBE(value, this.#end);
  }

  /** A malformed one would be cut at the first wrong digit, hence the check. */
  uuid(value: string): void {
    this.#room(LENGTH_BYTES + UUID_BYTES);
    this.#length(UUID_BYTES);
    const written = this.#buffer.write(value.replace(DASHES, ''), this.#end, UUID_BYTES, 'hex');
    if (written !== UUID_BYTES) throw new TypeError('Not a UUID.');
    this.#end += UUID_BYTES;
  }

  bytes(value: Buffer): void {
    this.#room(LENGTH_BYTES + value.length);
    this.#length(value.length);
    this.#end += value.copy(this.#buffer, this.#end);
  }

  text(value: string): void {
    this.#room(LENGTH_BYTES + value.length * UTF8_BYTES_MAX);
    const written = this.#buffer.write(value, this.#end + LENGTH_BYTES, 'utf8');
    this.#length(written);
    this.#end += written;
  }

  done(): Buffer {
    return this.#buffer.subarray(0, this.#end);
  }

  #length(bytes: number): void {
    this.#end = this.#buffer.writeInt32BE(bytes, this.#end);
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#end + bytes));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}
