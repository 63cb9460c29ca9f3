import type { TableSet } from './table-set.js';

/** What to do next so that queries read tables of this version and of the current store. */
export type RebuildStep =
  | { readonly kind: 'none' }
  /** Fill new tables from the store. */
  | { readonly kind: 'fill'; readonly live: TableSet }
  /** These are filled: make them live once they have caught up. */
  | { readonly kind: 'follow'; readonly live: TableSet; readonly tableSet: TableSet }
  /** These tables are no longer needed. */
  | { readonly kind: 'drop'; readonly tableSet: TableSet };

/**
 * Returns the next step, given the table sets of a projection, its version in this release, and the
 * incarnation of the owner's store, if known (D-23). Live tables of a later version are left to the
 * later release. Earlier tables of the same incarnation are kept for a rollback; those of a
 * previous incarnation are not, because they hold what the store has lost.
 */
export function nextRebuildStep(
  sets: readonly TableSet[],
  version: number,
  incarnation: string | undefined,
): RebuildStep {
  const isOfThisLife = (set: TableSet): boolean =>
    set.incarnation === null || incarnation === undefined || set.incarnation === incarnation;
  const isCurrent = (set: TableSet): boolean => set.version === version && isOfThisLife(set);
  const useless = sets.find(
    (set) =>
      set.version <= version &&
      ((set.state === 'following' && !isCurrent(set)) ||
        (set.state === 'previous' && !isOfThisLife(set))),
  );
  if (useless !== undefined) return { kind: 'drop', tableSet: useless };
  const live = sets.find(({ state }) => state === 'live');
  if (live === undefined || live.version > version || isCurrent(live)) return { kind: 'none' };
  const tableSet =
    sets.findLast((set) => set.state === 'following' && isCurrent(set)) ??
    sets.find((set) => set.state === 'previous' && isCurrent(set));
  return tableSet === undefined ? { kind: 'fill', live } : { kind: 'follow', live, tableSet };
}
