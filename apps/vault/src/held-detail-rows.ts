import type { Pool } from 'pg';
import type { SealedDetails } from './detail-cipher.js';

/** Rows of one statement: enough to share its cost, small enough to plan and send at once. */
const MEMBERS_MAX = 128;
/**
 * Payments whose details may wait for the database; beyond that the vault answers that it is
 * overloaded.
 */
const QUEUED_MAX = 10_000;

/** Too many callers wait for the vault's database; nothing was kept. */
export class VaultBusyError extends Error {
  constructor() {
    super('The vault is busy.');
    this.name = 'VaultBusyError';
  }
}

interface Waiting<Work> {
  readonly work: Work;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** What is to be written, and for how long. */
interface Unwritten {
  readonly sealed: SealedDetails;
  readonly lifeMs: number;
}

interface NewRow extends Unwritten {
  readonly reference: string;
}

const INSERT = `
  INSERT INTO held_cards (reference, data_key_id, nonce, ciphertext, expires_at)
  SELECT reference, data_key_id, nonce, ciphertext, now() + life * interval '1 millisecond'
  FROM unnest($1::text[], $2::uuid[], $3::bytea[], $4::bytea[], $5::float8[])
    AS card (reference, data_key_id, nonce, ciphertext, life)`;

const DELETE = 'DELETE FROM held_cards WHERE reference = ANY';

const HOLD = { name: 'hold', text: INSERT };
const FORGET = { name: 'forget', text: `${DELETE} ($1::text[])` };
const HOLD_AND_FORGET = {
  name: 'hold-and-forget',
  text: `WITH forgotten AS (${DELETE} ($6::text[])) ${INSERT}`,
};

const SELECT = {
  name: 'reveal',
  text: `SELECT data_key_id, nonce, ciphertext FROM held_cards
         WHERE reference = $1 AND expires_at > now()`,
};

const SWEEP = {
  name: 'sweep',
  text: `DELETE FROM held_cards WHERE reference IN
           (SELECT reference FROM held_cards WHERE expires_at <= now() ORDER BY expires_at
            LIMIT $1)`,
};

/** Settings and listeners of the rows. */
export interface HeldDetailRowsOptions {
  readonly lifetimeMs: number;
  /**
   * Details are in memory only for at least half of this time, and at most all of it, before their
   * row is written. Most payments end sooner, and what was never written need not be deleted. 0:
   * the row is committed before `insert` resolves.
   */
  readonly writeAfterMs: number;
  /** Told of rows that could not be written; they are tried again. */
  readonly onWriteFailed?: (error: unknown) => void;
  /** Told that rows were written, or that none is left to write and the database answers. */
  readonly onWritten?: () => void;
}

/**
 * The encrypted rows. Inserts and deletes of concurrent callers share one statement: while it is
 * under way everything queues, and the next statement takes the whole queue. One statement at a
 * time, so two of them cannot deadlock.
 */
export class HeldDetailRows {
  readonly #pool: Pool;
  readonly #options: HeldDetailRowsOptions;
  /** So far in memory only, in the order of arrival. */
  readonly #unwritten = new Map<string, Unwritten>();
  /** Those of them that were there when the timer was set; the younger ones wait for the next. */
  #due: ReadonlySet<string> = new Set();
  /** Being written in the background, and not forgotten since. */
  readonly #writing = new Set<string>();
  #writeTimer: NodeJS.Timeout | undefined;
  #inserts: Waiting<NewRow>[] = [];
  #deletes: Waiting<string>[] = [];
  #underWay = false;

