import type { ColumnType, Row } from './projection.js';

/*
 * COPY's binary format: no digits to convert and nothing to escape, for the server as for us, which
 * is a third of what a rebuild takes (docs/measurements/2026-11-24-rebuild-and-reads.md).
 */

/** A column of a projection, or a whole number of four bytes. */
export type CopiedType = ColumnType | 'int';

/** What COPY's data begins with: its signature, no flags, and no extension of the header. */
export const COPY_BEGIN: Buffer = Buffer.from(`PGCOPY\n\xff\r\n\0${'\0'.repeat(8)}`, 'latin1');
/** What it ends with, where the number of fields of another row would be. */
export const COPY_END: Buffer = Buffer.from([0xff, 0xff]);

const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const SHORT_BYTES = 2;
const INT_BYTES = 4;
const BIGINT_BYTES = 8;
const ID_BYTES = 16;
/** In place of a length. */
const NO_VALUE = -1;

/** Bytes that are passed to the socket at once. */
const BUFFER_BYTES = 256 * 1024;
const BYTES_PER_UNIT_MAX = 3;
/** Up to here a loop over characters is quicker than the call that encodes them. */
const SHORT_TEXT_UNITS = 16;
const ASCII_MAX = 0x7f;

/**
 * Rows as bytes. They are encoded one by one as they come, because collected text would be copied
 * by each garbage collection until it is sent.
 */
export class CopyBuffer {
  #buffer: Buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;
  readonly #full: Buffer[] = [];

  /** @param columns the properties of a row in the order of the table's columns */
  constructor(private readonly columns: readonly (readonly [name: string, type: CopiedType])[]) {}

  /** Adds a row, whose values its columns can hold. */
  add(row: Row): void {
    this.#reserve(COUNT_BYTES);
    this.#used = this.#buffer.writeInt16BE(this.columns.length, this.#used);
    for (const [name, type] of this.columns) this.#add(type, row[name] ?? null);
  }

  /** Whether there is a whole buffer to take. */
  get isFull(): boolean {
    return this.#full.length > 0;
  }

  /** What is full, or all with `rest`. */
  take(rest = false): Buffer[] {
    if (rest && this.#used > 0) this.#turn(0);
    return this.#full.splice(0);
  }

  #add(type: CopiedType, value: string | null): void {
    if (value === null) {
      this.#reserve(LENGTH_BYTES);
      this.#used = this.#buffer.writeInt32BE(NO_VALUE, this.#used);
      return;
    }
    switch (type) {
      case 'text':
        this.#addText(value);
        return;
      case 'hexId':
        this.#begin(ID_BYTES);
        if (this.#buffer.write(value, this.#used, ID_BYTES, 'hex') !== ID_BYTES) {
          throw new TypeError('An id has 32 hex digits.');
        }
        this.#used += ID_BYTES;
        return;
      case 'bigint':
        this.#begin(BIGINT_BYTES);
        this.#used = this.#buffer.writeBigInt64BE(BigInt(value), this.#used);
        return;
      case 'int':
        this.#begin(INT_BYTES);
        this.#used = this.#buffer.writeInt32BE(Number(value), this.#used);
    }
  }

  #addText(value: string): void {
    this.#reserve(LENGTH_BYTES + value.length * BYTES_PER_UNIT_MAX);
    const start = this.#used + LENGTH_BYTES;
    const bytes = this.#writtenAscii(value, start)
      ? value.length
      : this.#buffer.write(value, start);
    this.#buffer.writeInt32BE(bytes, this.#used);
    this.#used = start + bytes;
  }

  #writtenAscii(value: string, start: number): boolean {
    if (value.length > SHORT_TEXT_UNITS) return false;
    const buffer = this.#buffer;
    for (let index = 0; index < value.length; index += 1) {
      const unit = value.charCodeAt(index);
      if (unit > ASCII_MAX) return false;
      buffer[start + index] = unit;
    }
    return true;
  }

  #begin(bytes: number): void {
    this.#reserve(LENGTH_BYTES + bytes);
    this.#used = this.#buffer.writeInt32BE(bytes, this.#used);
  }

  /** A row may lie in two buffers. */
  #reserve(bytes: number): void {
    if (this.#used + bytes > this.#buffer.length) this.#turn(bytes);
  }

  #turn(bytesNeeded: number): void {
    this.#full.push(this.#buffer.subarray(0, this.#used));
    this.#buffer = Buffer.allocUnsafe(Math.max(BUFFER_BYTES, bytesNeeded));
    this.#used = 0;
  }
}

/** A row as COPY sends it; it is only valid until the next one. */
export class CopiedRow {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** Finds the fields; the place after them, or undefined if the bytes end before. */
  place(bytes: Buffer, start: number): number | undefined {
    if (start + COUNT_BYTES > bytes.length) return undefined;
    const count = bytes.readInt16BE(start);
    let at = start + COUNT_BYTES;
    for (let index = 0; index < count; index += 1) {
      if (at + LENGTH_BYTES > bytes.length) return undefined;
      const length = bytes.readInt32BE(at);
      at += LENGTH_BYTES;
      this.#starts[index] = length === NO_VALUE ? NO_VALUE : at;
      at += Math.max(0, length);
      this.#ends[index] = at;
    }
    this.#bytes = bytes;
    return at <= bytes.length ? at : undefined;
  }

  /** A field that has a value. */
  text(index: number): string {
    return this.#bytes.toString('utf8', this.#starts[index], this.#ends[index]);
  }

  /** A field that may have none. */
  optionalText(index: number): string | undefined {
    return this.#starts[index] === NO_VALUE ? undefined : this.text(index);
  }

  /** A whole number of two or four bytes. */
  integer(index: number): number {
    const start = this.#starts[index] ?? 0;
    const isShort = (this.#ends[index] ?? 0) - start === SHORT_BYTES;
    return isShort ? this.#bytes.readInt16BE(start) : this.#bytes.readInt32BE(start);
  }
}

/** Cuts what COPY sends into rows; chunks may end anywhere. */
export class CopiedRows {
  #rest: Buffer = Buffer.alloc(0);
  #isBegun = false;
  readonly #row = new CopiedRow();

  /** Takes a chunk and gives each whole row to `onRow`. */
  push(chunk: Buffer, onRow: (row: CopiedRow) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = this.#isBegun ? 0 : COPY_BEGIN.length;
    if (at > bytes.length) {
      this.#rest = bytes;
      return;
    }
    this.#isBegun = true;
    while (!this.#isEnd(bytes, at)) {
      const next = this.#row.place(bytes, at);
      if (next === undefined) break;
      onRow(this.#row);
      at = next;
    }
    this.#rest = bytes.subarray(at);
  }

  #isEnd(bytes: Buffer, at: number): boolean {
    return at + COPY_END.length <= bytes.length && bytes.readInt16BE(at) === NO_VALUE;
  }
}
