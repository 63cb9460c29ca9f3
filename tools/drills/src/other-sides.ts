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
  /** The simulator's book before the first payment and after the last. */
  readonly bookBefore: string;
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
  const others = sides.recorded.filter(({ reference }) => !isOf(run, reference));
  const book = bookedSince(
    sides,
    new Set(others.map(({ acquirerReference }) => acquirerReference)),
  );
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
  { bookBefore, bookAfter }: SidesOfDrill,
  others: ReadonlySet<string | undefined>,
): readonly BookedEffect[] {
  const before = bookOf(bookBefore).length;
  return bookOf(bookAfter)
    .slice(before)
    .filter(({ acquirerReference }) => !others.has(acquirerReference));
}

/** Whether a reference is one of this drill. */
export function isOf(run: string, reference: string | null | undefined): boolean {
  return reference?.startsWith(`${run}-`) === true;
}
