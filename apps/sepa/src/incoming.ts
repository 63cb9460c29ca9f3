import { type BankFile, FILE_BYTES_MAX, readBankFile } from '@sluice/connectors';
import { newTransactionIdInChainOf, type TransactionId } from '@sluice/identifiers';
import { currency } from '@sluice/money';
import { type Clock, type EntityClock, inTransaction, type Logger } from '@sluice/service';
import { createHash } from 'node:crypto';
import { open, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool, PoolClient } from 'pg';
import type { SepaMetrics } from './sepa-metrics.js';
import {
  type BankWord,
  bookingsIn,
  isRepetitionIn,
  type Meaning,
  meaningOf,
  returnsIn,
  type SentOrder,
  statusWordsIn,
  strangersIn,
} from './bank-words.js';
import type { CaseKind, OrderState } from './schema.js';

/** A look takes no longer than this allows: the rest waits for the next one. */
const FILES_PER_LOOK_MAX = 20;
/** In front of the name of a file that was read: two of one name must not take each other's place. */
const HASH_CHARACTERS = 12;
/** Of its own name: with the hash no longer than file systems take, in whatever script it is. */
const NAME_CHARACTERS_MAX = 50;
const TRANSACTION_ID_CHARACTERS = 32;
/** Those of ours; whatever else stands in the field of a bank is not repeated anywhere. */
const REFERENCE = /^[0-9a-f]{32}(?:-[0-9a-z]{1,4})?$/;
const EURO = currency('EUR');

/** The parts it is made of. */
export interface IncomingParts {
  readonly pool: Pool;
  /** With the folders `read` and `refused` in it. */
  readonly folder: string;
  /** Of the machine. */
  readonly machine: Pick<Clock, 'now'>;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly logger: Logger;
  readonly metrics: SepaMetrics;
}

type ReadFile = Exclude<BankFile, { readonly kind: 'refused' }>;
type RefusedFile = Extract<BankFile, { readonly kind: 'refused' }>;

interface OrderRow {
  readonly reference: string;
  readonly state: OrderState;
  readonly operation: string;
  readonly minor: string;
  readonly batch: string;
  readonly entity_id: string;
}

const NOTE = `
  INSERT INTO read_files (sha256, read_at) VALUES ($1, $2) ON CONFLICT (sha256) DO NOTHING`;
const ROWS = 'SELECT reference, state, operation, minor, batch, entity_id FROM orders WHERE';
const OF_FILE = `${ROWS} file = $1 ORDER BY reference FOR UPDATE`;
const OF_REFERENCE = `${ROWS} reference = $1 FOR UPDATE`;
const OF_REFERENCES = `${ROWS} reference = ANY ($1)`;
const MOVE = 'UPDATE orders SET state = $2 WHERE reference = $1';
const TAKE_BACK = `
  UPDATE orders SET state = $2, result_code = $3, chargeback_id = $4 WHERE reference = $1`;
/** The shopper has that money back from the bank already. */
const WITHHOLD = `
  UPDATE orders SET state = 'cancelled'
  WHERE original = $1 AND operation = 'refund' AND state = 'waiting' RETURNING reference`;
const CASE = 'INSERT INTO cases (kind, reference, sha256, opened_at) VALUES ($1, $2, $3, $4)';

/** One file while it is read. */
interface Reading {
  readonly client: PoolClient;
  readonly hash: string;
  /** Counted once what was read is committed. */
  readonly seen: (Meaning['kind'] | CaseKind)[];
}

/**
 * Reads what the bank has sent. Each file counts once, by its bytes; it is moved afterwards, to
 * `read`, or to `refused` with a sentence beside it.
 */
export class Incoming {
  constructor(private readonly parts: IncomingParts) {}

  /** Reads the files that are there. */
  async read(): Promise<void> {
    const { folder } = this.parts;
    const entries = await readdir(folder, { withFileTypes: true });
    // Whoever brings files gives them such a name until they are whole.
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    let unusable: Error | undefined;
    for (const { name } of files.slice(0, FILES_PER_LOOK_MAX)) {
      try {
        await this.#readOne(name);
      } catch (error) {
        if (!isOfFileSystem(error)) throw error;
        // The next file may be readable. What the system says has the name in it, which is the bank's.
        unusable = new Error(
          `A file of the bank cannot be used (${error.syscall}: ${error.code}).`,
        );
      }
    }
    if (unusable !== undefined) throw unusable;
  }

