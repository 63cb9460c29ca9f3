import type { BookedTransaction } from './book.js';
import type { Decision } from './decision.js';
import type { Chosen } from './shopper-visit.js';

/** The line of a booking: what was decided then. */
export interface BookingLine extends Omit<BookedTransaction, 'status' | 'reversedAtMs'> {
  readonly kind: 'transaction';
  readonly status: Decision['status'];
  /** What the cryptogram is known by: nobody can make it out of this. */
  readonly cryptogramMark?: string;
  /** Pending only: when it becomes approved. */
  readonly approvedFromMs?: number;
}

/** The line of an undo: the transaction that it names counts as if it had never happened. */
export interface ReversalLine {
  readonly kind: 'reversal';
  readonly transactionId: string;
  readonly reversedAtMs: number;
}

/** The line of what a shopper chose: the last one counts. */
export interface ChoiceLine extends Chosen {
  readonly kind: 'choice';
  readonly transactionId: string;
}

/** Any of them. */
export type Line = BookingLine | ReversalLine | ChoiceLine;

const LINE_KINDS: readonly unknown[] = ['transaction', 'reversal', 'choice'];

/** @throws Error where it is none, with where it stands */
export function parseLine(text: string, lineNumber: number): Line {
  const line = jsonOf(text);
  const kind = (line as { readonly kind?: unknown } | null | undefined)?.kind;
  if (LINE_KINDS.includes(kind)) return line as Line;
  throw new Error(`Line ${lineNumber} of the simulator's book cannot be read.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
