export { type EntityId, isEntityId } from './entity-id.js';
export { newMessageId } from './message-id.js';
export { newNdc } from './ndc.js';
export { random } from './random.js';
export {
  chainShard,
  isTransactionId,
  mintedAtMs,
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from './transaction-id.js';
