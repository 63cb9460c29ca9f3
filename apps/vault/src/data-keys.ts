import type { Clock, KeyProvider } from '@sluice/service';
import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { DataKey } from './detail-cipher.js';

/** AES-256. */
const KEY_BYTES = 32;
/** Unwrapped keys kept in memory; the oldest beyond it are read and unwrapped again. */
const UNWRAPPED_KEYS_MAX = 1_000;
/** Keys wrapped anew per statement while the wrapping key is rotated. */
const REWRAP_BATCH = 100;
/**
 * A data key is kept this much longer than its last details: they may be encrypted at the end of
 * its slice and written a while later. Then it is erased, which makes everything it encrypted
 * unreadable, in the database's files and backups too.
 */
const ERASE_MARGIN_MS = 60 * 60 * 1_000;

/** How long and how often one data key encrypts. */
export interface DataKeyLimits {
  /** A new key at least this often, in milliseconds. */
  readonly sliceMs: number;
  /** Encryptions per key (S-KEY-02: never more than 2^32 with random nonces). */
  readonly usesMax: number;
  /** How long details are held, in milliseconds; a key is kept that long after its slice. */
  readonly cardLifetimeMs: number;
}

/** What one run over all keys did. */
export interface RewrapResult {
  readonly rewrapped: number;
  /** Wrapped under a version that is no longer in the key ring. */
  readonly unreadable: number;
}

interface CurrentKey extends DataKey {
  readonly wrappingVersion: string;
  readonly encryptUntilMs: number;
  uses: number;
}

interface KeyRow {
  readonly data_key_id: string;
  readonly wrapping_key_version: string;
  readonly wrapped: Buffer;
}

/**
 * The keys that encrypt details, each wrapped by the key provider's current key (envelope
 * encryption). Each instance makes its own keys, so it can count their uses alone.
 */
export class DataKeys {
  readonly #pool: Pool;
  readonly #provider: KeyProvider;
  readonly #clock: Clock;
  readonly #limits: DataKeyLimits;
  readonly #unwrapped = new Map<string, KeyObject>();
  #current: CurrentKey | undefined;
  #making: Promise<CurrentKey> | undefined;

  constructor(pool: Pool, provider: KeyProvider, clock: Clock, limits: DataKeyLimits) {
    this.#pool = pool;
    this.#provider = provider;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** A key to encrypt the details of one payment with; counts as one use. */
  async forEncryption(): Promise<DataKey> {
    for (;;) {
      const current = this.#current;
      if (current && this.#mayEncrypt(current)) {
        current.uses += 1;
        return current;
      }
      this.#making ??= this.#make().finally(() => (this.#making = undefined));
      await this.#making;
    }
  }

  /**
   * The key of a row, or undefined when it was erased. Throws `WrappingKeyRetired` when its wrapping
   * key is no longer there.
   */
  async forDecryption(dataKeyId: string): Promise<KeyObject | undefined> {
    const known = this.#unwrapped.get(dataKeyId);
    if (known) return known;
    const { rows } = await this.#pool.query<KeyRow>({
      name: 'data-key',
      text: `SELECT data_key_id, wrapping_key_version, wrapped FROM data_keys
             WHERE data_key_id = $1`,
      values: [dataKeyId],
    });
    const [row] = rows;
    if (!row) return undefined;
    const clear = await this.#provider.unwrap(row.wrapped, contextOf(row.data_key_id));
    return this.#keep(row.data_key_id, keyOf(clear));
  }

  /**
   * Wraps every key under the current version that is not yet. Each key is one guarded update, so
   * this can stop anywhere, continue later, and run on several instances. Keys of a retired version
   * stay as they are and are counted.
   */
  async rewrap(): Promise<RewrapResult> {
    const current = this.#provider.currentVersion();
    let after = '00000000-0000-0000-0000-000000000000';
    const result = { rewrapped: 0, unreadable: 0 };
    for (;;) {
      const { rows } = await this.#pool.query<KeyRow>(
        `SELECT data_key_id, wrapping_key_version, wrapped FROM data_keys
         WHERE wrapping_key_version <> $1 AND data_key_id > $2 ORDER BY data_key_id LIMIT $3`,
        [current, after, REWRAP_BATCH],
      );
      for (const row of rows) {
        if (!this.#provider.hasVersion(row.wrapping_key_version)) result.unreadable += 1;
        else if (await this.#rewrapOne(row)) result.rewrapped += 1;
      }
      const last = rows.at(-1);
      if (!last) return result;
      after = last.data_key_id;
    }
  }

  /**
   * Erases the keys that no details need any more, and saves how often the current one was used.
   */
  async sweep(): Promise<void> {
    await this.#noteUses();
    const { rows } = await this.#pool.query<{ data_key_id: string }>(
      'DELETE FROM data_keys WHERE erase_after <= now() RETURNING data_key_id',
    );
    for (const row of rows) this.#unwrapped.delete(row.data_key_id);
  }

  #mayEncrypt(key: CurrentKey): boolean {
    return (
      key.uses < this.#limits.usesMax &&
      this.#clock.monotonicMs() < key.encryptUntilMs &&
      key.wrappingVersion === this.#provider.currentVersion()
    );
  }

  async #make(): Promise<CurrentKey> {
    await this.#noteUses();
    const { sliceMs, cardLifetimeMs } = this.#limits;
    const id = randomUUID();
    const encryptUntilMs = this.#clock.monotonicMs() + sliceMs;
    const clear = randomBytes(KEY_BYTES);
    const { version, wrapped } = await this.#provider.wrap(clear, contextOf(id));
    await this.#pool.query(
      `INSERT INTO data_keys (data_key_id, wrapping_key_version, wrapped, erase_after)
       VALUES ($1, $2, $3, now() + $4::float8 * interval '1 millisecond')`,
      [id, version, wrapped, sliceMs + cardLifetimeMs + ERASE_MARGIN_MS],
    );
    const dataKey = { id, key: keyOf(clear), wrappingVersion: version, encryptUntilMs, uses: 0 };
    this.#keep(dataKey.id, dataKey.key);
    this.#current = dataKey;
    return dataKey;
  }

  async #rewrapOne(row: KeyRow): Promise<boolean> {
    const context = contextOf(row.data_key_id);
    const clear = await this.#provider.unwrap(row.wrapped, context);
    const { version, wrapped } = await this.#provider.wrap(clear, context);
    clear.fill(0);
    const { rowCount } = await this.#pool.query(
      `UPDATE data_keys SET wrapping_key_version = $3, wrapped = $4
       WHERE data_key_id = $1 AND wrapping_key_version = $2`,
      [row.data_key_id, row.wrapping_key_version, version, wrapped],
    );
    return rowCount === 1;
  }

  async #noteUses(): Promise<void> {
    if (!this.#current) return;
    const { id, uses } = this.#current;
    await this.#pool.query('UPDATE data_keys SET uses = $2 WHERE data_key_id = $1', [id, uses]);
  }

  #keep(dataKeyId: string, key: KeyObject): KeyObject {
    this.#unwrapped.set(dataKeyId, key);
    if (this.#unwrapped.size > UNWRAPPED_KEYS_MAX) {
      const [oldest] = this.#unwrapped.keys();
      if (oldest !== undefined) this.#unwrapped.delete(oldest);
    }
    return key;
  }
}

/** What a wrapped key is bound to: its own row. */
function contextOf(dataKeyId: string): string {
  return `vault-data-key|${dataKeyId}`;
}

/** Takes the bytes into the key and overwrites them. */
function keyOf(clear: Buffer): KeyObject {
  const key = createSecretKey(clear);
  clear.fill(0);
  return key;
}
