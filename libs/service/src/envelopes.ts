import { random } from '@sluice/identifiers';
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Clock } from './clock.js';
import { type KeyProvider, WrappingKeyRetired } from './key-provider.js';
import { openText, sealText } from './sealed-text.js';

const KEY_BYTES = 32;
/** The receiver unwraps once per hour and sender; a stolen data key opens an hour of one sender. */
const KEY_LIFE_MS = 60 * 60 * 1_000;
/** Twice as many as 32 senders use when the hour changes. */
const OPENED_KEYS_MAX = 128;
/** Both sides name the same purpose, so that no other wrapped key opens an envelope. */
const CONTEXT = 'envelope';

/** A sealed text and the key that opens it, wrapped; both base64. */
export interface Envelope {
  readonly key: string;
  readonly block: string;
}

/** An envelope that nobody can open: altered, of another context, or malformed. */
export class EnvelopeBroken extends Error {
  override readonly name = 'EnvelopeBroken';

  constructor() {
    super('A sealed text was altered or belongs elsewhere.');
  }
}

interface DataKey {
  readonly key: KeyObject;
  readonly wrapped: string;
}

/**
 * Seals texts that another service opens: under a data key of this process, which goes with them.
 */
export class EnvelopeSealer {
  #dataKey: Promise<DataKey> | undefined;
  #version: string | undefined;
  #endsAtMs = 0;

  constructor(
    private readonly keys: KeyProvider,
    private readonly clock: Clock,
  ) {}

  /** Throws what the key provider throws; that is asked only once an hour. */
  async seal(context: string, text: string): Promise<Envelope> {
    const { key, wrapped } = await this.#current();
    return { key: wrapped, block: sealText(key, context, text) };
  }

  /** A rotated wrapping key is used at once, even before the hour is over. */
  #current(): Promise<DataKey> {
    const version = this.keys.currentVersion();
    const nowMs = this.clock.monotonicMs();
    const isGood = version === this.#version && nowMs < this.#endsAtMs;
    if (isGood && this.#dataKey !== undefined) return this.#dataKey;
    const made = newDataKey(this.keys);
    this.#dataKey = made;
    this.#version = version;
    this.#endsAtMs = nowMs + KEY_LIFE_MS;
    made.catch(() => {
      if (this.#dataKey === made) this.#dataKey = undefined;
    });
    return made;
  }
}

/** Opens what a sealer of any process has sealed. */
export class EnvelopeOpener {
  /** By their wrapped form, the latest last. */
  readonly #opened = new Map<string, Promise<KeyObject>>();

  constructor(private readonly keys: KeyProvider) {}

  /**
   * @throws EnvelopeBroken; WrappingKeyRetired, possibly for a version that this process does not
   * have yet
   */
  async open(context: string, envelope: Envelope): Promise<string> {
    try {
      const { key: wrapped, block } = envelope;
      return openText(await this.#keyOf(wrapped), context, block);
    } catch (error) {
      if (error instanceof WrappingKeyRetired) throw error;
      throw new EnvelopeBroken();
    }
  }

  #keyOf(wrapped: string): Promise<KeyObject> {
    const known = this.#opened.get(wrapped);
    if (known !== undefined) return known;
    const unwrapped = unwrapDataKey(this.keys, wrapped);
    this.#opened.set(wrapped, unwrapped);
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > OPENED_KEYS_MAX && oldest !== undefined) this.#opened.delete(oldest);
    unwrapped.catch(() => this.#opened.delete(wrapped));
    return unwrapped;
  }
}

async function newDataKey(keys: KeyProvider): Promise<DataKey> {
  const clear = random(KEY_BYTES);
  const { wrapped } = await keys.wrap(clear, CONTEXT);
  const key = createSecretKey(clear);
  clear.fill(0);
  return { key, wrapped: wrapped.toString('base64') };
}

async function unwrapDataKey(keys: KeyProvider, wrapped: string): Promise<KeyObject> {
  const clear = await keys.unwrap(Buffer.from(wrapped, 'base64'), CONTEXT);
  const key = createSecretKey(clear);
  clear.fill(0);
  return key;
}