  async #readOne(name: string): Promise<void> {
    const bytes = await bytesOf(join(this.parts.folder, name));
    const file: BankFile =
      bytes === undefined ? { kind: 'refused', reason: 'tooLarge' } : readBankFile(bytes);
    const hash = createHash('sha256')
      .update(bytes ?? name)
      .digest('hex');
    if (file.kind === 'refused') return this.#refuse(name, hash, file);
    const { pool, metrics, logger } = this.parts;
    const reading = { hash, seen: [] };
    const isNew = await inTransaction(pool, (client) => this.#note({ ...reading, client }, file));
    for (const what of reading.seen) metrics.entries(what);
    await this.#move(name, hash, 'read');
    metrics.files(isNew ? 'read' : 'repeated');
    // Not its name, which is the bank's: some put an account into it.
    logger.info({ sha256: hash, kind: file.kind, isNew }, 'A file of the bank was read.');
  }

  /** Records all that a file says, or nothing of one that was read before. */
  async #note(reading: Reading, file: ReadFile): Promise<boolean> {
    const { client, hash } = reading;
    const { rowCount } = await client.query(NOTE, [hash, this.#now()]);
    if (rowCount === 0) return false;
    if (file.kind === 'statusReport') {
      await this.#noteStatuses(reading, file);
      return true;
    }
    for (const { reference = '', word } of returnsIn(file)) {
      const { rows } = await client.query<OrderRow>(OF_REFERENCE, [reference]);
      await this.#apply(reading, rows[0], { reference, word });
    }
    await this.#noteBookings(reading, file);
    return true;
  }

  /** Most are what was asked for, so all are looked up at once. */
  async #noteBookings(
    reading: Reading,
    file: Exclude<ReadFile, { readonly kind: 'statusReport' }>,
  ): Promise<void> {
    const bookings = bookingsIn(file).filter(({ reference }) => REFERENCE.test(reference));
    if (bookings.length === 0) return;
    const references = bookings.map(({ reference }) => reference);
    const { rows } = await reading.client.query<OrderRow>(OF_REFERENCES, [references]);
    const orders = new Map(rows.map((row) => [row.reference, sentOrder(row)]));
    for (const { reference, word } of bookings) {
      const meaning = meaningOf(orders.get(reference), word);
      if (meaning.kind === 'case') await this.#openCase(reading, meaning.what, reference);
    }
  }

