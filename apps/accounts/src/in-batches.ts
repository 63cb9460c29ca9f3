/** Nodes written or read at once: a few milliseconds of the database. */
const NODES_AT_ONCE = 100;

/** Does work on many nodes, some at a time. */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += NODES_AT_ONCE) {
    await Promise.all(items.slice(at, at + NODES_AT_ONCE).map(work));
  }
}
