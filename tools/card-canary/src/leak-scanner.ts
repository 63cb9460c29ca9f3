import { open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { CanaryCard } from './canary-cards.js';
import { encodedCodePatterns, MarkedCodeFinder } from './code-contexts.js';
import { decodeText } from './decoded-text.js';
import { DigitReader } from './digit-reader.js';
import { fixedForms } from './leak-forms.js';
import { PatternFinder } from './pattern-finder.js';
import { codeWords } from './text-words.js';

const CHUNK_BYTES = 256 * 1024;
const ZEROS = Buffer.alloc(CHUNK_BYTES);
/** `%252534` and the like; deeper nesting than this is not looked for. */
const ESCAPE_LEVELS_MAX = 3;
/** More than the longest form of a number, so that none is cut by the edge of a chunk. */
const OVERLAP_BYTES = 512;
const EXCERPT_BYTES = 48;

/** Card data where it must not be. */
export interface Leak {
  /** A file below the scanned folder, or what the caller called the bytes. */
  readonly place: string;
  /** Byte offset in that place. */
  readonly offset: number;
  readonly what: 'number' | 'securityCode';
  /** How it was written there. */
  readonly form: string;
  /** The number or code itself: a canary's, so it may be shown. */
  readonly value: string;
  /** What stands around it, unprintable bytes as dots. */
  readonly excerpt: string;
}

/** A leak as a person reads it. */
export function sentenceOf({ place, what, form, value, excerpt }: Leak): string {
  return `${place}: ${what} ${value} (${form}): ${excerpt}`;
}

/** What to look for. */
export interface Canaries {
  readonly cards: readonly CanaryCard[];
  /** Digit strings of at least twelve digits that are searched like card numbers. */
  readonly longSecrets?: readonly string[];
}

/** What was looked at, for the report. */
export interface ScanResult {
  readonly leaks: readonly Leak[];
  readonly files: number;
  readonly bytes: number;
}

/**
 * Finds canary cards in bytes, texts and folders (S-PCI-02). Numbers are found in every form of
 * leak-forms.ts; what can be proven about security codes stands in code-contexts.ts. Not found:
 * data that is compressed as a whole (gzip, TOAST with matches: dump the tables and scan the
 * text), encrypted, or cut by something longer than three bytes between two digits.
 */
export class LeakScanner {
  readonly #numbers: readonly string[];
  readonly #codes: readonly string[];
  readonly #codeWords: ReadonlySet<string>;
  readonly #digits: DigitReader;
  readonly #patterns: PatternFinder;
  readonly #markedCodes: MarkedCodeFinder;

  constructor({ cards, longSecrets = [] }: Canaries) {
    this.#numbers = [...cards.map((card) => card.number), ...longSecrets];
    this.#codes = [...new Set(cards.map((card) => card.securityCode))];
    this.#codeWords = new Set(this.#codes.filter((code) => code.length === 4));
    this.#digits = new DigitReader(this.#numbers);
    this.#patterns = new PatternFinder([
      ...this.#numbers.flatMap((number, index) =>
        fixedForms.map(({ name, encode }) => ({ bytes: encode(number), label: name, index })),
      ),
      ...encodedCodePatterns(this.#codes),
    ]);
    this.#markedCodes = new MarkedCodeFinder(this.#codes);
  }

  /** All leaks in the bytes; offsets count from `baseOffset`. */
  scanBytes(bytes: Buffer, place: string, baseOffset = 0): Leak[] {
    const leaks = new Map<string, Leak>();
    const add = (what: Leak['what'], value: string, form: string, start: number): void => {
      const key = `${what} ${value} ${String(start)}`;
      if (leaks.has(key)) return;
      const excerpt = excerptOf(bytes, start);
      leaks.set(key, { place, offset: baseOffset + start, what, form, value, excerpt });
    };
    // Preallocated WAL and fresh pages: most of a small database.
    if (bytes.equals(ZEROS.subarray(0, bytes.length))) return [];
    const number = (index: number): string => this.#numbers[index] ?? '';
    this.#digits.read(bytes, (index, start, _end, form) => {
      add('number', number(index), form, start);
    });
    this.#patterns.find(bytes, ({ label, index }, start) => {
      const isCode = label.startsWith('security code');
      const value = isCode ? (this.#codes[index] ?? '') : number(index);
      add(isCode ? 'securityCode' : 'number', value, label, start);
    });
    this.#markedCodes.find(bytes, (code, start) => {
      add('securityCode', code, 'beside its name', start);
    });
    let placeOf = (at: number): number => at;
    let decoded = decodeText(bytes);
    for (let level = 1; level <= ESCAPE_LEVELS_MAX; level++) {
      if (decoded.bytes.length === bytes.length) break;
      const { origins } = decoded;
      const outer = placeOf;
      placeOf = (at) => outer(origins[at] ?? 0);
      this.#digits.read(decoded.bytes, (index, start, _end, form) => {
        add('number', number(index), `encoded ${form}`, placeOf(start));
      });
      this.#markedCodes.find(decoded.bytes, (code, start) => {
        add('securityCode', code, 'beside its name, encoded', placeOf(start));
      });
      if (!decoded.isNested) break;
      decoded = decodeText(decoded.bytes);
    }
    return [...leaks.values()];
  }

  /** As scanBytes, and four-digit codes that are words of their own: for logs and output. */
  scanLog(text: string, place: string): Leak[] {
    const bytes = Buffer.from(text, 'utf8');
    const words = codeWords(text, this.#codeWords).map(({ code, at }): Leak => {
      const offset = Buffer.byteLength(text.slice(0, at));
      const excerpt = excerptOf(bytes, offset);
      return { place, offset, what: 'securityCode', form: 'a word', value: code, excerpt };
    });
    return [...this.scanBytes(bytes, place), ...words];
  }

  /** All leaks in one file, its name included, read in chunks that overlap. */
  async scanFile(path: string, place: string): Promise<ScanResult> {
    const leaks = this.scanBytes(Buffer.from(place), `the name of ${place}`);
    const file = await open(path, 'r');
    let offset = 0;
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      let kept = 0;
      for (;;) {
        const { bytesRead } = await file.read(buffer, kept, CHUNK_BYTES - kept, offset);
        if (bytesRead === 0) break;
        const filled = kept + bytesRead;
        const base = offset - kept;
        for (const leak of this.scanBytes(buffer.subarray(0, filled), place, base)) {
          if (!leaks.some((known) => isSamePlace(known, leak))) leaks.push(leak);
        }
        offset += bytesRead;
        kept = Math.min(OVERLAP_BYTES, filled);
        buffer.copyWithin(0, filled - kept, filled);
      }
    } finally {
      await file.close();
    }
    return { leaks, files: 1, bytes: offset };
  }

  /** All leaks in all files below a folder; a file that vanishes meanwhile is no error. */
  async scanFolder(folder: string): Promise<ScanResult> {
    const leaks: Leak[] = [];
    let files = 0;
    let bytes = 0;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const result = await this.scanFile(path, relative(folder, path)).catch(noFileNoLeak);
      leaks.push(...result.leaks);
      files += result.files;
      bytes += result.bytes;
    }
    return { leaks, files, bytes };
  }
}

function isSamePlace(one: Leak, other: Leak): boolean {
  return one.offset === other.offset && one.what === other.what && one.value === other.value;
}

function noFileNoLeak(error: NodeJS.ErrnoException): ScanResult {
  if (error.code === 'ENOENT') return { leaks: [], files: 0, bytes: 0 };
  throw error;
}

function excerptOf(bytes: Buffer, start: number): string {
  return bytes
    .toString('latin1', Math.max(0, start - EXCERPT_BYTES), start + EXCERPT_BYTES)
    .replace(/[^ -~]/g, '.');
}
