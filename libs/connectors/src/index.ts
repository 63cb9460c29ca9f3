export type {
  AcquirerDecision,
  CallOptions,
  Connector,
  ConnectorCapabilities,
  ConnectorOperation,
  ConnectorRequest,
  InquiryOutcome,
  NotPerformedReason,
  ResultDetails,
  RequestParameters,
  ReversalOutcome,
  ReferenceOptions,
  SubmitOptions,
  SubmitOutcome,
  UnknownReason,
} from './connector.js';
export {
  type AccountEndpoint,
  type CallLimits,
  EndpointRefused,
  type InstallationPorts,
} from './acquirer.js';
export {
  acquirerSettings,
  type AcquirerSettings,
  connectorsFor,
  connectorTo,
} from './acquirers.js';
export {
  type Encoding as MessageEncoding,
  type Message,
  pack as packMessage,
  unpack as unpackMessage,
} from './iso8583/message-format.js';
export {
  SimulatorConnector,
  type SimulatorConnectorSettings,
} from './simulator/simulator-connector.js';
export { type BankFile, readBankFile } from './sepa/bank-file.js';
export { type CreditTransferBatch, writeCreditTransfers } from './sepa/credit-transfer-file.js';
export { type DirectDebitBatch, writeDirectDebits } from './sepa/direct-debit-file.js';
export { accountIn, type OrderAccount } from './sepa/order-account.js';
export { isCreditorId, type SepaParty } from './sepa/party-elements.js';
export type { WrittenFile } from './sepa/payment-file.js';
export { type PaymentStatus, statusesIn } from './sepa/payment-status.js';
export { resultCodeOf } from './sepa/reason-codes.js';
export {
  type PlainMovement,
  plainMovementsIn,
  type ReturnedPayment,
  returnedPaymentsIn,
} from './sepa/returned-payments.js';
export { FILE_BYTES_MAX } from './sepa/xml-document.js';
