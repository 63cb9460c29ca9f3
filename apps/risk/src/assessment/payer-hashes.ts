import type { Mark } from '@sluice/domain-risk';
import type { KeyProvider } from '@sluice/service';
import { createHmac, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';

const KEY_BYTES = 32;
/** Twelve letters: two of a hundred million values are the same once in a million installations. */
const MARK_BYTES = 9;
/** What the wrapped key is bound to. */
const PURPOSE = 'payer hashes';
const FIND = 'SELECT wrapped FROM hash_keys WHERE id = 1';
/** Whoever is second takes the first one's. */
const KEEP = 'INSERT INTO hash_keys (id, wrapped) VALUES (1, $1) ON CONFLICT (id) DO NOTHING';

/** Numbers in the place of names: by a key that is in the database only as it is wrapped. */
export class PayerHashes {
  #key: Buffer | undefined;

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly keys: KeyProvider,
  ) {}

  /** Reads the key, or makes it. */
  async open(): Promise<void> {
    const wrapped = (await this.#find()) ?? (await this.#make());
    this.#key = await this.keys.unwrap(wrapped, PURPOSE);
  }

  /** The same number for the same text, for as long as the installation lives. */
  of(text: string): bigint {
    return this.#digest(text).readBigInt64BE(0);
  }

  /** The same short text for the same value; what is kept of a payment has it in the place of persons. */
  readonly mark: Mark = (of, value) => {
    // The word keeps it apart from what `of` is asked for, which begins with a node.
    const digest = this.#digest(`mark ${of} ${value}`);
    return digest.subarray(0, MARK_BYTES).toString('base64url');
  };

  #digest(text: string): Buffer {
    if (this.#key === undefined) throw new Error('Payers cannot be told apart yet.');
    return createHmac('sha256', this.#key).update(text).digest();
  }

  async #find(): Promise<Buffer | undefined> {
    return (await this.pool.query<{ wrapped: Buffer }>(FIND)).rows[0]?.wrapped;
  }

  async #make(): Promise<Buffer> {
    const { wrapped } = await this.keys.wrap(randomBytes(KEY_BYTES), PURPOSE);
    await this.pool.query(KEEP, [wrapped]);
    return (await this.#find()) ?? wrapped;
  }
}
