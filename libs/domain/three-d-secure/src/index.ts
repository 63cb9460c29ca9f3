export {
  type AuthenticationEnd,
  type AuthenticationFailure,
  type Verdict,
  verdictOf,
} from './authentication/verdict.js';
