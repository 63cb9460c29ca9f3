import type { EntityId } from '@sluice/identifiers';
import type { AmountMessage } from './messages.js';
import type { Mode } from './payments.js';

/**
 * The query `payments.takenBrands`: between which brands the shopper of a payment to come may choose. Every
 * cell has the same routes, so any of them answers.
 */
export interface TakenBrandsQuery {
  readonly entityId: EntityId;
  readonly mode: Mode;
  readonly amount: AmountMessage;
  /** Whether the merchant has said that it is paid in installments; absent: it has not. */
  readonly inInstallments?: boolean;
}

/** Its answer. */
export interface TakenBrandsAnswer {
  /** Of those that are known; with a star, how they begin. Absent while nobody knows the routes. */
  readonly brands?: readonly string[];
}
