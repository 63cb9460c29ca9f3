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
export { acquirerSettings, type AcquirerSettings, connectorsFor } from './acquirers.js';
export {
  SimulatorConnector,
  type SimulatorConnectorSettings,
} from './simulator/simulator-connector.js';
