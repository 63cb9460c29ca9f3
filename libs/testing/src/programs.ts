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
export { seededRandom, type SeededRandom } from './seeded-random.js';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
