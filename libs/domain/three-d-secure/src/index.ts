export {
  appChallengeMs,
  deviceInfoIn,
  sdkTransactionId,
  versionOfApp,
} from './authentication/app-elements.js';
export {
  answerOf,
  type Authentication,
  type AuthenticationState,
  type AuthenticationTerms,
  CHALLENGE_MS,
  challengeOf,
  coverageFoundIn,
  dueAtMs,
} from './authentication/authentication.js';
export {
  type AuthenticationCommand,
  authenticationDecider,
  BEGIN_WITHIN_MS,
  type BeginAuthentication,
  DECOUPLED_MAX_MS,
  isAwaited,
  isRepeated,
  type RecordResponse,
  type RecordResult,
  RESULT_AFTER_RETURN_MS,
  type ResultIds,
} from './authentication/authentication-decider.js';
export {
  type AuthenticationEvent,
  authenticationEventCodec,
} from './authentication/authentication-events.js';
export {
  type Coverage,
  coverageOf,
  shortCoverageOf,
} from './authentication/authenticated-amount.js';
export { versionOfPurpose } from './authentication/authentication-purpose.js';
export {
  challengeWindowOf,
  channelOf,
  isDecoupled,
  requestContent,
  type RequestContent,
} from './authentication/authentication-request.js';
export type { RequestFacts, ServerIdentity } from './authentication/request-facts.js';
export { networkOfBrand } from './authentication/network-of-brand.js';
export {
  CardRangeIndex,
  changedRanges,
  type ParticipatingRange,
  type RangeChange,
  rangeChanges,
  versionFor,
} from './card-ranges/card-range-index.js';
export {
  type AuthenticationEnd,
  type AuthenticationFailure,
  type Verdict,
  verdictOf,
} from './authentication/verdict.js';
export { isSameId } from './messages/transaction-ids.js';
export { buildMessage, type Built, type Tried, tryMessage } from './messages/build-message.js';
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
export { messageCharactersMax } from './messages/message-lengths.js';
export { type Parsed, parseMessage } from './messages/parse-message.js';
export type { CardRange, CardRanges, ErroMessage, MessageOf } from './messages/typed-messages.js';
