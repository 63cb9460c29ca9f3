export {
  type AppendMember,
  type AppendResult,
  type NewEvent,
  type NewIdempotencyClaim,
  type OutboxMessage,
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
export type { Outbox, WaitingMessage } from './outbox.js';
export {
  type Checkpoint,
  checkpointAtStart,
  type PositionedEvent,
  type RecordedEvent,
  type StreamOfTransaction,
} from './reader.js';
export { type Migration, migrations, type SchemaNames } from './schema.js';
export { NewerWriter, upcast, type Upcaster, type UpcasterLadders } from './upcasting.js';
