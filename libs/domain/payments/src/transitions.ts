import {
  authorizingOperations,
  type Operation,
  operations,
  referableOperations,
  type ReferenceOperation,
} from '@sluice/contracts';
import { codes } from '@sluice/result-codes';

/** Whether an operation may refer to another one, and the code if it may not. */
export type Transition = 'allowed' | { readonly refused: string };

/** The operations that reserve money; together they are the chain's one authorization (D-33). */
export const authorizing: readonly Operation[] = authorizingOperations;

/** The answer when the referenced transaction is of another type or was not successful (D-29). */
const refusals: Record<ReferenceOperation, string> = {
  capture: codes.captureNeedsAuthorization,
  reversal: codes.reversalNeedsTransaction,
  refund: codes.refundNeedsCapture,
  rebill: codes.referenceHasWrongType,
  receipt: codes.receiptNeedsTransaction,
  chargeback: codes.chargebackNeedsTransaction,
  chargebackReversal: codes.chargebackReversalNeedsChargeback,
  incrementalAuthorization: codes.furtherAuthorizationNeedsAuthorization,
  reauthorization: codes.furtherAuthorizationNeedsAuthorization,
};

/** `transitions[operation][referenced operation]`, complete (wire contract 4, D-29, D-31). */
export const transitions: Readonly<
  Record<ReferenceOperation, Readonly<Record<Operation, Transition>>>
> = {
  capture: row('capture'),
  reversal: row('reversal'),
  refund: row('refund'),
  rebill: row('rebill'),
  receipt: row('receipt'),
  chargeback: row('chargeback'),
  chargebackReversal: row('chargebackReversal'),
  incrementalAuthorization: row('incrementalAuthorization'),
  reauthorization: row('reauthorization'),
};

function row(operation: ReferenceOperation): Readonly<Record<Operation, Transition>> {
  const on = referableOperations[operation];
  const cells = operations.map((referenced): [Operation, Transition] => [
    referenced,
    on.includes(referenced) ? 'allowed' : { refused: refusals[operation] },
  ]);
  return Object.fromEntries(cells) as Record<Operation, Transition>;
}

/** The answer when the referenced transaction was not successful (D-29). */
export function notSuccessfulCode(operation: ReferenceOperation): string {
  return refusals[operation];
}
