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
