import { readFile } from 'node:fs/promises';
import type { BookedEffect } from './records.js';

/** The lines of the simulator's book: one booking, one undo, or one choice of a shopper each. */
interface BookLine {
  readonly kind: 'transaction' | 'reversal' | 'choice';
  readonly transactionId: string;
  readonly reference: string;
  readonly operation: string;
  readonly amount: string;
  readonly currency: string;
  readonly status: 'approved' | 'declined' | 'pending';
  /** It waits for a shopper. */
  readonly page?: object;
  /** Of a choice: from when it is approved; absent if the shopper has not paid. */
  readonly approvedFromMs?: number;
}

/**
 * Reads the acquirer's book from its file, without the simulator. A pending booking is counted as
 * an effect: it becomes one by itself. One that waits for a shopper is none until the shopper pays. A last line without its end was never answered.
 */
export async function readBook(path: string): Promise<readonly BookedEffect[]> {
  return bookOf(await readFile(path, 'utf8'));
}

/** As readBook, from the file's text. Throws when a whole line cannot be read. */
export function bookOf(text: string): readonly BookedEffect[] {
  const bookings = new Map<string, BookedEffect>();
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line === '') continue;
    const entry = JSON.parse(line) as BookLine;
    const booked = bookings.get(entry.transactionId);
    if (entry.kind === 'reversal') {
      if (booked === undefined) throw new Error(`undone and never booked: ${line}`);
      bookings.set(entry.transactionId, { ...booked, status: 'reversed' });
      continue;
    }
    if (entry.kind === 'choice') {
      if (booked === undefined) throw new Error(`chosen and never booked: ${line}`);
      const status = entry.approvedFromMs === undefined ? 'declined' : 'approved';
      bookings.set(entry.transactionId, { ...booked, status });
      continue;
    }
    if (booked !== undefined) throw new Error(`one acquirer id twice: ${line}`);
    bookings.set(entry.transactionId, {
      acquirerReference: entry.reference,
      operation: entry.operation,
      amountMinor: minorUnits(entry.amount),
      currency: entry.currency,
      status: entry.page === undefined ? entry.status : 'declined',
    });
  }
  return [...bookings.values()];
}

/** `92.5` → 9250: the test pays in currencies with two decimals alone. */
function minorUnits(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  if (fraction.length > 2) throw new Error(`more than two decimals: ${amount}`);
  return BigInt(whole + fraction.padEnd(2, '0'));
}
