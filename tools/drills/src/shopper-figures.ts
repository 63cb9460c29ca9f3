import type { Sale } from './shoppers.js';

/** What shoppers at checkouts came to. */
export interface ShopperFigures {
  readonly shoppers: number;
  readonly sales: number;
  readonly failed: number;
  /** How they failed, each with how often. */
  readonly failures: Readonly<Record<string, number>>;
  /** How many checkouts were made before the moment at which all was new, and paid after it. */
  readonly across: number;
  /** Builds of the widget that pages had, all checkouts together. */
  readonly widgets: number;
}

/**
 * The figures of sales that have all ended.
 *
 * @param newAtMs when what was updated answered, on the clock of `performance.now()`
 */
export function shopperFigures(
  shoppers: number,
  sales: readonly Sale[],
  newAtMs: readonly number[],
): ShopperFigures {
  const failures: Record<string, number> = {};
  for (const { failure, widgets } of sales) {
    const why = failure ?? (widgets.length > 1 ? 'another build of the widget' : undefined);
    if (why !== undefined) failures[why] = (failures[why] ?? 0) + 1;
  }
  const across = sales.filter(({ fromMs, toMs }) =>
    newAtMs.some((atMs) => fromMs < atMs && atMs < toMs),
  );
  return {
    ...{ shoppers, sales: sales.length, failures },
    failed: Object.values(failures).reduce((sum, times) => sum + times, 0),
    across: across.length,
    widgets: new Set(sales.flatMap(({ widgets }) => widgets)).size,
  };
}
