import type { InitialOperation, ReferenceOperation } from '@sluice/contracts';

/**
 * What a request wants. `payment` is a new one by card; each operation that refers to a transaction
 * is a kind; `read` is a GET of one transaction; `query` searches for them; `checkout` has rows that hold
 * nowhere else.
 */
export type Kind = 'payment' | ReferenceOperation | 'read' | 'query' | 'checkout';

/** The operations that refer to a transaction, in the order of the reference. */
export const referenceKinds = [
  'capture',
  'reversal',
  'refund',
  'rebill',
  'receipt',
  'chargeback',
  'chargebackReversal',
  'incrementalAuthorization',
  'reauthorization',
] as const satisfies readonly ReferenceOperation[];

/** Every kind, in the order of the reference. */
export const kinds = [
  'payment',
  ...referenceKinds,
  'read',
  'query',
  'checkout',
] as const satisfies readonly Kind[];

/** Payments and all that refers to them. */
export const paymentKinds = ['payment', ...referenceKinds] as const;

/** `paymentType` of `POST /v1/payments` in words; the two letters go no further than the edge. */
export const initialOperations: ReadonlyMap<string, InitialOperation> = new Map([
  ['PA', 'authorization'],
  ['DB', 'debit'],
  ['CD', 'credit'],
]);

/** `paymentType` of `POST /v1/payments/{id}` in words; PA there increments (D-33). */
export const referenceOperations: ReadonlyMap<string, ReferenceOperation> = new Map([
  ['CP', 'capture'],
  ['RV', 'reversal'],
  ['RF', 'refund'],
  ['RB', 'rebill'],
  ['RC', 'receipt'],
  ['CB', 'chargeback'],
  ['CR', 'chargebackReversal'],
  ['PA', 'incrementalAuthorization'],
]);

const paymentTypes: Readonly<Record<InitialOperation | ReferenceOperation, string>> = {
  authorization: 'PA',
  debit: 'DB',
  credit: 'CD',
  capture: 'CP',
  reversal: 'RV',
  refund: 'RF',
  rebill: 'RB',
  receipt: 'RC',
  chargeback: 'CB',
  chargebackReversal: 'CR',
  incrementalAuthorization: 'PA',
  reauthorization: 'PA',
};

/** The operations that answers state as this `paymentType`; none for one that is not served. */
export function operationsOfPaymentType(
  paymentType: string,
): readonly (InitialOperation | ReferenceOperation)[] {
  const operations = Object.entries(paymentTypes) as [
    InitialOperation | ReferenceOperation,
    string,
  ][];
  return operations.filter(([, code]) => code === paymentType).map(([operation]) => operation);
}

/** The `paymentType` an answer states for an operation. */
export function paymentTypeOf(operation: InitialOperation | ReferenceOperation): string {
  return paymentTypes[operation];
}
