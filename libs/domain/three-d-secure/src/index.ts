export {
  type AuthenticationEnd,
  type AuthenticationFailure,
  type Verdict,
  verdictOf,
} from './authentication/verdict.js';
export {
  type ExternalProof,
  type ExternalProofFault,
  externalProofFaults,
} from './authentication/external-proof.js';
export { buildMessage, type Built } from './messages/build-message.js';
export {
  type Checked,
  checkMessage,
  type Expected,
  type TransactionIds,
} from './messages/check-message.js';
export {
  decodeMessage,
  decodeMethodData,
  encodeMessage,
  encodeMethodData,
} from './messages/encoded-message.js';
export { fitsElement } from './messages/field-tables.js';
export { erroAbout, type MessageFault } from './messages/erro.js';
export { type ErrorCode, errorCodes, errorDescriptions } from './messages/error-codes.js';
export {
  type DeviceChannel,
  isMessageVersion,
  type Message,
  type MessageCategory,
  type MessageType,
  messageTypes,
  type MessageVersion,
  messageVersions,
} from './messages/message-kinds.js';
export { threeDSecureMessagesReference } from './messages/messages-reference.js';
export {
  CARD_RANGES_CHARACTERS_MAX,
  MESSAGE_CHARACTERS_MAX,
  type Parsed,
  parseMessage,
} from './messages/parse-message.js';
export type { CardRange, CardRanges, ErroMessage, MessageOf } from './messages/typed-messages.js';
