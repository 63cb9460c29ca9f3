/** The element types of the arrays that are sent, by PostgreSQL's own type numbers. */
const TYPE_NUMBERS = {
  bytea: 17,
  int2: 21,
  int4: 23,
  int8: 20,
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
  int8: bigint | null;
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
const DASHES = /-/g;

/**
 * Encodes a one-dimensional array in PostgreSQL's binary format. In text format, every quote of a
 * JSON document would be escaped here and unescaped by the server. This copies the bytes once, into
 * a buffer of the right size; most are small enough for Node's pool, and a payment needs some
 * thirty.
 */
export function binaryArray<Type extends ElementType>(
  type: Type,
  values: readonly ElementValues[Type][],
): Buffer {
  const contentBytes = contentBytesOf(type, values);
  const writer = new ArrayWriter(TYPE_NUMBERS[type], values.length, contentBytes);
  switch (type) {
    case 'int2':
      for (const value of values as readonly number[]) writer.int2(value);
      break;
    case 'int4':
      for (const value of values as readonly number[]) writer.int4(value);
      break;
    case 'int8':
      for (const value of values as readonly (bigint | null)[]) writer.int8(value);
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

/** The bytes that the values need at most, without their length fields. */
function contentBytesOf(type: ElementType, values: readonly unknown[]): number {
  switch (type) {
    case 'int2':
      return values.length * 2;
    case 'int4':
      return values.length * 4;
    case 'int8':
    case 'float8':
      return values.length * 8;
    case 'uuid':
      return values.length * UUID_BYTES;
    case 'bytea':
    case 'text':
    case 'json':
      return (values as readonly (string | Buffer)[]).reduce(addBytes, 0);
  }
}

function addBytes(sum: number, value: string | Buffer): number {
  return sum + Buffer.byteLength(value);
}

class ArrayWriter {
  readonly #buffer: Buffer;
  #end = HEADER_BYTES;

  constructor(typeNumber: number, length: number, contentBytes: number) {
    this.#buffer = Buffer.allocUnsafe(HEADER_BYTES + length * LENGTH_BYTES + contentBytes);
    this.#buffer.writeInt32BE(1, 0);
    this.#buffer.writeInt32BE(1, 4);
    this.#buffer.writeInt32BE(typeNumber, 8);
    this.#buffer.writeInt32BE(length, 12);
    this.#buffer.writeInt32BE(1, 16);
  }

  int2(value: number): void {
    this.#length(2);
    this.#end = this.#buffer.writeInt16BE(value, this.#end);
  }

  int4(value: number): void {
    this.#length(4);
    this.#end = this.#buffer.writeInt32BE(value, this.#end);
  }

  int8(value: bigint | null): void {
    if (value === null) return this.#length(NULL_LENGTH);
    this.#length(8);
    this.#end = this.#buffer.writeBigInt64BE(value, this.#end);
  }

  float8(value: number | null): void {
    if (value === null) return this.#length(NULL_LENGTH);
    this.#length(8);
    this.#end = this.#buffer.writeDoubleBE(value, this.#end);
  }

  /** A malformed UUID would be cut off at the first wrong digit, hence the check. */
  uuid(value: string): void {
    this.#length(UUID_BYTES);
    const written = this.#buffer.write(value.replace(DASHES, ''), this.#end, UUID_BYTES, 'hex');
    if (written !== UUID_BYTES) throw new TypeError('Not a UUID.');
    this.#end += UUID_BYTES;
  }

  bytes(value: Buffer): void {
    this.#length(value.length);
    this.#end += value.copy(this.#buffer, this.#end);
  }

  text(value: string): void {
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
}
