import type { Amount } from '@sluice/money';
import { euroText, EURO } from './sepa-amount.js';
import { isSepaIdentifier, NAME_CHARACTERS_MAX, sepaText } from './sepa-text.js';

/** Why a value cannot stand in a file. */
export type FileProblemReason =
  /** There is none, or nothing of it is left in SEPA's characters. */
  | 'empty'
  | 'tooMany'
  /** Not 35 of SEPA's characters: an identifier is never changed to fit. */
  | 'identifier'
  /** Another one of the file has the same, so answers could not be told apart. */
  | 'duplicate'
  /** No IBAN of the area of SEPA. */
  | 'account'
  | 'bankCode'
  | 'creditorId'
  | 'address'
  /** No euros, none at all, or more than a transaction may have. */
  | 'amount'
  | 'date'
  /** Before the day on which the file is made. */
  | 'past'
  /** A mandate that is signed after the day of its collection. */
  | 'signedLater';

/** One value that keeps a batch from being written. It is named and never repeated. */
export interface FileProblem {
  /** Where it stands: `batches[0].debits[3].debtor.iban`. */
  readonly at: string;
  readonly reason: FileProblemReason;
}

/** More than anybody reads; a file of one wrong column has as many as transactions. */
export const PROBLEMS_MAX = 100;

const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/u;
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?Z$/u;
const DATE_CHARACTERS = 10;

/** Whether a text is a day of the calendar, `2026-11-24`. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // 30 February would become the second of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether a text of the form of a time is one, of a day that there is. */
export function isTime(text: string): boolean {
  return isDate(text.slice(0, DATE_CHARACTERS)) && !Number.isNaN(Date.parse(text));
}

/**
 * Checks the values of one file, each where it is written: whatever is wrong is noted, and the text
 * that goes on is then of no file.
 */
export class FileChecks {
  readonly problems: FileProblem[] = [];
  private readonly seen = new Map<string, Set<string>>();

  note(at: string, reason: FileProblemReason): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ at, reason });
  }

  count(at: string, items: readonly unknown[], most: number): void {
    if (items.length === 0) this.note(at, 'empty');
    if (items.length > most) this.note(at, 'tooMany');
  }

  identifier(at: string, text: string): string {
    if (!isSepaIdentifier(text)) this.note(at, 'identifier');
    return text;
  }

  /** An identifier that no other one of its kind in the file may equal. */
  ownIdentifier(at: string, kind: 'batch' | 'transaction', text: string): string {
    const others = this.seen.get(kind) ?? new Set();
    this.seen.set(kind, others);
    if (others.has(text)) this.note(at, 'duplicate');
    others.add(text);
    return this.identifier(at, text);
  }

  name(at: string, text: string): string {
    const written = sepaText(text, NAME_CHARACTERS_MAX);
    if (!/[A-Za-z0-9]/u.test(written)) this.note(at, 'empty');
    return written;
  }

  /** The text of an amount in euros, beside which the currency is written. */
  euros(at: string, amount: Amount): readonly [text: string, currency: string] {
    const text = euroText(amount);
    if (text === undefined) this.note(at, 'amount');
    return [text ?? '', EURO];
  }

  date(at: string, text: string): string {
    if (!isDate(text)) this.note(at, 'date');
    return text;
  }

  /** A day that has not passed when the file is made. */
  dueDate(at: string, text: string, createdAt: string): string {
    if (text < createdAt.slice(0, DATE_CHARACTERS)) this.note(at, 'past');
    return this.date(at, text);
  }

  time(at: string, text: string): string {
    if (!TIME.test(text) || !isTime(text)) this.note(at, 'date');
    return text;
  }
}
