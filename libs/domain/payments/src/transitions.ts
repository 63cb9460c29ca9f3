import type { ReferenceOperation } from '@sluice/contracts';
import type { Operation } from './events.js';
import { resultCodes } from './result.js';

/** Whether an operation may refer to another one, and the code when it may not. */
export type Transition = 'allowed' | { readonly refused: string };

/** Every operation, in the order of the documented table. */
export const operations = [
  'authorization',
  'debit',
  'credit',
  'capture',
  'reversal',
  'refund',
  'rebill',
  'receipt',
  'chargeback',
  'chargebackReversal',
  'incrementalAuthorization',
  'reauthorization',
] as const satisfies readonly Operation[];

/** The operations that reserve money; together they are the chain's one authorization (D-33). */
export const authorizing: readonly Operation[] = [
  'authorization',
  'incrementalAuthorization',
  'reauthorization',
];

/** What an operation may refer to, and the answer when the referenced one is of another type or not successful (D-29). */
const rules: Record<ReferenceOperation, { on: readonly Operation[]; otherwise: string }> = {
  capture: { on: authorizing, otherwise: resultCodes.captureNeedsAuthorization },
  reversal: {
    on: [...authorizing, 'capture', 'debit', 'rebill'],
    otherwise: resultCodes.reversalNeedsTransaction,
  },
  refund: {
    on: ['capture', 'debit', 'rebill', 'receipt'],
    otherwise: resultCodes.refundNeedsCapture,
  },
  rebill: { on: ['capture', 'debit'], otherwise: resultCodes.referenceTypeNotAllowed },
  receipt: { on: authorizing, otherwise: resultCodes.receiptNeedsAuthorization },
  chargeback: {
    on: ['capture', 'debit', 'rebill', 'chargebackReversal'],
    otherwise: resultCodes.chargebackNeedsCapture,
  },
  chargebackReversal: {
    on: ['chargeback'],
    otherwise: resultCodes.chargebackReversalNeedsChargeback,
  },
  incrementalAuthorization: { on: authorizing, otherwise: resultCodes.unsuitableType },
  reauthorization: { on: authorizing, otherwise: resultCodes.unsuitableType },
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
  const { on, otherwise } = rules[operation];
  const cells = operations.map((referenced): [Operation, Transition] => [
    referenced,
    on.includes(referenced) ? 'allowed' : { refused: otherwise },
  ]);
  return Object.fromEntries(cells) as Record<Operation, Transition>;
}

/** The answer when the referenced transaction was not successful (D-29). */
export function notSuccessfulCode(operation: ReferenceOperation): string {
  return rules[operation].otherwise;
}
