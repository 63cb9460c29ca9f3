/** The operations that begin a payment (PA, DB, CD). */
export const initialOperations = ['authorization', 'debit', 'credit'] as const;

/** One of them. */
export type InitialOperation = (typeof initialOperations)[number];

/** The operations that end before an acquirer is asked: 3-D Secure (3D) and a risk check (RI) alone. */
export const standaloneOperations = ['authentication', 'riskAssessment'] as const;

/** One of them. */
export type StandaloneOperation = (typeof standaloneOperations)[number];

/** Everything that begins a stream of payments. */
export const beginningOperations = [...initialOperations, ...standaloneOperations] as const;

/** One of them. */
export type BeginningOperation = (typeof beginningOperations)[number];

/** Whether an operation asks no acquirer, and so moves no money. */
export function isStandalone(operation: string): operation is StandaloneOperation {
  return standaloneOperations.some((each) => each === operation);
}

/** The operations that refer to a transaction. */
export const referenceOperations = [
  'capture',
  'reversal',
  'refund',
  'rebill',
  'receipt',
  'chargeback',
  'chargebackReversal',
  'incrementalAuthorization',
  'reauthorization',
] as const;

/** One of them. */
export type ReferenceOperation = (typeof referenceOperations)[number];

/** Every operation on a payment, in the order of the documented table. */
export const operations = [...beginningOperations, ...referenceOperations] as const;

/** One of them. */
export type Operation = (typeof operations)[number];

/** The operations that reserve money; together they are the chain's one authorization (D-33). */
export const authorizingOperations = [
  'authorization',
  'incrementalAuthorization',
  'reauthorization',
] as const satisfies readonly Operation[];

/**
 * Which successful operations each operation may refer to (wire contract 4, D-31): the domain
 * decides by this table, and the reference page offers nothing else.
 */
export const referableOperations: Readonly<Record<ReferenceOperation, readonly Operation[]>> = {
  capture: authorizingOperations,
  reversal: [...authorizingOperations, 'capture', 'debit', 'rebill'],
  refund: ['capture', 'debit', 'rebill', 'receipt'],
  rebill: ['capture', 'debit'],
  receipt: authorizingOperations,
  chargeback: ['capture', 'debit', 'rebill', 'chargebackReversal'],
  chargebackReversal: ['chargeback'],
  incrementalAuthorization: authorizingOperations,
  reauthorization: authorizingOperations,
};
