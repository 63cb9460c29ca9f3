import type { Clock } from '@sluice/service';
import { type CardChecks, checksOf } from './card-checks.js';
import { BookFile, type LinePlace } from './book-file.js';
import { type Decision, decide, type OriginalState, successCode } from './decision.js';
import type { TransactionRequest } from './transaction-request.js';

/**
 * Transactions one book holds. The index keeps about 200 bytes of memory for each, so that a full
 * book costs about 200 MB; a simulator that needs more is given a new file.
 */
export const BOOK_TRANSACTIONS_MAX = 1_000_000;

/** How the acquirer behaves. */
export interface BookSettings {
  readonly path: string;
  /** How long a forced pending takes to become approved (D-48). */
  readonly pendingMs: number;
}

/** A transaction as the book shows it now. */
export interface BookedTransaction {
  /** The acquirer's own id, unique in the book. */
  readonly transactionId: string;
  readonly reference: string;
  readonly status: 'approved' | 'declined' | 'pending' | 'reversed';
  readonly resultCode: string;
  readonly operation: string;
  readonly amount: string;
  readonly currency: string;
  readonly originalReference?: string;
  readonly mode: 'INTERNAL' | 'EXTERNAL';
  readonly bin?: string;
  readonly last4?: string;
  /** What the issuer found about the address: A, Z, N, U, F. */
  readonly avs?: string;
  /** What it found about the security code: M, N, P, S, U. */
  readonly cvv?: string;
  readonly bookedAtMs: number;
  readonly reversedAtMs?: number;
}

/** The line of a booking: what was decided then. */
interface BookingLine extends Omit<BookedTransaction, 'status' | 'reversedAtMs'> {
  readonly kind: 'transaction';
  readonly status: Decision['status'];
  /** Pending only: when it becomes approved. */
  readonly approvedFromMs?: number;
}

/** The line of an undo: the transaction that it names counts as if it had never happened. */
interface ReversalLine {
  readonly kind: 'reversal';
  readonly transactionId: string;
  readonly reversedAtMs: number;
}

/** What is kept in memory of a booking; the rest is read from its line when it is needed. */
interface Entry {
  readonly sequence: number;
  readonly place: LinePlace;
  readonly declined: boolean;
  readonly approvedFromMs: number;
  reversedAtMs: number;
}

/** What the file says, ready to be looked up. */
interface BookIndex {
  readonly entries: Entry[];
  readonly byReference: Map<string, Entry>;
}

const NEVER = 0;
const ID_PREFIX = 'S';
const ID_DIGITS = 12;

/** Says that the book has reached its bound; nothing was booked. */
export class BookFullError extends Error {
  constructor() {
    super(`The book is full (${BOOK_TRANSACTIONS_MAX} transactions): start with a new file.`);
    this.name = 'BookFullError';
  }
}

/**
 * Everything the acquirer has done, in an append-only file of its own that no gateway code writes
 * (D-49). A second booking of the same reference is booked too, and visible: so tests notice a
 * gateway that sends twice.
 */
export class Book {
  readonly #settings: BookSettings;
  readonly #clock: Clock;
  readonly #file: BookFile;
  /** By sequence; entry n has the id of sequence n. */
  readonly #entries: Entry[];
  /** The first booking of each reference. */
  readonly #byReference: Map<string, Entry>;
  #lastSequence: number;

  private constructor(
    settings: BookSettings,
    clock: Clock,
    file: BookFile,
    { entries, byReference }: BookIndex,
  ) {
    this.#settings = settings;
    this.#clock = clock;
    this.#file = file;
    this.#entries = entries;
    this.#byReference = byReference;
    this.#lastSequence = entries.length - 1;
  }

  /** Opens the book and rebuilds its index from the file. */
  static async open(settings: BookSettings, clock: Clock): Promise<Book> {
    const entries: Entry[] = [];
    const byReference = new Map<string, Entry>();
    let lineNumber = 0;
    const file = await BookFile.open(settings.path, (text, place) => {
      lineNumber += 1;
      const line = parseLine(text, lineNumber);
      if (line.kind === 'reversal') {
        const reversed = entries[sequenceOf(line.transactionId)];
        if (reversed) reversed.reversedAtMs = line.reversedAtMs;
        return;
      }
      const entry = entryOf(line, place);
      entries[entry.sequence] = entry;
      if (!byReference.has(line.reference)) byReference.set(line.reference, entry);
    });
    return new Book(settings, clock, file, { entries, byReference });
  }

