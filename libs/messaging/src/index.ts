export {
  type CommandContext,
  type CommandResult,
  type Commands,
  type Events,
  Execution,
  type Queries,
  queryPattern,
  QueryUnavailable,
  type SendOptions,
} from './ports.js';
