import type { AvsResponse, CvvResponse, RiskDecision } from '@sluice/contracts';
import type { AmountText } from '@sluice/money';
import type { Subject } from './facts.js';

/** An amount above or below which a rule holds; other currencies are not compared. */
export interface AmountCondition {
  readonly kind: 'amount';
  readonly above?: AmountText;
  readonly below?: AmountText;
}

/**
 * Which payments a window counts: all that were assessed; those that no rule rejected; of these, those that were
 * approved or whose outcome is not known yet; or those that were declined.
 */
export const countedPayments = ['all', 'passed', 'approved', 'declined'] as const;

/** One of them. */
export type CountedPayments = (typeof countedPayments)[number];

/** How many payments, or how much money, of the same payer a window may have. */
export interface VelocityCondition {
  readonly kind: 'velocity';
  readonly by: Subject;
  readonly counts: CountedPayments;
  /** The window: from so long ago until this payment, which is counted. */
  readonly withinMinutes: number;
  /** Holds when there are more. */
  readonly atMost?: number;
  /** Holds when the sum is larger; payments of other currencies are not added. */
  readonly atMostSum?: AmountText;
}

/** What a payer may have had before, ever since the node has rules about it. */
export const pastPayments = ['payments', 'approved', 'declined', 'chargedBack'] as const;

/** What a payer has done before this payment. */
export interface HistoryCondition {
  readonly kind: 'history';
  readonly by: Subject;
  readonly had: (typeof pastPayments)[number];
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** By what an entry of a list is found. */
export const listedBy = [
  ...(['card', 'email', 'ip', 'device', 'customer'] as const),
  ...(['bin', 'country', 'emailDomain', 'ipRange', 'ipCountry'] as const),
] as const;

/** One of them. */
export type ListedBy = (typeof listedBy)[number];

/** That the payment is on a list of the node. */
export interface ListCondition {
  readonly kind: 'list';
  readonly by: ListedBy;
  readonly values: readonly ListEntry[];
}

/** A value that a list has, in the spelling in which it is compared (canonicalValue). */
export interface ListEntry {
  readonly value: string;
  /** Milliseconds since the epoch; absent: for ever. */
  readonly untilMs?: number;
}

/** Which countries of a payment differ; one that is not known differs from none. */
export const comparedCountries = ['issuer', 'billing', 'shipping', 'ip'] as const;

/** That two countries of the payment are not the same. */
export interface CountriesCondition {
  readonly kind: 'countriesDiffer';
  readonly between: readonly [
    (typeof comparedCountries)[number],
    (typeof comparedCountries)[number],
  ];
}

/** That it is a time of the day, in a time zone; over midnight where it ends before it begins. */
export interface TimeOfDayCondition {
  readonly kind: 'timeOfDay';
  /** Minutes after midnight. */
  readonly fromMinute: number;
  readonly untilMinute: number;
  readonly timeZone: string;
}

/** An expression over the facts, in the notation of JSON Logic. */
export interface ExpressionCondition {
  readonly kind: 'expression';
  readonly expression: unknown;
}

/** What an acquirer may have said, or that it said nothing. */
export type Checked<Response extends string> = Response | 'none';

/**
 * What the issuer found of address or security code. It is known once the acquirer has said yes; a rule that
 * looks at it, here or in an expression, speaks then.
 */
export interface ChecksCondition {
  readonly kind: 'checks';
  readonly avs?: readonly Checked<AvsResponse>[];
  /** Where both are there, both have to hold. */
  readonly cvv?: readonly Checked<CvvResponse>[];
}

/** That the shopper's address is one of those that others hide behind. */
export interface ProxyCondition {
  readonly kind: 'proxy';
}

/** What an external scorer said of this payment; no file can say that. */
export interface ScoredCondition {
  readonly kind: 'scored';
  readonly inputs: Readonly<Record<string, string>>;
}

/** When a rule holds. */
export type Condition = FileCondition | ScoredCondition;

/** When a rule of a file holds. */
export type FileCondition =
  | AmountCondition
  | VelocityCondition
  | HistoryCondition
  | ListCondition
  | CountriesCondition
  | ProxyCondition
  | TimeOfDayCondition
  | ExpressionCondition
  | ChecksCondition;

/** A rule of a merchant. */
export interface Rule {
  /** Small letters, digits and hyphens; unique in its node. */
  readonly id: string;
  /** What it is for, in the merchant's words. */
  readonly name: string;
  readonly when: Condition;
  /** Absent: it only adds to the score. */
  readonly decision?: RiskDecision;
  /** Of a rejection or a review; absent: the code of its kind. */
  readonly resultCode?: string;
  /** Points; absent: none. */
  readonly score?: number;
}

/** How a node uses a scorer that the installation knows. */
export interface ScorerUse {
  readonly name: string;
  /** What a payment of which it says nothing in time leads to. */
  readonly whenAway: 'accept' | 'review' | 'reject';
  /** Interface 2.18, where nothing else is sent. */
  readonly channelId?: string;
  readonly serviceId?: string;
}

/** What a node of the account tree says, valid for it and all below. */
export interface RuleSet {
  readonly rules: readonly Rule[];
  /** Absent: as the node above says, or none. */
  readonly scorer?: ScorerUse;
  /** From this score on it is reviewed; absent: as the node above says. */
  readonly reviewFrom?: number;
  /** The same of a rejection. */
  readonly rejectFrom?: number;
  /** After so long a payment under review is released; absent: as the node above says, or never. */
  readonly releaseAfterMinutes?: number;
}

/** The rules of a node, in their place. */
export interface PlacedRules extends RuleSet {
  readonly nodeId: string;
}
