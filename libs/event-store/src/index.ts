export { Alarm } from './alarm.js';
export {
  type AppendMember,
  type AppendResult,
  type MarkChanges,
  type MarkName,
  type NewEvent,
  type NewIdempotencyClaim,
  type NewMark,
  ShardElsewhere,
  StoreBusy,
  StoreUnavailable,
  type TakenKey,
} from './append-member.js';
export { OUTBOX_SLOTS } from './append-parts.js';
export { type CarriedRanges } from './cells/carried-shards.js';
export {
  type CellState,
  inspectCell,
  type PlannedMove,
  planShardMove,
  type RecordedMove,
} from './cells/cell-state.js';
export { type CellTables, divideShards } from './cells/divide-shards.js';
export { MoveGivenBack, MoveInDoubt, MoveRefused } from './cells/move-refused.js';
export type { Connect } from './cells/move-session.js';
export type { MovePhase } from './cells/move-state.js';
export {
  type FinishedMove,
  moveShards,
  type MoveStep,
  type ShardMoveOptions,
} from './cells/shard-move.js';
export { parseShardRange, type ShardRange, shardRangeText, shardsIn } from './cells/shard-range.js';
export { type UndoneMove, undoShardMove } from './cells/shard-undo.js';
export { type Carries, withoutMoves } from './cells/without-moves.js';
export { DatabaseFailure, type FailureKind } from './database.js';
export {
  defaultLimits,
  EventStore,
  type EventStoreLimits,
  type EventStoreOptions,
} from './event-store.js';
export type { IdempotencyKeys } from './idempotency.js';
export type { Mark, Marks } from './marks.js';
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
  type LookedUp,
  type HeadsPage,
  type PositionedEvent,
  type StreamHead,
  type StreamOfTransaction,
  type StreamWithKey,
} from './reader.js';
export type { RecordedEvent } from './recorded-event.js';
export {
  type MarkHistory,
  type MarkRefill,
  type RefilledMarks,
  carriesEverything,
  refillMarks,
} from './refill-marks.js';
export {
  type FinishedRestoration,
  finishRestoration,
  inspectStore,
  type StoreState,
} from './restoration.js';
export { FIRST_CELL, SHARD_COUNT } from './cells/cell-tables.js';
export { type TenantAhead, tenantsOfStreams } from './tenants.js';
export { type Migration, migrations, readerGrants, type SchemaNames } from './schema.js';
