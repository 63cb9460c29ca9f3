import { randomBytes } from 'node:crypto';
import type { Clock } from '@sluice/service';
import { type CardChecks, checksOf } from './card-checks.js';
import { BookFile, type LinePlace } from './book-file.js';
import {
  type BookingLine,
  type ChoiceLine,
  type Line,
  parseLine,
  type ReversalLine,
} from './book-lines.js';
import { decide, type OriginalState, successCode } from './decision.js';
import {
  type Choice,
  chosenAt,
  mayChoose,
  outcomeOfVisit,
  type PageKind,
  type ShopperMode,
  type Visit,
} from './shopper-visit.js';
import { type CryptogramFinding, UsedCryptograms } from './three-d-secure/used-cryptograms.js';
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
  /** How long a shopper has for a page. */
  readonly pageMs: number;
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
  /** Of a cryptogram that was made here: whether it is of this card and amount, and new. */
  readonly cryptogram?: CryptogramFinding;
  /** What the issuer advises if it declines, where a test has said so. */
  readonly advice?: string;
  /** In how many installments the shopper pays it; absent: at once. */
  readonly installments?: number;
  /** Of what waits for a shopper, or has waited. */
  readonly page?: PageOfShopper;
  readonly bookedAtMs: number;
  readonly reversedAtMs?: number;
}

/** A page on which a shopper decides. */
export interface PageOfShopper {
  /** Names it: the transaction's own id, and what nobody can guess. */
  readonly token: string;
  readonly kind: PageKind;
  readonly brand?: string;
  /** Whether the merchant's page has to load something before it sends the shopper there. */
  readonly hasPrecondition?: true;
  /** How the shopper wants to be asked, where he was given the choice. */
  readonly mode?: ShopperMode;
  /** The last digits of his mobile number, where he has told it; no more of it is kept. */
  readonly mobileEnding?: string;
  /** Where the shopper's browser goes afterwards. */
  readonly returnUrl: string;
  /** Milliseconds since the epoch. */
  readonly closesAtMs: number;
}

/** A page with what it is about. */
export interface ShownPage {
  readonly page: PageOfShopper;
  readonly booked: BookedTransaction;
  /** Whether the shopper may still choose. */
  readonly isOpen: boolean;
}

/** What is kept in memory of a booking; the rest is read from its line when it is needed. */
interface Entry {
  readonly sequence: number;
  readonly place: LinePlace;
  readonly declined: boolean;
  readonly approvedFromMs: number;
  /** Of what waits for a shopper, or has waited. */
  visit: Visit | undefined;
  reversedAtMs: number;
}

/** What the file says, ready to be looked up. */
interface BookIndex {
  readonly entries: Entry[];
  readonly byReference: Map<string, Entry>;
  readonly cryptograms: UsedCryptograms;
}

