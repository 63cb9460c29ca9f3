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
  type EventBatch,
  type Events,
  type EventSubscription,
  Execution,
  InfrastructureAway,
  MessagesRefused,
  type OpenSubscription,
  type Queries,
  queryPattern,
  QueryUnavailable,
  type ReceivedEvent,
  type SendOptions,
} from './ports.js';
