export {
  addressData,
  type AddressData,
  addressDataNeeded,
  addressFiles,
  refuseWithout,
} from './address-data.js';
export { rangeFault, type RangeSet, rangeSet } from './address-ranges.js';
export { assessPayment, type Judgement, RULES_AFTERWARDS_MAX } from './afterwards.js';
export { assess, type Assessment, type Fired, releaseAfterMinutes } from './assess.js';
export { canonicalValue } from './canonical-values.js';
export type { Inputs } from './conditions.js';
export { expressionFault, EXPRESSION_DEPTH_MAX, EXPRESSION_PARTS_MAX } from './expressions.js';
export { type AddressFacts, type Facts, factsOf, type Subject, subjects } from './facts.js';
export { RulesRefused } from './form-values.js';
export { factsAsKept, type KeptFacts, keptFacts, type Mark, type Marked } from './kept-facts.js';
export {
  type PastOutcome,
  pastOutcome,
  type PastPayment,
  type Replay,
  type RuleTally,
  startReplay,
  type Tally,
  type WhatIf,
} from './replay.js';
export { readNewRuleSet, refuseEnded } from './new-rules.js';
export { type LeftOut, type ReplayableRules, replayableRules } from './replayable-rules.js';
export { conditionKinds, LIST_ENTRIES_MAX, readRuleSet, RULES_MAX } from './rule-form.js';
export type {
  Condition,
  ListedBy,
  ListEntry,
  PlacedRules,
  Rule,
  RuleSet,
  ScorerUse,
} from './rules.js';
export {
  outcomeFields,
  type PaymentOutcome,
  type PaymentStep,
  paymentOutcome,
} from './payment-outcome.js';
export { operators } from './three-valued.js';
export {
  scorerAnswer,
  type ScorerAnswer,
  scorerOf,
  type ScorerQuestion,
  scorerQuestion,
  withScorer,
} from './scorer.js';
export {
  countsByName,
  type Histories,
  historiesNeeded,
  type History,
  keysOf,
  WINDOW_MINUTES_MAX,
  type WindowCount,
  type WindowCounts,
  type WindowNeeded,
  windowsNeeded,
} from './windows.js';
