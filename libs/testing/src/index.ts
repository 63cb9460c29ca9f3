export { AppSdk, type AppSdkWish, type ToldToApp } from './app-sdk.js';
export {
  type AnswerMode,
  type AnswerProxy,
  type ProxiedFormat,
  type ProxiedRequest,
  startAnswerProxy,
} from './answer-proxy.js';
export {
  type ClusterDescription,
  type ClusterMember,
  type ClusterProcess,
  startCluster,
} from './cluster-process.js';
export { fixedClock, type FixedClock } from './clock.js';
export { settableDatabaseClock } from './database-clock.js';
export { deciderSpec, type DeciderSpec, type Outcome } from './decider-spec.js';
export {
  endOrphans,
  isAlive,
  killPostmaster,
  postmasterOf,
  sandboxDatabaseUrl,
  startSandbox,
  type Postmaster,
  type SandboxEnd,
  type SandboxOptions,
  type SandboxProcess,
} from './sandbox-process.js';
export { amountTelling, cardTelling, type ToldHost, troubleAt } from './host-cards.js';
export {
  type InstrumentLife,
  instrumentLives,
  liveThrough,
  type TriedInstallation,
} from './instrument-lives.js';
export {
  type Booking,
  HOST_START_WITHIN_MS,
  isCharge,
  type JposHost,
  startJposHost,
} from './jpos-host.js';
export { launched } from './launcher.js';
export {
  type Exchange,
  headerOf,
  politeRequest,
  type RawAnswer,
  RawConnection,
  type RawRequest,
  requestBytes,
} from './raw-connection.js';
export { counted, type CrowdReport, sendCrowd } from './request-crowd.js';
export {
  SECOND_SLUICE_WITHIN_MS,
  type SecondSluice,
  type SecondSluiceEntry,
  startSecondSluice,
} from './second-sluice.js';
export { seededRandom, type SeededRandom } from './seeded-random.js';
export {
  type LogLine,
  type ServiceEnd,
  ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from './service-process.js';
export { type ProxyMode, startTcpProxy, type TcpProxy } from './tcp-proxy.js';
export {
  type CertificateFiles,
  startTestAuthority,
  type TestAuthority,
} from './test-certificates.js';
export { NotificationReceiver, type ToldNotification } from './notification-receiver.js';
export { seedOf, type TestAccount } from './test-channel.js';
export { startTestDatabase, type TestDatabase, testDatabase } from './test-database.js';
export { type SecuredKafka, startSecuredKafka } from './secured-kafka.js';
export { testSandbox, type TestSandbox } from './test-sandbox.js';
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.js';
export { testBrokers, testKafka, type TestKafka } from './test-kafka.js';
