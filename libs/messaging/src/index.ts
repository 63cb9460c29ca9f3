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
  type Events,
  Execution,
  type Queries,
  queryPattern,
  QueryUnavailable,
  type SendOptions,
} from './ports.js';
