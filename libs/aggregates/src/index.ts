export { type Aggregate, evolved, stateOf } from './aggregate.js';
export {
  CommandIntake,
  type CommandIntakeParts,
  type CommandReply,
  type CommandToDecide,
  type Decided,
  type ReplyWords,
} from './command-intake.js';
export { DuplicateCommands, type RecordedReplies, type UsedKey } from './duplicate-commands.js';
export {
  newPersonalKey,
  openPersonal,
  type PersonalKey,
  type PersonalParameters,
  sealPersonal,
  unwrapPersonalKey,
} from './personal-data.js';
export { maintainKeyPartitions, maintainKeyPartitionsHourly } from './key-partitions.js';
export { publishedEvent } from './published-event.js';
export {
  RecordedEntries,
  type RecordedEntriesParts,
  type RecordedEntry,
} from './recorded-entries.js';
export { referenceHeads, referenceText, streamsByReference } from './reference-queries.js';
export { outboxGauges, watchOutbox } from './outbox-metrics.js';
export {
  RELAY_CONNECTIONS_MAX,
  type RelayOptions,
  type RunningRelay,
  startRelay,
} from './relay.js';
export { relayMetricsOf } from './relay-metrics.js';
export {
  type PersonalOfTransaction,
  type SealedParameters,
  type SealingParts,
  sealParameters,
} from './sealed-parameters.js';
export { StreamQueries } from './stream-queries.js';
export {
  type AppendListener,
  isInfrastructure,
  type Proposal,
  type Propose,
  type StreamStore,
  StreamWriter,
  type WriteResult,
} from './stream-writer.js';
export { Stream, StreamBusy, Streams } from './streams.js';
export { Sweeper, type SweeperParts, type SweepLimits } from './sweeper.js';
