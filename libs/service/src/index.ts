export { databaseAddress, databaseAddresses } from './database-address.js';
export {
  type ConnectionLimits,
  type DatabaseSettings,
  databaseSettings,
  tablesSettings,
} from './database-settings.js';
export { base64Key } from './base64-key.js';
export { CLOCK_MARGIN_MS, RemoteClock, type RemoteClockParts } from './remote-clock.js';
export { BUILD_NUMBER, buildNumberOfFiles } from './build-number.js';
export { type Clock, systemClock } from './clock.js';
export {
  type Advanced,
  type ClocksInHand,
  EntityClock,
  type EntityTime,
  type FollowsClocks,
  noSetClocks,
  type SetClocks,
} from './entity-clock.js';
export {
  assertDurable,
  connectClient,
  createPool,
  databaseTime,
  DurabilityError,
  expectLoss,
  type PoolOptions,
} from './database.js';
export { type Envelope, EnvelopeBroken, EnvelopeOpener, EnvelopeSealer } from './envelopes.js';
export { type FrameworkLog, frameworkLog } from './framework-log.js';
export { type FileKeyOptions, FileKeyProvider, KeyFileError } from './file-key-provider.js';
export {
  type CheckedPart,
  type HealthCheck,
  HealthChecks,
  type HealthReport,
  type ProcessPhase,
} from './health-checks.js';
export {
  type AnswerHeaders,
  type ClientCertificate,
  HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResult,
} from './http-client.js';
export {
  FailureLogged,
  type InternalRefusal,
  type InternalRoute,
  MalformedRequest,
} from './internal-answers.js';
export {
  InternalClient,
  type InternalClientOptions,
  type InternalRequest,
} from './internal-client.js';
export { InternalServer, type InternalServerOptions } from './internal-server.js';
export { internalServerMetrics } from './internal-metrics.js';
export { InternalSettings, TlsSettings } from './internal-settings.js';
export {
  type KeyProvider,
  type WrappedKey,
  WrappedKeyBroken,
  WrappingKeyRetired,
} from './key-provider.js';
export { ListenError } from './listen-on.js';
export {
  createLogger,
  LOG_LEVELS,
  type LoggedError,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  maskAccountNumbers,
  serializeError,
} from './logger.js';
export { ManagementServer } from './management-server.js';
export {
  counter,
  type CounterDeclaration,
  DURATION_BUCKETS,
  gauge,
  type GaugeDeclaration,
  histogram,
  type HistogramDeclaration,
  HTTP_DURATION_BUCKETS,
  type LabelValues,
  type MetricDeclaration,
  OTHER,
  type ServiceMetrics,
} from './metric-declarations.js';
export {
  type Counter,
  type CounterSeries,
  type GaugeOf,
  gaugeOf,
  type Histogram,
  type HistogramSeries,
  type Labels,
  type Metrics,
  noMetrics,
  type Reading,
} from './metrics.js';
export { metricsReference } from './metrics-reference.js';
export { type CallsBetweenServices, isLoopback, mutualTlsProblems } from './mutual-tls.js';
export {
  migrate,
  ensureMigrated,
  type MigrateOptions,
  type Migration,
  pendingMigrations,
  type ServiceAddress,
} from './migrate.js';
export { type KeySource, type OpenKeys, openKeys } from './open-keys.js';
export { KafkaSettings, urlList } from './upstream-settings.js';
export type { ServiceDeclaration, SettingsClass } from './service-declaration.js';
export {
  merchantAddress,
  type MerchantAddressRefusal,
  type MerchantAddressRules,
  merchantAddressSentences,
} from './merchant-addresses.js';
export {
  OutboundHosts,
  type OutboundRefusal,
  outboundSentences,
  type OutboundTarget,
  privateTargetsOf,
} from './outbound-hosts.js';
export { isPublicAddress } from './public-addresses.js';
export { textOfNamedFile } from './named-file.js';
export { Outage, type OutageSentences } from './outage.js';
export {
  CertificateExpiry,
  type CertificateUse,
  databaseMetrics,
  exposePool,
  processMetrics,
} from './process-metrics.js';
export { refuseDebugger } from './process-events.js';
export { PrometheusMetrics } from './prometheus-metrics.js';
export { type GatewayEnvironment, ProcessSettings } from './process-settings.js';
export {
  DatabaseAccessError,
  ensureGivenRoles,
  ensureRolesAndSchema,
  type GivenRole,
  type GivenService,
  type ServiceDatabase,
} from './roles.js';
export { resultAddress } from './result-address.js';
export type { RunningService } from './running-service.js';
export {
  runService,
  type ServiceDefinition,
  type ServiceContext,
  type SettingsClasses,
} from './run-service.js';
export { openText, sealText } from './sealed-text.js';
export { type JsonFields, jsonObjectIn, secretJsonObject, secretJsonText } from './secret-json.js';
export {
  describeSettings,
  loadSettings,
  type SettingDescription,
  SettingsError,
  Variable,
  type VariableOptions,
  variableNames,
  withDefaults,
} from './settings.js';
export {
  type Attributes,
  currentNdc,
  currentSpan,
  inRequest,
  inSpan,
  notePayment,
  outsideOfRequests,
  type RequestFields,
  type Span,
  type SpanKind,
  type SpanOptions,
  startSpan,
  usesOlderNames,
} from './spans.js';
export { readTraceparent, type SpanIdentity } from './traceparent.js';
export { startTracing, type TracingOptions } from './tracing.js';
export { TracingSettings } from './tracing-settings.js';
export { type TlsFiles, TlsMaterial, type TlsPaths } from './tls-material.js';
export { inTransaction } from './transaction.js';
export { DependencyMissing, isOutage, StartInterrupted, waitFor } from './wait-for.js';
export { makeWholeFile } from './whole-file.js';
