import type { EventPublisher } from '@sluice/contracts';
import { EventStore, type RecordedEvent } from '@sluice/event-store';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import { usage } from './exit-codes.js';
import type { Session } from './session.js';
import type { Role } from './settings.js';

/** A stream with all its events. */
export interface FoundStream {
  readonly streamId: string;
  readonly events: readonly RecordedEvent[];
}

/** The event store of a service that publishes events, entered as one of its roles. */
export function eventStoreOf(session: Session, service: EventPublisher, role: Role): EventStore {
  return new EventStore(session.database(service, role), { schema: session.schema(service) });
}

/** Throws CommandEnded for a word that can be nobody's id. */
export function assertId(id: string): asserts id is TransactionId {
  if (!isTransactionId(id)) throw usage(`"${id}" is no id: an id has 32 hexadecimal digits.`);
}

/** The stream of that id, or the one that a transaction of that id belongs to. */
export async function findStream(store: EventStore, id: string): Promise<FoundStream | undefined> {
  const events = await store.read(id);
  return events.length > 0 ? { streamId: id, events } : store.readByTransaction(id);
}
