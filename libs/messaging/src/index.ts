export type { InProcessContext } from './in-process-context.js';
export { type UpstreamUrls, upstreamSettings } from './upstream-settings.js';
export { InProcessBus, type InProcessBusOptions } from './in-process-bus.js';
export {
  defaultLimits,
  type InProcessLimits,
  type InProcessTransport,
} from './in-process-transport.js';
export {
  type CommandContext,
  type CommandResult,
  type Commands,
  type EventBatch,
  type Events,
  type EventSubscription,
  Execution,
  InfrastructureAway,
  MessagesRefused,
  type OpenSubscription,
  type Queries,
  queryPattern,
  QueryUnavailable,
  type ReceivedEvent,
  type SendOptions,
  UNHEARD_BEFORE_END_MS,
  Unrecorded,
} from './ports.js';
export { openCommand, type Opened, type SealedCommand } from './opened-commands.js';
export {
  cardPaths,
  type ClearDetails,
  clearDetails,
  type DetailsMessage,
  detailsMessage,
  readDetailsMessage,
  readSavingMessage,
  readTokenMessage,
  type RevealAnswer,
} from './http/detail-messages.js';
export { HttpQueries, type HttpQueriesOptions } from './http/http-queries.js';
export { HttpVault, type HttpVaultOptions, VaultUnavailable } from './http/http-vault.js';
export { type CallersOfQueries, type ListenAddress, QueryServer } from './http/query-server.js';
export {
  type CommandTransport,
  ServiceTransport,
  type ServiceTransportParts,
} from './service-transport.js';
export { AccessNotChecked, type AppliedAccess, applyAccess } from './kafka/access.js';
export { KafkaBus, type KafkaBusOptions } from './kafka/kafka-bus.js';
export { type KafkaConnection, kafkaConnection } from './kafka/kafka-connection.js';
export { createKafka, type KafkaClientOptions, type KafkaTls } from './kafka/kafka-client.js';
export {
  commandSenderMetrics,
  kafkaHandlerMetrics,
  kafkaProducerMetrics,
  kafkaReaderMetrics,
} from './kafka/kafka-metrics.js';
export { defaultKafkaLimits, type KafkaLimits } from './kafka/kafka-limits.js';
export type { KafkaTransport } from './kafka/kafka-transport.js';
export { type AppliedTopics, applyTopics, type ApplyTopicsOptions } from './kafka/topics.js';
export { CellCommands } from './cells/cell-commands.js';
export { CellMap, type CellMapParts } from './cells/cell-map.js';
export { CellQueries } from './cells/cell-queries.js';
export { mergedPage } from './cells/merged-answers.js';
export { CellSettings } from './cells/cell-settings.js';
export { type CellParts, type CellPorts, cellPorts, urlsWithCells } from './cells/cells.js';
export { SharedLook } from './shared-look.js';
