import {
  bookOf,
  type BookedEffect,
  disagreements,
  type MerchantRequest,
  type ProjectedTransaction,
  projectionDisagreements,
  type ReadBack,
  type RecordedTransaction,
  type Violation,
} from '@sluice/kill-test';

/** Everything that is compared: the merchant's books, and what the cluster has of everybody. */
export interface SidesOfDrill {
  /** What references of this drill begin with. */
  readonly run: string;
  readonly merchant: readonly MerchantRequest[];
  readonly recorded: readonly RecordedTransaction[];
  readonly rows: readonly ProjectedTransaction[];
  readonly readBack: readonly ReadBack[];
  /** The simulator's book before the first payment. */
  readonly bookBefore: string;
  /** After the last one, and before the events were read: each booking in it has its event, if any. */
  readonly bookSeen: string;
  /** After the events were read: it has whatever they call approved. */
  readonly bookAfter: string;
}

/** What was compared, and where the sides disagree. */
export interface Comparison {
  readonly transactions: number;
  readonly bookings: number;
  readonly projected: number;
  readonly violations: readonly Violation[];
}

/**
 * Compares what belongs to the drill: a cluster has other payments too, before it and beside it. A
 * booking since its beginning that no other payment explains counts as the drill's.
 */
export function comparison(sides: SidesOfDrill): Comparison {
  const { run, merchant, rows, readBack } = sides;
  const recorded = sides.recorded.filter(({ reference }) => isOf(run, reference));
  const book = [
    ...bookedSince(sides.bookBefore, sides.bookAfter, isRecorded(recorded)),
    ...bookedSince(sides.bookBefore, sides.bookSeen, isUnheardOf(sides.recorded)),
  ];
  const projected = rows.filter(({ reference }) => isOf(run, reference));
  return {
    transactions: recorded.length,
    bookings: book.length,
    projected: projected.length,
    violations: [
      ...disagreements({ merchant, recorded, book, readBack }),
      ...projectionDisagreements(recorded, projected),
    ],
  };
}

function bookedSince(
  bookBefore: string,
  book: string,
  counts: (acquirerReference: string) => boolean,
): readonly BookedEffect[] {
  const before = bookOf(bookBefore).length;
  return bookOf(book)
    .slice(before)
    .filter(({ acquirerReference }) => counts(acquirerReference));
}

function isRecorded(
  recorded: readonly RecordedTransaction[],
): (acquirerReference: string) => boolean {
  const known = new Set(recorded.map(({ acquirerReference }) => acquirerReference));
  return (acquirerReference) => known.has(acquirerReference);
}

function isUnheardOf(
  recorded: readonly RecordedTransaction[],
): (acquirerReference: string) => boolean {
  const isKnown = isRecorded(recorded);
  return (acquirerReference) => !isKnown(acquirerReference);
}

/** Whether a reference is one of this drill. */
export function isOf(run: string, reference: string | null | undefined): boolean {
  return reference?.startsWith(`${run}-`) === true;
}
