import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { ShownInstrument } from './instruments.js';
import type { AmountMessage } from './messages.js';
import type { InitialOperation } from './operations.js';
import type { Mode } from './payments.js';

/**
 * What rules may decide, the strictest last. `challenge`: the shopper is authenticated first. `review`:
 * it goes on, and a person looks at it before money moves.
 */
export const riskDecisions = ['accept', 'challenge', 'review', 'reject'] as const;

/** One of them. */
export type RiskDecision = (typeof riskDecisions)[number];

/** The query `risk.assess`: asked again under the same id, the same is answered and nothing counted twice. */
export interface AssessQuery {
  /** Of the payment, or of a standalone request. */
  readonly assessmentId: TransactionId;
  readonly entityId: EntityId;
  /** Its channel first, then every node above it: whose rules hold. */
  readonly nodes: readonly EntityId[];
  readonly mode: Mode;
  /** Absent for a standalone request (`POST /v1/risk`). */
  readonly operation?: InitialOperation;
  readonly amount: AmountMessage;
  /** When the request came, milliseconds since the epoch. */
  readonly receivedAtMs: number;
  readonly instrument: ShownInstrument;
  /** The vault's keyed hash of the account, of one merchant. */
  readonly accountFingerprint?: string;
  /** ISO 3166-1 alpha-2. */
  readonly issuerCountry?: string;
  /** Everything that was sent and may be kept, by wire name, personal values in clear. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A rule that spoke, by its name for people. Its inputs are kept by risk alone. */
export interface FiredRule {
  readonly id: string;
  readonly name: string;
}

/**
 * What the rules decide once the acquirer has said yes, by what the issuer found of address and security code
 * (`checkedPair`). It is said before anybody is asked, so that nobody has to be asked again: whoever records the
 * approval decides, and after a crash decides the same.
 */
export interface AssessmentAfterwards {
  /** The pairs for which it holds; for all others it stays as it is. */
  readonly pairs: readonly string[];
  readonly decision: RiskDecision;
  readonly resultCode?: string;
  /** In the place of the score before. */
  readonly score: number;
  readonly fired: readonly FiredRule[];
}

/** Its answer. */
export interface AssessmentAnswer {
  readonly decision: RiskDecision;
  /** Why it is rejected or reviewed (result codes 100.380, 100.400, 800.1x0, 800.3x0, 000.400.0x0). */
  readonly resultCode?: string;
  /** The sum of what the rules add; `risk.score` of the answer. */
  readonly score: number;
  readonly fired: readonly FiredRule[];
  /** Absent where no rule looks at what the issuer finds. */
  readonly afterwards?: readonly AssessmentAfterwards[];
}

/** The query `risk.assessedNodes`. */
export interface AssessedNodesQuery {
  /** The version that the asking instance has; absent at first. */
  readonly knownVersion?: string;
}

/** Which nodes of the account tree have rules of their own: payments of all others are not asked about. */
export interface AssessedNodes {
  /** Different after every change. */
  readonly version: string;
  readonly assessed: readonly EntityId[];
}

/** Its answer; without nodes when nothing has changed. */
export interface AssessedNodesAnswer {
  readonly nodes?: AssessedNodes;
}

/** The query `payments.reviewDecided`: a person, or the time that the channel set, has decided. */
export interface ReviewDecidedQuery {
  readonly transactionId: TransactionId;
  readonly decision: 'released' | 'rejected';
  /** Who decided: an operator, or `time`. */
  readonly actor: string;
  /** Of a rejection: the transaction that gives the money back. */
  readonly reversalId?: TransactionId;
}

/** What payments made of it. */
export type ReviewDecidedAnswer =
  | { readonly kind: 'recorded' }
  /** It was decided before, or is not under review. */
  | { readonly kind: 'nothingToDecide' }
  | { readonly kind: 'again' };
