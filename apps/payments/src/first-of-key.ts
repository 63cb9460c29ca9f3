import type { EventStore } from '@sluice/event-store';
import { chainShard, isTransactionId, keyMark, type TransactionId } from '@sluice/identifiers';

/**
 * The transaction that the idempotency key of an unrecorded id has made. A repetition that nobody
 * replied to in time was answered pending with an id of its own, because edge cannot know that the
 * first request is the one that is recorded; that id then stands for this one (D-36).
 * @throws ShardElsewhere
 */
export async function firstOfKey(
  { idempotency }: Pick<EventStore, 'idempotency'>,
  id: string,
): Promise<TransactionId | undefined> {
  if (!isTransactionId(id)) return undefined;
  const first = await idempotency.findTransaction(keyMark(id), id);
  if (first === undefined || first === id || !isTransactionId(first)) return undefined;
  return chainShard(first) === chainShard(id) ? first : undefined;
}
