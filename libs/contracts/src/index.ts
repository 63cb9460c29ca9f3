export type {
  AccessDirectory,
  AccountNode,
  CredentialEntry,
  Demands,
  DirectoryAnswer,
  DirectoryQuery,
  NodeKind,
} from './accounts.js';
export { type AccountEventMetadata, type AccountEvents, accountEvents } from './account-events.js';
export {
  type AvsResponse,
  avsResponses,
  type CardChecks,
  type CvvResponse,
  cvvResponses,
} from './card-checks.js';
export {
  commandGroupOf,
  isProjectionGroup,
  projectionGroupOf,
  REPLY_GROUP,
  replyGroupOf,
} from './consumer-groups.js';
export {
  type Compatibility,
  type CompatibilitySwitch,
  type CompatibilitySwitchName,
  compatibilitySwitches,
  leniently,
  strictly,
  type SwitchSettings,
} from './compatibility.js';
export { accessTokenHash, type LegacyCredential, legacyCredentialHash } from './credential-hash.js';
export type { Command, Decider, Event } from './decider.js';
export {
  amount,
  type DomainEvent,
  type DomainEvents,
  type EncodedEvent,
  type EventCodec,
  eventCodec,
  type StoredEvent,
} from './event-codec.js';
export {
  type EventDeclaration,
  type EventSchema,
  eventSchemas,
  type EventsOf,
  type EventTable,
  eventTable,
  NewerWriter,
  upcast,
  type Upcaster,
  type WrittenEvent,
} from './event-table.js';
export type { InstrumentDeclaration } from './instruments/instrument.js';
export {
  heldInstrument,
  type Instrument,
  type InstrumentKind,
  instrumentKinds,
  type InstrumentOf,
  instruments,
  isPayable,
  type PaidInstrument,
  paymentMethodOf,
  type RefusedInstrument,
  shownInstrument,
  type ShownInstrument,
  vaultReferenceOf,
} from './instruments.js';
export { internalCallers, type InternalRoute } from './internal-callers.js';
export {
  kafkaAccess,
  type KafkaAccessRule,
  kafkaAccessRules,
  type KafkaClientName,
  kafkaClients,
  type KafkaNeeds,
  type KafkaOperation,
  type KafkaUserAcl,
  kafkaUserAcls,
} from './kafka-access.js';
export type { AmountMessage, CommandMessage, Message } from './messages.js';
export { type NetworkFlow, networkFlows, type NetworkPort, networkPorts } from './network-flows.js';
export {
  authorizingOperations,
  type InitialOperation,
  initialOperations,
  type Operation,
  operations,
  referableOperations,
  type ReferenceOperation,
  referenceOperations,
} from './operations.js';
export {
  caseReasons,
  chargebackSources,
  lateAnswers,
  notPerformedReasons,
  type PaymentEventMetadata,
  type PaymentEventName,
  type PaymentEvents,
  paymentEvents,
} from './payment-events.js';
export type {
  FixedAnswer,
  IdempotencyClaim,
  InitiatePayment,
  InitiatePaymentData,
  Mode,
  PaymentCommandMessage,
  PaymentCommandData,
  PaymentReply,
  PersonalEnvelope,
  ReferenceContext,
  ReferenceHeadsAnswer,
  ReferenceHeadsQuery,
  ReferToPayment,
  ReferToPaymentData,
  RequestContext,
  TestDirectives,
  TransactionAnswer,
  TransactionOutcome,
  TransactionQuery,
  TransactionStatus,
  TransactionView,
} from './payments.js';
export {
  addressFile,
  type DatabaseRole,
  databaseRolesOf,
  databaseVariableOf,
  podsWithAddress,
  schemaVariableOf,
  urlsVariableOf,
} from './service-databases.js';
export {
  NAMED_INSTANCES,
  type PodSize,
  type SecretFile,
  type ServiceKey,
  serviceKeys,
  type ServiceRow,
  smallPod,
} from './service-row.js';
export {
  answeringServices,
  calledBy,
  type Callees,
  type CommandTaker,
  commandSender,
  commandTakers,
  type EventPublisher,
  eventPublishers,
  eventsReadBy,
  eventsRelayedBy,
  isCertified,
  isPublic,
  isSpokenTo,
  localName,
  type LocalServiceName,
  programOf,
  readersOfEvents,
  type ScalableService,
  scalableServices,
  type ServiceName,
  serviceNames,
  serviceRow,
  services,
  type ServicesWith,
  type ServiceWithTables,
  servicesWithTables,
  tablesReachedBy,
} from './services.js';
export {
  COMMAND_TIME_TO_LIVE_MS,
  commandTopicOf,
  commandTopics,
  deadTopicOf,
  declareCommands,
  declaredTopics,
  declareEvents,
  declareReplies,
  eventTopicOf,
  eventTopics,
  REPLY_TOPIC,
  type TopicDeclaration,
} from './topics.js';
export { eventTables } from './event-tables.js';
export {
  closed,
  described,
  flag,
  formed,
  integer,
  oneOf,
  type Schema,
  text,
  texts,
  type ValueOf,
} from './schema.js';
export {
  PERSONAL_PARAMETERS_MAX,
  type PersonalBlock,
  type PersonalParametersAnswer,
  type PersonalParametersQuery,
  type PublishedEvent,
  type PublishedEventData,
  type SealedParameters,
  STREAM_EVENTS_MAX,
  STREAM_HEADS_MAX,
  type StreamEventsAnswer,
  type StreamEventsQuery,
  type StreamHeadsAnswer,
  type StreamHeadsQuery,
} from './stream-queries.js';
export {
  PAGED_TRANSACTIONS_MAX,
  type RecordedTransactions,
  type RecordedTransactionsQuery,
  type TransactionEntriesQuery,
  type TransactionsByReferenceQuery,
  type WantedEntries,
} from './reporting.js';
export type {
  DetailsToHold,
  HeldDetails,
  RevealedInstrument,
  SecretDetails,
  Vault,
} from './vault.js';
