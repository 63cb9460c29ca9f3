export { ForgottenPayers } from './assessment/forgotten-payers.js';
export { RecountedPayers } from './assessment/recounted-payers.js';
export {
  type PastAssessment,
  PastAssessments,
  type Stretch,
} from './assessment/past-assessments.js';
export { PayerHashes } from './assessment/payer-hashes.js';
export {
  type FoundReview,
  type Review,
  type ReviewDecision,
  Reviews,
} from './assessment/reviews.js';
export {
  type NodeRules,
  RuleBook,
  type RuleChange,
  RulesChangedMeanwhile,
} from './assessment/rule-book.js';
export { PastAuthentications } from './authentication/past-authentications.js';
export { AuthenticationServerSettings } from './authentication/authentication-settings.js';
export { risk } from './declaration.js';
export { type RiskOptions, RiskModule, type RunningRisk } from './risk.module.js';
