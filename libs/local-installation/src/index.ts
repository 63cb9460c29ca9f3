export type { StartCommand } from './command-line.js';
export { assertConsistent } from './consistent-settings.js';
export {
  type ClaimedFolder,
  claimFolder,
  CLOCKS_FILE,
  FolderInUse,
  FolderUnusable,
  type Holder,
  isAlive,
  notePort,
  resetFolder,
  startTicksOf,
} from './data-folder.js';
export { clearSchemas } from './clear-schemas.js';
export { embeddedDatabase, existingDatabase, type InstallationDatabase } from './database.js';
export { type FolderIdentity, identityOf } from './folder-binding.js';
export { type Demo, greeting } from './greeting.js';
export {
  allDatabaseVariables,
  databaseVariables,
  INSTALLATION_FILE,
  type InstallationFile,
  removeInstallationFile,
  writeInstallationFile,
} from './installation-file.js';
export {
  type KeyFiles,
  keyFiles,
  type Keys,
  openKeyFiles,
  openKeys,
  testWalletFiles,
} from './keys.js';
export { ensureTestWallets, type TestWalletFiles } from './test-wallets.js';
export {
  CLUSTER_DATA_FOLDER,
  type Flag,
  localFlags,
  LocalSettings,
  SANDBOX_DATA_FOLDER,
} from './local-settings.js';
export { assertPortFree, PortInUse, portRefusal } from './port.js';
export { recoveryLine, type UncleanStop } from './recovery-line.js';
export { type LineSink, LineConsole, type RequestLine, requestLine } from './line-console.js';
export {
  type Installation,
  type InstallationCommand,
  runInstallation,
} from './run-installation.js';
export { sandboxFlags, SandboxSettings } from './sandbox-settings.js';
export { readSeedFile } from './seed-file.js';
export { SettingRefused } from './setting-refused.js';
