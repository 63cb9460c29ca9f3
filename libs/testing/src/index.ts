export {
  endOrphans,
  killPostmaster,
  postmasterOf,
  startSandbox,
  type Postmaster,
  type SandboxEnd,
  type SandboxOptions,
  type SandboxProcess,
} from './sandbox-process.js';
export { seededRandom, type SeededRandom } from './seeded-random.js';
