import { SERVICE_OF_CELLS } from '@sluice/contracts';
import { type CellState, EventStore } from '@sluice/event-store';
import { chainShard, type TransactionId } from '@sluice/identifiers';
import { inspectCellAt } from './cells-list.js';
import { findStream, type FoundStream } from './event-store-of.js';
import type { Session } from './session.js';

/** Where a stream was found, in an installation that has several cells (page 0047). */
export interface FoundInCell {
  readonly stream: FoundStream;
  readonly cell: number;
  /** Whether the cell carries the shard of the stream; if not, it may be a copy that is out of date. */
  readonly isCarried: boolean;
}

/**
 * Looks for a stream of payments in every cell: in the one that carries its shard, and in the others,
 * because one that lost shards by mistake is looked into when something is wrong. Of several that have
 * it the carrier counts, else the longest: while a move is fenced nobody carries its range, and the
 * target may not have everything yet. A cell that does not answer is only missed where the carrier has
 * nothing to show.
 */
export async function findInCells(
  session: Session,
  urls: readonly string[],
  id: TransactionId,
): Promise<FoundInCell | undefined> {
  const looked = await Promise.allSettled(
    urls.map((url, index) => lookInto(session, { url, cell: index + 1 }, id)),
  );
  const found = looked.flatMap((one) =>
    one.status === 'fulfilled' && one.value !== undefined ? [one.value] : [],
  );
  const carrier = found.find(({ isCarried }) => isCarried);
  if (carrier !== undefined) return carrier;
  const silent = looked.find((one) => one.status === 'rejected');
  if (silent !== undefined) throw silent.reason;
  return [...found].sort((one, other) => lengthOf(other) - lengthOf(one))[0];
}

async function lookInto(
  session: Session,
  { url, cell: place }: { readonly url: string; readonly cell: number },
  id: TransactionId,
): Promise<FoundInCell | undefined> {
  const schema = session.schema(SERVICE_OF_CELLS);
  const { cell, carried } = await inspectCellAt(url, place, schema);
  const store = new EventStore(session.databaseAt(url, SERVICE_OF_CELLS), { schema });
  const stream = await findStream(store, id);
  return stream && { stream, cell, isCarried: carries(carried, id) };
}

const HEX = 16;

/** A transaction has the shard of its payment, so whichever of them is named. */
function carries(carried: CellState['carried'], id: TransactionId): boolean {
  const shard = parseInt(chainShard(id), HEX);
  return carried.some(({ first, last }) => first <= shard && shard <= last);
}

function lengthOf({ stream }: FoundInCell): number {
  return stream.events.length;
}
