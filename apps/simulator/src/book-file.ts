import {
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  write,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Read the file in pieces of this size at start; a line is far shorter. */
const READ_CHUNK_BYTES = 1024 * 1024;
/** Lines that may wait for the disk; beyond it the other side is overloaded and says so. */
const QUEUED_LINES_MAX = 20_000;
const LINE_FEED = 0x0a;
/**
 * A write ends when it is on the disk: one trip to the thread pool instead of two. 0 where the
 * system has none.
 */
const SYNCHRONOUS: number = (constants as { O_DSYNC?: number }).O_DSYNC ?? 0;
/** Errors of a write after which the disk is known to hold nothing unexpected. */
const HEALING = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Where a line stands in the file. */
export interface LinePlace {
  readonly offset: number;
  readonly lengthBytes: number;
}

interface QueuedLine {
  readonly bytes: Buffer;
  readonly written: (place: LinePlace) => void;
  readonly failed: (error: Error) => void;
}

/**
 * A file of lines that only grows. A line is on the disk before its promise resolves (D-49): all
 * lines that arrive while one write is under way share the next write and its one fsync, without a
 * timer, so an idle append waits for one fsync and a busy one for two.
 */
export class BookFile {
  readonly #path: string;
  readonly #descriptor: number;
  #lengthBytes: number;
  #queue: QueuedLine[] = [];
  #writing = false;
  #failure: Error | undefined;
  #idle: (() => void) | undefined;

  private constructor(path: string, descriptor: number, lengthBytes: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#lengthBytes = lengthBytes;
  }

  /**
   * Opens or creates the file and reads it once, line by line. A last line without its end was left
   * by a kill in the middle of a write: it was never acknowledged, so it is cut off.
   */
  static async open(
    path: string,
    onLine: (line: string, place: LinePlace) => void,
  ): Promise<BookFile> {
    const handle = await open(path, 'a+', 0o600);
    let lengthBytes: number;
    try {
      lengthBytes = await readLines(handle, onLine);
    } finally {
      await handle.close();
    }
    const descriptor = openSync(path, constants.O_RDWR | SYNCHRONOUS);
    ftruncateSync(descriptor, lengthBytes);
    fsyncSync(descriptor);
    syncFolder(dirname(path));
    return new BookFile(path, descriptor, lengthBytes);
  }

  /** How much of the file is on the disk, in bytes. */
  get lengthBytes(): number {
    return this.#lengthBytes;
  }

  /** Appends one line (without its line feed); resolves when it is on the disk. */
  append(line: string): Promise<LinePlace> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#queue.length >= QUEUED_LINES_MAX) {
      return Promise.reject(new Error('The disk does not keep up with the book.'));
    }
    return new Promise((written, failed) => {
      this.#queue.push({ bytes: Buffer.from(`${line}\n`), written, failed });
      if (!this.#writing) this.#writeQueued();
    });
  }

  /** One line again. */
  async read(place: LinePlace): Promise<string> {
    const handle = await open(this.#path, 'r');
    try {
      const bytes = Buffer.alloc(place.lengthBytes);
      await handle.read(bytes, 0, place.lengthBytes, place.offset);
      return bytes.toString('utf8').trimEnd();
    } finally {
      await handle.close();
    }
  }

  /** Every line that is on the disk now, oldest first. */
  async *lines(): AsyncGenerator<string> {
    const end = this.#lengthBytes;
    const handle = await open(this.#path, 'r');
    try {
      for await (const { line } of eachLine(handle, end)) yield line;
    } finally {
      await handle.close();
    }
  }

  /** Writes what is queued, then closes; later appends fail. */
  async close(): Promise<void> {
    if (this.#writing) await new Promise<void>((resolve) => (this.#idle = resolve));
    this.#failure ??= new Error('The book is closed.');
    closeSync(this.#descriptor);
  }

  #writeQueued(): void {
    const batch = this.#queue;
    this.#queue = [];
    this.#writing = true;
    const bytes = Buffer.concat(batch.map((each) => each.bytes));
    const done = (error: Error | null): void => {
      if (error) this.#refuse(batch, error);
      else this.#acknowledge(batch);
      this.#writing = false;
      if (this.#queue.length > 0) this.#writeQueued();
      else this.#idle?.();
    };
    this.#writeAll(bytes, 0, (error) => {
      if (error) done(isHealing(error) ? error : this.#breakFor(error));
      else if (SYNCHRONOUS !== 0) done(null);
      else fdatasync(this.#descriptor, (failure) => done(failure && this.#breakFor(failure)));
    });
  }

  /** A write may be short; the rest follows at once. */
  #writeAll(bytes: Buffer, from: number, done: (error: Error | null) => void): void {
    const position = this.#lengthBytes + from;
    write(this.#descriptor, bytes, from, bytes.length - from, position, (error, count) => {
      if (error) done(error);
      else if (from + count < bytes.length) this.#writeAll(bytes, from + count, done);
      else done(null);
    });
  }

  #acknowledge(batch: readonly QueuedLine[]): void {
    for (const { bytes, written } of batch) {
      const place = { offset: this.#lengthBytes, lengthBytes: bytes.length };
      this.#lengthBytes += bytes.length;
      written(place);
    }
  }

  /** A full disk heals: what was written of the batch is cut off and the next one may succeed. */
  #refuse(batch: readonly QueuedLine[], error: Error): void {
    try {
      ftruncateSync(this.#descriptor, this.#lengthBytes);
    } catch (truncateError) {
      this.#breakFor(truncateError as Error);
    }
    for (const { failed } of batch) failed(error);
  }

  /** After a failed fsync nobody knows what the disk holds: nothing more is taken. */
  #breakFor(error: Error): Error {
    this.#failure ??= error;
    return error;
  }
}

function isHealing({ code }: NodeJS.ErrnoException): boolean {
  return code !== undefined && HEALING.has(code);
}

async function readLines(
  handle: FileHandle,
  onLine: (line: string, place: LinePlace) => void,
): Promise<number> {
  let lengthBytes = 0;
  const { size } = await handle.stat();
  for await (const { line, place } of eachLine(handle, size)) {
    onLine(line, place);
    lengthBytes = place.offset + place.lengthBytes;
  }
  return lengthBytes;
}

async function* eachLine(
  handle: FileHandle,
  endBytes: number,
): AsyncGenerator<{ line: string; place: LinePlace }> {
  const chunk = Buffer.alloc(READ_CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let restOffset = 0;
  for (let position = 0; position < endBytes;) {
    const wanted = Math.min(READ_CHUNK_BYTES, endBytes - position);
    const { bytesRead } = await handle.read(chunk, 0, wanted, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      const place = { offset: restOffset + start, lengthBytes: end + 1 - start };
      yield { line: bytes.toString('utf8', start, end), place };
      start = end + 1;
    }
    rest = bytes.subarray(start);
    restOffset += start;
  }
}

/**
 * A new file's name is durable only with its folder; Windows cannot open folders and does not need
 * to.
 */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
