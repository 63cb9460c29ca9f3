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
export { type AccountEndpoint, type CallLimits, EndpointRefused } from './acquirer.js';
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