  async #noteStatuses(
    reading: Reading,
    file: Extract<ReadFile, { readonly kind: 'statusReport' }>,
  ): Promise<void> {
    const { client } = reading;
    const { rows } = await client.query<OrderRow>(OF_FILE, [file.report.originalMessageId]);
    if (rows.length === 0) return this.#openCase(reading, 'unknownFile', undefined);
    const words = statusWordsIn(file, rows);
    for (const row of rows) {
      const word = words.get(row.reference);
      if (word !== undefined) await this.#apply(reading, row, { reference: row.reference, word });
    }
    if (isRepetitionIn(file, rows)) await this.#openCase(reading, 'repeatedFile', undefined);
    for (const reference of strangersIn(file, rows)) {
      await this.#openCase(reading, 'unknownOrder', reference);
    }
  }

  async #apply(
    reading: Reading,
    row: OrderRow | undefined,
    { reference, word }: { readonly reference: string; readonly word: BankWord },
  ): Promise<void> {
    const { client, seen } = reading;
    const meaning = meaningOf(row && sentOrder(row), word);
    if (meaning.kind === 'case') {
      if (meaning.state !== undefined) await client.query(MOVE, [reference, meaning.state]);
      return this.#openCase(reading, meaning.what, reference);
    }
    seen.push(meaning.kind);
    if (meaning.kind === 'moved') await client.query(MOVE, [reference, meaning.state]);
    if (meaning.kind === 'takenBack') {
      // Drawn and committed once: whoever reports it, and how often, it is one chargeback.
      const paid = reference.slice(0, TRANSACTION_ID_CHARACTERS) as TransactionId;
      const id = newTransactionIdInChainOf(paid, this.parts.clock.now(row?.entity_id ?? ''));
      await client.query(TAKE_BACK, [reference, meaning.state, meaning.resultCode, id]);
      await this.#withholdRefunds(reading, reference);
    }
  }

  /** Those that are in no file yet: the payment says that they were made, so a person is told. */
  async #withholdRefunds(reading: Reading, debit: string): Promise<void> {
    const { rows } = await reading.client.query<Pick<OrderRow, 'reference'>>(WITHHOLD, [debit]);
    for (const { reference } of rows) await this.#openCase(reading, 'refundWithheld', reference);
  }

  async #openCase(
    { client, hash, seen }: Reading,
    kind: CaseKind,
    reference: string | undefined,
  ): Promise<void> {
    const ours = reference !== undefined && REFERENCE.test(reference) ? reference : null;
    await client.query(CASE, [kind, ours, hash, this.#now()]);
    seen.push(kind);
    this.parts.logger.warn(
      { case: kind, reference: ours, sha256: hash },
      'The bank says something that somebody has to look at.',
    );
  }

  async #refuse(name: string, hash: string, refusal: RefusedFile): Promise<void> {
    const { folder, logger, metrics } = this.parts;
    const moved = await this.#move(name, hash, 'refused');
    await writeFile(join(folder, 'refused', `${moved}.txt`), `${sentenceOf(refusal)}\n`, {
      mode: 0o600,
    });
    metrics.files('refused');
    const { reason, at } = refusal;
    logger.error({ sha256: hash, reason, at }, 'A file of the bank is refused.');
  }

  async #move(name: string, hash: string, to: 'read' | 'refused'): Promise<string> {
    const { folder } = this.parts;
    const moved = `${hash.slice(0, HASH_CHARACTERS)}-${name.slice(-NAME_CHARACTERS_MAX)}`;
    await rename(join(folder, name), join(folder, to, moved));
    return moved;
  }

  #now(): Date {
    return new Date(this.parts.machine.now());
  }
}

/** Undefined for one that is too large, of which nothing is read. */
async function bytesOf(path: string): Promise<Buffer | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return size > FILE_BYTES_MAX ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}

interface FileSystemError {
  readonly path: string;
  readonly syscall: string;
  readonly code: string;
}

function isOfFileSystem(error: unknown): error is FileSystemError {
  if (typeof error !== 'object' || error === null) return false;
  return 'path' in error && 'syscall' in error && 'code' in error;
}

function sentOrder({ reference, state, operation, minor }: OrderRow): SentOrder {
  const isDebit = operation === 'debit' || operation === 'capture';
  return { reference, state, isDebit, amount: { minor: BigInt(minor), currency: EURO } };
}

const SENTENCES: Readonly<Record<RefusedFile['reason'], string>> = {
  tooLarge: `It is larger than ${FILE_BYTES_MAX} bytes. Ask the bank for smaller files.`,
  notUtf8: 'It is not in UTF-8.',
  malformed: 'It is no whole XML document: perhaps only a part of it has arrived.',
  documentType: 'It has a document type (DOCTYPE), which no file of a bank has.',
  tooDeep: 'Its elements are nested deeper than any file of a bank.',
  tooManyElements: 'It has more elements than a file of this size can have. Ask for smaller files.',
  missing: 'An element is missing that the format asks for.',
  invalid: 'An amount, a date or a code of it cannot be read.',
  tooLong: 'A text in it is longer than the format allows.',
  unknownMessage: 'It is none of pain.002.001.10, camt.053.001.08 and camt.054.001.08.',
};

function sentenceOf({ reason, at, message }: RefusedFile): string {
  const more = [message && `It is ${message}.`, at && `It is about ${at}.`];
  return [SENTENCES[reason], ...more].filter(Boolean).join(' ');
}