const NEVER = 0;
const ID_PREFIX = 'S';
const ID_DIGITS = 12;
const TOKEN_BYTES = 16;

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
  readonly #cryptograms: UsedCryptograms;
  #lastSequence: number;

  private constructor(
    settings: BookSettings,
    clock: Clock,
    file: BookFile,
    { entries, byReference, cryptograms }: BookIndex,
  ) {
    this.#settings = settings;
    this.#clock = clock;
    this.#file = file;
    this.#entries = entries;
    this.#byReference = byReference;
    this.#cryptograms = cryptograms;
    this.#lastSequence = entries.length - 1;
  }

  /** Opens the book and rebuilds its index from the file. */
  static async open(settings: BookSettings, clock: Clock): Promise<Book> {
    const entries: Entry[] = [];
    const byReference = new Map<string, Entry>();
    const cryptograms = new UsedCryptograms((reference) => isUndone(byReference.get(reference)));
    let lineNumber = 0;
    const file = await BookFile.open(settings.path, (text, place) => {
      lineNumber += 1;
      const line = parseLine(text, lineNumber);
      if (line.kind !== 'transaction') {
        const named = entries[sequenceOf(line.transactionId)];
        if (named) amend(named, line);
        return;
      }
      const entry = entryOf(line, place);
      entries[entry.sequence] = entry;
      if (!byReference.has(line.reference)) byReference.set(line.reference, entry);
      cryptograms.note(line);
    });
    return new Book(settings, clock, file, { entries, byReference, cryptograms });
  }

  /**
   * Decides and books; resolves when the booking is on the disk, and only then may it be answered.
   */
  async book(request: TransactionRequest): Promise<BookedTransaction> {
    if (this.#lastSequence + 1 >= BOOK_TRANSACTIONS_MAX) throw new BookFullError();
    const bookedAtMs = this.#clock.now();
    const cryptogram = this.#cryptograms.findingOf(request);
    const { status, resultCode } = decide(request, this.#originalState(request), cryptogram);
    const page = status === 'pending' ? this.#pageFor(request, bookedAtMs) : undefined;
    const { reference, operation, amount, currency, originalReference, mode, bin, last4 } = request;
    const { advice, installments, cryptogram: { mark: cryptogramMark } = {} } = request;
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
      ...(cryptogram === undefined ? undefined : { cryptogram }),
      ...(cryptogramMark === undefined ? undefined : { cryptogramMark }),
      ...(installments === undefined ? undefined : { installments }),
      ...(status === 'declined' && advice !== undefined && { advice }),
      ...(page === undefined ? undefined : { page }),
      bookedAtMs,
      ...(status === 'pending' && page === undefined
        ? { approvedFromMs: bookedAtMs + this.#settings.pendingMs }
        : undefined),
    };
    // Before the disk has it, so that whoever comes meanwhile with the same one finds it.
    this.#cryptograms.note(line);
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

  /** The page with this token; undefined if there is none. */
  async page(token: string): Promise<ShownPage | undefined> {
    const entry = this.#entryOf(token);
    if (!entry) return undefined;
    const line = await this.#lineOf(entry);
    if (line.page?.token !== token) return undefined;
    const isOpen = entry.visit !== undefined && mayChoose(entry.visit, this.#clock.now());
    return { page: line.page, booked: this.#current(line, entry), isOpen };
  }

  /** What the shopper chose on that page, if there still was a choice. */
  async choose(token: string, choice: Choice): Promise<ShownPage | undefined> {
    const shown = await this.page(token);
    const entry = this.#entryOf(token);
    if (!shown?.isOpen || entry?.visit === undefined) return shown;
    const chosen = chosenAt(choice, this.#clock.now(), this.#settings.pendingMs);
    // Before the disk has it, so that a second click finds it.
    entry.visit = { ...entry.visit, chosen };
    const transactionId = idOf(entry.sequence);
    const line: ChoiceLine = { kind: 'choice', transactionId, ...chosen };
    await this.#file.append(JSON.stringify(line));
    return this.page(token);
  }

  #entryOf(token: string): Entry | undefined {
    return this.#entries[sequenceOf(token.slice(0, ID_PREFIX.length + ID_DIGITS))];
  }

  #pageFor(request: TransactionRequest, nowMs: number): PageOfShopper | undefined {
    const { shopper, forceResultCode } = request;
    if (shopper === undefined || forceResultCode !== undefined) return undefined;
    const token = `${idOf(this.#lastSequence + 1)}-${randomBytes(TOKEN_BYTES).toString('hex')}`;
    return { token, ...shopper, closesAtMs: nowMs + this.#settings.pageMs };
  }

  /** Every transaction as it is now, in the order of booking. */
  async *transactions(): AsyncGenerator<BookedTransaction> {
    for await (const text of this.#file.lines()) {
      const line = JSON.parse(text) as Line;
      if (line.kind !== 'transaction') continue;
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
    if (entry.visit !== undefined) {
      const { status } = outcomeOfVisit(entry.visit, this.#clock.now());
      return status === 'declined' ? 'closed' : status;
    }
    return this.#clock.now() < entry.approvedFromMs ? 'pending' : 'approved';
  }

  async #lineOf(entry: Entry): Promise<BookingLine> {
    return JSON.parse(await this.#file.read(entry.place)) as BookingLine;
  }

  #current(line: BookingLine, entry: Entry): BookedTransaction {
    const { kind: _kind, cryptogramMark: _mark, approvedFromMs, ...booked } = line;
    if (entry.reversedAtMs !== NEVER) {
      return { ...booked, status: 'reversed', reversedAtMs: entry.reversedAtMs };
    }
    if (entry.visit !== undefined) {
      const outcome = outcomeOfVisit(entry.visit, this.#clock.now());
      return { ...booked, resultCode: successCode(booked.mode), ...outcome };
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

/** What is still being written is not. */
function isUndone(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.reversedAtMs !== NEVER;
}

function amend(entry: Entry, line: ReversalLine | ChoiceLine): void {
  if (line.kind === 'reversal') {
    entry.reversedAtMs = line.reversedAtMs;
  } else if (entry.visit !== undefined) {
    const { kind: _, transactionId: __, ...chosen } = line;
    entry.visit = { ...entry.visit, chosen };
  }
}

function entryOf(line: BookingLine, place: LinePlace): Entry {
  const { page } = line;
  return {
    sequence: sequenceOf(line.transactionId),
    place,
    declined: line.status === 'declined',
    approvedFromMs: line.approvedFromMs ?? NEVER,
    visit: page && { kind: page.kind, closesAtMs: page.closesAtMs },
    reversedAtMs: NEVER,
  };
}

function idOf(sequence: number): string {
  return ID_PREFIX + String(sequence).padStart(ID_DIGITS, '0');
}

function sequenceOf(transactionId: string): number {
  return Number(transactionId.slice(ID_PREFIX.length));
}