  constructor(pool: Pool, options: HeldDetailRowsOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /**
   * Resolves when the row is committed or will be, see `writeAfterMs`. Throws `VaultBusyError`, or
   * the database's error.
   * @param lifeMs where it is not that of the settings
   */
  insert(
    reference: string,
    sealed: SealedDetails,
    lifeMs: number = this.#options.lifetimeMs,
  ): Promise<void> {
    if (this.#options.writeAfterMs === 0)
      return this.#enqueue(this.#inserts, { reference, sealed, lifeMs });
    if (this.#unwritten.size >= QUEUED_MAX) return Promise.reject(new VaultBusyError());
    this.#unwritten.set(reference, { sealed, lifeMs });
    this.#writeLater();
    return Promise.resolve();
  }

  /** The same, and the row is committed when it resolves. */
  insertNow(reference: string, sealed: SealedDetails): Promise<void> {
    return this.#enqueue(this.#inserts, { reference, sealed, lifeMs: this.#options.lifetimeMs });
  }

  /** Resolves when the row is gone; it is no error if there was none. */
  delete(reference: string): Promise<void> {
    if (this.#unwritten.delete(reference)) return Promise.resolve();
    this.#writing.delete(reference);
    // Insert and delete of one row must not share a statement: neither would see the other.
    const queued = this.#inserts.findIndex(({ work }) => work.reference === reference);
    if (queued >= 0) {
      for (const { done } of this.#inserts.splice(queued, 1)) done();
      return Promise.resolve();
    }
    return this.#enqueue(this.#deletes, reference);
  }

  /** Its details are not needed any more: true if it was not written, and now never will be. */
  leaveUnwritten(reference: string): boolean {
    return this.#unwritten.delete(reference);
  }

  /** Writes what is only in memory, so that another instance can continue after this one stops. */
  async writeNow(): Promise<void> {
    clearTimeout(this.#writeTimer);
    this.#writeTimer = undefined;
    await this.#writeAll([...this.#unwritten]);
  }

  async #writeAll(cards: readonly (readonly [string, Unwritten])[]): Promise<void> {
    const writes = cards.map(async ([reference, unwritten]) => {
      this.#unwritten.delete(reference);
      this.#writing.add(reference);
      try {
        await this.#enqueue(this.#inserts, { reference, ...unwritten });
      } catch (error) {
        if (this.#writing.has(reference)) this.#unwritten.set(reference, unwritten);
        throw error;
      } finally {
        this.#writing.delete(reference);
      }
    });
    const failed = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    if (cards.length > 0) this.#options.onWritten?.();
  }

  /** Details are written at the second tick after they came, so that very young ones are not. */
  #writeLater(): void {
    this.#writeTimer ??= setTimeout(() => {
      this.#writeTimer = undefined;
      const due = [...this.#unwritten].filter(([reference]) => this.#due.has(reference));
      this.#writeAll(due).catch((error: unknown) => {
        this.#options.onWriteFailed?.(error);
        this.#writeLater();
      });
      this.#due = new Set(this.#unwritten.keys());
      if (this.#due.size > 0) this.#writeLater();
    }, this.#options.writeAfterMs / 2).unref();
  }

  /** The row, unless it has expired by the database's clock. */
  async select(reference: string): Promise<SealedDetails | undefined> {
    const { rows } = await this.#pool.query<{
      data_key_id: string;
      nonce: Buffer;
      ciphertext: Buffer;
    }>({ ...SELECT, values: [reference] });
    const [row] = rows;
    return row && { dataKeyId: row.data_key_id, nonce: row.nonce, ciphertext: row.ciphertext };
  }

  /** Deletes at most `limit` expired rows and returns how many. */
  async sweepExpired(limit: number): Promise<number> {
    const { rowCount } = await this.#pool.query({ ...SWEEP, values: [limit] });
    // Most details are forgotten before they are due: after an outage there may be none to write.
    if (this.#unwritten.size + this.#writing.size === 0) this.#options.onWritten?.();
    return rowCount ?? 0;
  }

  #enqueue<Work>(queue: Waiting<Work>[], work: Work): Promise<void> {
    if (this.#inserts.length + this.#deletes.length >= QUEUED_MAX) {
      return Promise.reject(new VaultBusyError());
    }
    return new Promise((done, failed) => {
      queue.push({ work, done, failed });
      if (!this.#underWay) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#underWay = true;
    while (this.#inserts.length + this.#deletes.length > 0) {
      const inserts = this.#inserts.splice(0, MEMBERS_MAX);
      const deletes = this.#deletes.splice(0, MEMBERS_MAX);
      const members = [...inserts, ...deletes];
      try {
        await this.#write(inserts, deletes);
        for (const { done } of members) done();
      } catch (error) {
        for (const { failed } of members) failed(error);
      }
    }
    this.#underWay = false;
  }

  async #write(
    inserts: readonly Waiting<NewRow>[],
    deletes: readonly Waiting<string>[],
  ): Promise<void> {
    const forgotten = deletes.map(({ work }) => work);
    if (inserts.length === 0) {
      await this.#pool.query({ ...FORGET, values: [forgotten] });
      return;
    }
    const rows = [
      inserts.map(({ work }) => work.reference),
      inserts.map(({ work }) => work.sealed.dataKeyId),
      inserts.map(({ work }) => work.sealed.nonce),
      inserts.map(({ work }) => work.sealed.ciphertext),
      inserts.map(({ work }) => work.lifeMs),
    ];
    await this.#pool.query(
      forgotten.length === 0
        ? { ...HOLD, values: rows }
        : { ...HOLD_AND_FORGET, values: [...rows, forgotten] },
    );
  }
}
