/*
 * What programs may use that run outside of jest: the index has fixtures that need it.
 */
export { type ClusterProcess, startCluster } from './cluster-process.js';
export { launched } from './launcher.js';
export {
  endOrphans,
  isAlive,
  killPostmaster,
  postmasterOf,
  type SandboxProcess,
  startSandbox,
} from './sandbox-process.js';
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
export { seededRandom, type SeededRandom } from './seeded-random.js';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
export { NotificationReceiver, type ToldNotification } from './notification-receiver.js';
export { seedOf, type TestAccount } from './test-channel.js';
