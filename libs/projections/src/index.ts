export {
  type ApplyOptions,
  type ArrivedEvent,
  noteCheckpoints,
  parkEvents,
} from './apply-batch.js';
export { type Application, applyEvents, type Hole, TableSetGone } from './apply-events.js';
export { type FedTableSet, fedTableSet, parkedStreams, versionsOf } from './fed-table-set.js';
export {
  bookkeepingStatements,
  checkpointsOf,
  listParked,
  listTableSets,
  type ParkedEvent,
  type PartitionCheckpoint,
  type ProjectionSchema,
  type Queryable,
  readTableSet,
  type ReadTableSet,
  requestRedrive,
} from './bookkeeping.js';
export {
  type Column,
  type ColumnType,
  type EventToFold,
  type ProjectedEvent,
  type Projection,
  type ProjectionIndex,
  type Row,
} from './projection.js';
export { type EventSource } from './event-source.js';
export {
  FedProjections,
  type FedProjectionsOptions,
  type RebuildPlaces,
} from './fed-projections.js';
export { Feeder, type FeederParts, IncarnationChanged } from './feeder.js';
export { type Feeding } from './feeding.js';
export { type LiveRows, type LiveTables } from './live-rows.js';
export { QueriedEventSource } from './queried-event-source.js';
export { fillTableSet, type Rebuilt } from './rebuild.js';
export type {
  RebuildOptions,
  RebuildProgress,
  RebuildSource,
  RebuildTarget,
} from './rebuild-options.js';
export {
  compareTableSets,
  type ComparisonOptions,
  type Difference,
  type RowDifference,
} from './difference.js';
export {
  dropTableSet,
  ensureTableSet,
  rollBackTableSet,
  switchTableSet,
  type Switched,
  type SwitchOptions,
} from './switching.js';
export { type ReachedHeads, type RowProgress } from './row-progress.js';
export {
  NotAnEvent,
  type SourceEvent,
  sourceEventOf,
  type SourceOfEvents,
} from './source-event.js';
export { RebuildLock, rebuildLock } from './rebuild-lock.js';
export { nextRebuildStep, type RebuildStep } from './rebuild-step.js';
export { columnName, type TableSet, TableSetRefused, type TableSetState } from './table-set.js';
