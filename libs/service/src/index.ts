export { type Clock, systemClock } from './clock.js';
export { assertDurable, createPool, DurabilityError, type PoolOptions } from './database.js';
export { type FileKeyOptions, FileKeyProvider, KeyFileError } from './file-key-provider.js';
export {
  HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResult,
} from './http-client.js';
export {
  type KeyProvider,
  type WrappedKey,
  WrappedKeyBroken,
  WrappingKeyRetired,
} from './key-provider.js';
export {
  createLogger,
  LOG_LEVELS,
  type LoggedError,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  maskCardNumbers,
  serializeError,
} from './logger.js';
export {
  migrate,
  migrateIfOwner,
  type MigrateOptions,
  type Migration,
  type ServiceAddress,
} from './migrate.js';
export { type KeySource, type OpenKeys, openKeys } from './open-keys.js';
export { Outage, type OutageSentences } from './outage.js';
export { DatabaseAccessError, ensureRolesAndSchema, type ServiceDatabase } from './roles.js';
export type { RunningService } from './running-service.js';
export {
  loadSettings,
  SettingsError,
  Variable,
  type VariableOptions,
  variableNames,
} from './settings.js';
export { makeWholeFile } from './whole-file.js';