  /**
   * Decides and books; resolves when the booking is on the disk, and only then may it be answered.
   */
  async book(request: TransactionRequest): Promise<BookedTransaction> {
    if (this.#lastSequence + 1 >= BOOK_TRANSACTIONS_MAX) throw new BookFullError();
    const bookedAtMs = this.#clock.now();
    const { status, resultCode } = decide(request, this.#originalState(request));
    const { reference, operation, amount, currency, originalReference, mode, bin, last4 } = request;
    this.#lastSequence += 1;
    const line: BookingLine = {
      kind: 'transaction',
      transactionId: idOf(this.#lastSequence),
      reference,
      status,
      resultCode,
      operation,
      amount,
      currency,
      ...(originalReference === undefined ? undefined : { originalReference }),
      mode,
      ...(bin === undefined || last4 === undefined ? undefined : { bin, last4 }),
      ...checksAnswered(request, resultCode),
      bookedAtMs,
      ...(status === 'pending'
        ? { approvedFromMs: bookedAtMs + this.#settings.pendingMs }
        : undefined),
    };
    const place = await this.#file.append(JSON.stringify(line));
    const entry = entryOf(line, place);
    this.#entries[entry.sequence] = entry;
    if (!this.#byReference.has(reference)) this.#byReference.set(reference, entry);
    return this.#current(line, entry);
  }

  /** The first booking of a reference, as it is now. */
  async find(reference: string): Promise<BookedTransaction | undefined> {
    const entry = this.#byReference.get(reference);
    return entry && this.#current(await this.#lineOf(entry), entry);
  }

  /**
   * Undoes the first booking of a reference, whatever was decided about it; repeating this is no
   * error and books nothing more.
   */
  async reverse(reference: string): Promise<BookedTransaction | undefined> {
    const entry = this.#byReference.get(reference);
    if (!entry) return undefined;
    if (entry.reversedAtMs === NEVER) {
      const line: ReversalLine = {
        kind: 'reversal',
        transactionId: idOf(entry.sequence),
        reversedAtMs: this.#clock.now(),
      };
      await this.#file.append(JSON.stringify(line));
      entry.reversedAtMs = line.reversedAtMs;
    }
    return this.find(reference);
  }

  /** Every transaction as it is now, in the order of booking. */
  async *transactions(): AsyncGenerator<BookedTransaction> {
    for await (const text of this.#file.lines()) {
      const line = JSON.parse(text) as BookingLine | ReversalLine;
      if (line.kind === 'reversal') continue;
      const entry = this.#entries[sequenceOf(line.transactionId)];
      if (entry) yield this.#current(line, entry);
    }
  }

  /** Writes what is queued and closes the file. */
  async close(): Promise<void> {
    await this.#file.close();
  }

  #originalState(request: TransactionRequest): OriginalState {
    if (request.originalReference === undefined) return 'none';
    const entry = this.#byReference.get(request.originalReference);
    if (!entry) return 'missing';
    if (entry.declined || entry.reversedAtMs !== NEVER) return 'closed';
    return this.#clock.now() < entry.approvedFromMs ? 'pending' : 'approved';
  }

  async #lineOf(entry: Entry): Promise<BookingLine> {
    return JSON.parse(await this.#file.read(entry.place)) as BookingLine;
  }

  #current(line: BookingLine, entry: Entry): BookedTransaction {
    const { kind: _kind, approvedFromMs, ...booked } = line;
    if (entry.reversedAtMs !== NEVER) {
      return { ...booked, status: 'reversed', reversedAtMs: entry.reversedAtMs };
    }
    if (approvedFromMs === undefined || this.#clock.now() < approvedFromMs) return booked;
    return { ...booked, status: 'approved', resultCode: successCode(booked.mode) };
  }
}

/** A request without a card has nothing to check. */
function checksAnswered(request: TransactionRequest, resultCode: string): CardChecks {
  const { checkedCard } = request;
  return checkedCard === undefined ? {} : checksOf(checkedCard, resultCode);
}

function entryOf(line: BookingLine, place: LinePlace): Entry {
  return {
    sequence: sequenceOf(line.transactionId),
    place,
    declined: line.status === 'declined',
    approvedFromMs: line.approvedFromMs ?? NEVER,
    reversedAtMs: NEVER,
  };
}

function parseLine(text: string, lineNumber: number): BookingLine | ReversalLine {
  const line = jsonOf(text);
  const kind = (line as { readonly kind?: unknown } | null | undefined)?.kind;
  if (kind === 'transaction' || kind === 'reversal') return line as BookingLine | ReversalLine;
  throw new Error(`Line ${lineNumber} of the simulator's book cannot be read.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function idOf(sequence: number): string {
  return ID_PREFIX + String(sequence).padStart(ID_DIGITS, '0');
}

function sequenceOf(transactionId: string): number {
  return Number(transactionId.slice(ID_PREFIX.length));
}
