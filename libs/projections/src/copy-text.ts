/** What COPY writes for no value. */
const NULL = String.raw`\N`;
const LINE_END = 0x0a;

const ESCAPED = /[\\\t\n\r]/;
const ALL_ESCAPED = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
};

const ESCAPE = /\\(.)/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** One line of COPY's text format, with its end. */
export function copyLine(values: readonly (string | null | undefined)[]): string {
  const fields: string[] = [];
  for (const value of values) {
    if (value === null || value === undefined) fields.push(NULL);
    else fields.push(ESCAPED.test(value) ? escaped(value) : value);
  }
  return `${fields.join('\t')}\n`;
}

/** Bytes that are passed to the socket at once. */
const BUFFER_BYTES = 256 * 1024;
const BYTES_PER_UNIT_MAX = 3;

/**
 * Lines as bytes. They are encoded one by one as they come, because collected text would be copied
 * by each garbage collection until it is sent.
 */
export class CopyBuffer {
  #buffer: Buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;
  readonly #full: Buffer[] = [];

  /** Adds a line. */
  add(line: string): void {
    if (this.#used + line.length * BYTES_PER_UNIT_MAX > this.#buffer.length) {
      this.#turn(line.length * BYTES_PER_UNIT_MAX);
    }
    this.#used += this.#buffer.write(line, this.#used);
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

  #turn(bytesNeeded: number): void {
    this.#full.push(this.#buffer.subarray(0, this.#used));
    this.#buffer = Buffer.allocUnsafe(Math.max(BUFFER_BYTES, bytesNeeded));
    this.#used = 0;
  }
}

function escaped(value: string): string {
  return value.replace(ALL_ESCAPED, (character) => ESCAPES[character] ?? character);
}

/** A field of COPY's text format as its value. */
export function copyValue(field: string): string | null {
  if (!field.includes('\\')) return field;
  if (field === NULL) return null;
  return field.replace(ESCAPE, (_, character: string) => CHARACTERS[character] ?? character);
}

/** Cuts what COPY sends into lines; chunks may end anywhere, also within a character. */
export class CopyLines {
  #rest: Buffer = Buffer.alloc(0);

  /** Takes a chunk and gives each whole line, without its end, to `onLine`. */
  push(chunk: Buffer, onLine: (line: string) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.lastIndexOf(LINE_END) + 1;
    this.#rest = bytes.subarray(end);
    const text = bytes.toString('utf8', 0, end);
    for (let start = 0; start < text.length;) {
      const next = text.indexOf('\n', start);
      onLine(text.slice(start, next));
      start = next + 1;
    }
  }
}
