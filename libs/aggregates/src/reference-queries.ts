import type { ReferenceHeadsAnswer, ReferenceHeadsQuery } from '@sluice/contracts';
import type { EventStore, LookedUp } from '@sluice/event-store';

/** The part of the event store that these queries need. */
type Lookup = Pick<EventStore, 'lookUp'>;

/**
 * How many transactions under one merchant's own id are read: the id should be unique, so there is
 * one, or one per attempt.
 */
const REFERENCED_MAX = 100;

/**
 * The lookup text under which the store finds the transactions that an entity gave one of its own
 * ids (`merchantTransactionId`, Interface 2.1).
 */
export function referenceText(entityId: string, merchantTransactionId: string): string {
  return `${entityId} ${merchantTransactionId}`;
}

/** Where something was found, and in which shards it was looked for if those are not all. */
export interface FoundStreams extends Pick<LookedUp, 'carried'> {
  readonly streamIds: ReadonlySet<string>;
}

/** The streams that have a transaction with a merchant's own id. */
export async function streamsByReference(
  store: Lookup,
  entityId: string,
  merchantTransactionId: string,
): Promise<FoundStreams> {
  const text = referenceText(entityId, merchantTransactionId);
  const { found, carried } = await store.lookUp(text, REFERENCED_MAX);
  const streamIds = new Set(found.map(({ streamId }) => streamId));
  return { streamIds, ...(carried && { carried }) };
}

/** The same with the version that each has now, for readers whose rows may be older. */
export async function referenceHeads(
  store: Lookup,
  { entityId, merchantTransactionId }: ReferenceHeadsQuery,
): Promise<ReferenceHeadsAnswer> {
  const text = referenceText(entityId, merchantTransactionId);
  const { found, incarnation, carried } = await store.lookUp(text, REFERENCED_MAX + 1);
  const versions = new Map(found.map(({ streamId, version }) => [streamId, version]));
  const heads = [...versions].map(([streamId, version]) => ({ streamId, version }));
  const more = found.length > REFERENCED_MAX;
  return { heads, more, incarnation, ...(carried && { carried }) };
}
