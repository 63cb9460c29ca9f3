export {
  type AppendMember,
  type AppendResult,
  type NewEvent,
  type NewIdempotencyClaim,
  StoreBusy,
  StoreUnavailable,
  type TakenKey,
} from './append-member.js';
export { OUTBOX_SLOTS } from './append-parts.js';
export { DatabaseFailure, type FailureKind } from './database.js';
export {
  defaultLimits,
  EventStore,
  type EventStoreLimits,
  type EventStoreOptions,
} from './event-store.js';
export type { IdempotencyKeys } from './idempotency.js';
export type { Outbox, OutboxLag, ParkedEvent } from './outbox.js';
export {
  defaultRelayLimits,
  EventsRefused,
  OutboxRelay,
  type OutboxRelayOptions,
  type RelayLimits,
} from './outbox-relay.js';
export type { Erasure, PersonalKeyRow, PersonalKeys } from './personal-keys.js';
export {
  type Checkpoint,
  checkpointAtStart,
  type FoundTransaction,
  type HeadsPage,
  type PositionedEvent,
  type StreamHead,
  type StreamOfTransaction,
} from './reader.js';
export type { RecordedEvent } from './recorded-event.js';
export {
  type FinishedRestoration,
  finishRestoration,
  inspectStore,
  type StoreState,
} from './restoration.js';
export { type Migration, migrations, readerGrants, type SchemaNames } from './schema.js';
