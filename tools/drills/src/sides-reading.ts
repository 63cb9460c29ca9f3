import type {
  ProjectedTransaction,
  ReadBack,
  RecordedTransaction,
  Violation,
} from '@sluice/kill-test';
import { isOf, type SidesOfDrill } from './other-sides.js';

/** What payments has recorded, all of one moment. */
export interface RecordedSide {
  readonly recorded: readonly RecordedTransaction[];
  /** What is wrong with the store itself, or with a transaction. */
  readonly violations: readonly Violation[];
}

/** Where the sides are read, each anew at every call. */
export interface ReadableSides {
  /** The simulator's book as it is now. */
  book(): Promise<string>;
  /** What the events say. */
  events(): Promise<RecordedSide>;
  /** Every row of the projection. */
  rows(): Promise<readonly ProjectedTransaction[]>;
  /** These transactions, and those that were answered, as their merchant reads them. */
  readBack(own: readonly RecordedTransaction[]): Promise<readonly ReadBack[]>;
}

/** What was read, and what is wrong with the store itself or with payments of the drill. */
export interface ReadSides extends Pick<
  SidesOfDrill,
  'bookSeen' | 'bookAfter' | 'recorded' | 'rows' | 'readBack'
> {
  readonly violations: readonly Violation[];
}

/**
 * Reads all sides while others pay on. The store has a request before the acquirer is called, so
 * whatever is in a book is in events that are read after it: from that book follows what nobody has
 * recorded. And the acquirer books before an outcome is recorded, so whatever events call approved
 * is in a book that is read after them: from that one follows what the drill's own came to. Reading
 * payments back takes longest and comes last; nothing of the drill's own changes any more.
 */
export async function readSides(sides: ReadableSides, run: string): Promise<ReadSides> {
  const bookSeen = await sides.book();
  const { recorded, violations } = await sides.events();
  const bookAfter = await sides.book();
  const own = recorded.filter(({ reference }) => isOf(run, reference));
  const rows = await sides.rows();
  const readBack = await sides.readBack(own);
  const ownIds = new Set(own.map(({ id }) => id));
  return {
    ...{ bookSeen, bookAfter, recorded, rows, readBack },
    violations: violations.filter(({ rule, subject }) => rule === 'ledger' || ownIds.has(subject)),
  };
}
