import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { random } from '@sluice/identifiers';
import {
  type KeyProvider,
  type WrappedKey,
  WrappedKeyBroken,
  WrappingKeyRetired,
} from './key-provider.js';
import { makeWholeFile } from './whole-file.js';

/** How a key file is used. */
export interface FileKeyOptions {
  /** Makes a file with one random key if there is none: in the sandbox only. */
  readonly createIfAbsent?: boolean;
  /** How often the file is checked; 0 = only when `reload` is called. */
  readonly pollIntervalMs?: number;
  /** Called when a changed file cannot be used; the keys read before stay in use. */
  readonly onProblem?: (error: Error) => void;
}

/** The key file is missing or malformed; the message is a sentence and names no key. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

interface KeyRing {
  readonly current: string;
  readonly keys: ReadonlyMap<string, KeyObject>;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const POLL_INTERVAL_MS = 1_000;
/** Every wrapped key contains its version, after a byte with the version's length. */
const VERSION = /^[A-Za-z0-9._-]{1,32}$/;
/** A rotation keeps a few old versions; this many is a mistake. */
const VERSIONS_MAX = 100;
/** What others may do with the file. */
const OTHERS_MODE = 0o007;

/**
 * Wrapping keys from a JSON file: `{"current": "2", "keys": {"1": "<base64>", "2": "<base64>"}}`,
 * each key 32 random bytes. Add a version and make it current: it wraps from the next check of the
 * file on. Remove an old one when nothing is wrapped under it: it is retired.
 */
export class FileKeyProvider implements KeyProvider {
  readonly #path: string;
  readonly #onProblem: (error: Error) => void;
  #ring: KeyRing;
  #stamp: string;
  #timer: NodeJS.Timeout | undefined;

  private constructor(path: string, ring: KeyRing, stamp: string, options: FileKeyOptions) {
    this.#path = path;
    this.#ring = ring;
    this.#stamp = stamp;
    this.#onProblem = options.onProblem ?? (() => undefined);
    const intervalMs = options.pollIntervalMs ?? POLL_INTERVAL_MS;
    // Checked periodically: mounted secrets are swapped by a link, which file watchers miss.
    if (intervalMs > 0) {
      this.#timer = setInterval(() => void this.reload(), intervalMs).unref();
    }
  }

  /** Reads the file. Throws KeyFileError. */
  static async open(path: string, options: FileKeyOptions = {}): Promise<FileKeyProvider> {
    if (options.createIfAbsent === true) await createKeyFile(path);
    const stamp = await stampOf(path);
    return new FileKeyProvider(path, await readKeyRing(path), stamp, options);
  }

  /** Checks the file now; does nothing if it is unchanged. */
  async reload(): Promise<void> {
    try {
      const stamp = await stampOf(this.#path);
      if (stamp === this.#stamp) return;
      this.#ring = await readKeyRing(this.#path);
      this.#stamp = stamp;
    } catch (error) {
      this.#onProblem(error as Error);
    }
  }

  /** Stops checking the file. */
  close(): void {
    clearInterval(this.#timer);
  }

  currentVersion(): string {
    return this.#ring.current;
  }

  hasVersion(version: string): boolean {
    return this.#ring.keys.has(version);
  }

  wrap(key: Buffer, context: string): Promise<WrappedKey> {
    const { current, keys } = this.#ring;
    const wrappingKey = keys.get(current);
    if (wrappingKey === undefined) return Promise.reject(new WrappingKeyRetired(current));
    const nonce = random(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, wrappingKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(current, context));
    const body = cipher.update(key);
    cipher.final();
    const name = Buffer.from(current);
    const head = Buffer.from([name.length]);
    const wrapped = Buffer.concat([head, name, nonce, body, cipher.getAuthTag()]);
    return Promise.resolve({ version: current, wrapped });
  }

  unwrap(wrapped: Buffer, context: string): Promise<Buffer> {
    return new Promise((resolve) => {
      resolve(this.#open(wrapped, context));
    });
  }

  #open(wrapped: Buffer, context: string): Buffer {
    const nonceStart = 1 + (wrapped[0] ?? 0);
    const bodyStart = nonceStart + NONCE_BYTES;
    const bodyEnd = wrapped.length - TAG_BYTES;
    if (bodyEnd < bodyStart) throw new WrappedKeyBroken();
    const version = wrapped.toString('utf8', 1, nonceStart);
    if (!VERSION.test(version)) throw new WrappedKeyBroken();
    const wrappingKey = this.#ring.keys.get(version);
    if (wrappingKey === undefined) throw new WrappingKeyRetired(version);
    const nonce = wrapped.subarray(nonceStart, bodyStart);
    const decipher = createDecipheriv(CIPHER, wrappingKey, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(version, context));
    decipher.setAuthTag(wrapped.subarray(bodyEnd));
    const key = decipher.update(wrapped.subarray(bodyStart, bodyEnd));
    try {
      decipher.final();
      return key;
    } catch {
      key.fill(0);
      throw new WrappedKeyBroken();
    }
  }
}

function boundTo(version: string, context: string): Buffer {
  return Buffer.from(`wrapped-key|${version}|${context}`);
}

async function createKeyFile(path: string): Promise<void> {
  const ring = { current: '1', keys: { '1': randomBytes(KEY_BYTES).toString('base64') } };
  await makeWholeFile(path, `${JSON.stringify(ring, null, 2)}\n`);
}

async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => {
    throw new KeyFileError(
      `The key file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`,
    );
  });
  if (process.platform !== 'win32' && (found.mode & OTHERS_MODE) !== 0) {
    throw new KeyFileError(`The key file ${path} may be read by everybody; give it mode 0600.`);
  }
  return `${found.ino} ${found.mtimeMs} ${found.size}`;
}

async function readKeyRing(path: string): Promise<KeyRing> {
  const refuse = (reason: string): never => {
    throw new KeyFileError(`The key file ${path} ${reason}.`);
  };
  const text = await readFile(path, 'utf8');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    refuse('is not JSON');
  }
  const { current, keys } = (content ?? {}) as { current?: unknown; keys?: unknown };
  if (typeof keys !== 'object' || keys === null || Array.isArray(keys)) refuse('has no "keys"');
  const entries = Object.entries(keys as Record<string, unknown>);
  if (entries.length > VERSIONS_MAX) refuse(`has more than ${VERSIONS_MAX} keys`);
  const ring = new Map<string, KeyObject>();
  for (const [version, encoded] of entries) {
    const bytes = Buffer.from(typeof encoded === 'string' ? encoded : '', 'base64');
    if (!VERSION.test(version) || bytes.length !== KEY_BYTES) {
      refuse('has a version that is not 32 bytes in base64 under a short plain name');
    }
    ring.set(version, createSecretKey(bytes));
    bytes.fill(0);
  }
  if (typeof current !== 'string' || !ring.has(current)) {
    return refuse('names no key of its own as "current"');
  }
  return { current, keys: ring };
}
