import type { TableSet } from './table-set.js';

/** What is to be done next so that queries read tables of this version and of the store's life. */
export type RebuildStep =
  | { readonly kind: 'none' }
  /** Fill new tables from the store. */
  | { readonly kind: 'fill'; readonly live: TableSet }
  /** These are filled: make them live once they have caught up. */
  | { readonly kind: 'follow'; readonly live: TableSet; readonly tableSet: TableSet }
  /** These are of no use to anybody any more. */
  | { readonly kind: 'drop'; readonly tableSet: TableSet };

/**
 * Says the next step from the table sets of a projection, the version that this release has, and the
 * incarnation of the owner's store, if that is known (D-23). Live tables of a later version are a later
 * release's business. Earlier tables of the same life are kept for a rollback; those of a life that has
 * ended are not, because they hold what the store has lost.
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
