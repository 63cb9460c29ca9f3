export { type CheckoutId, isCheckoutId, newCheckoutId } from './checkout-id.js';
export { type EntityId, isEntityId } from './entity-id.js';
export { newMessageId } from './message-id.js';
export { ndcOfEntity, newNdc } from './ndc.js';
export { random } from './random.js';
export {
  chainShard,
  earliestIdAt,
  isTransactionId,
  keyMark,
  mintedAtMs,
  newTransactionId,
  newTransactionIdInChainOf,
  shortIdOf,
  type TransactionId,
  transactionIdOfRun,
  transactionIdOfTry,
} from './transaction-id.js';
