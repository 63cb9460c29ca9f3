import type { Mode, TransactionOutcome } from '@sluice/contracts';
import { toMessage } from '@sluice/money';
import type { Transaction } from './transaction.js';

/** The result codes this context gives by itself; connectors bring the others. */
export const resultCodes = {
  successLive: '000.000.000',
  successInternal: '000.100.110',
  successExternal: '000.100.112',
  chargeback: '000.100.200',
  pending: '000.200.000',
  amountTooLarge: '100.550.301',
  currencyDiffers: '700.100.500',
  modeDiffers: '700.100.600',
  unsuitableType: '700.100.700',
  referenceTypeNotAllowed: '700.300.100',
  alreadyReversed: '700.300.300',
  afterChargeback: '700.300.600',
  tooLateToReverse: '700.300.700',
  captureRefused: '700.400.100',
  refundRefused: '700.400.200',
  reversalRefused: '700.400.300',
  chargebackRefused: '700.400.400',
  chargebackNotManual: '700.400.402',
  chargebackReversalRefused: '700.400.410',
  chargebackReversalNeedsChargeback: '700.400.420',
  captureNeedsAuthorization: '700.400.510',
  refundNeedsCapture: '700.400.520',
  reversalNeedsTransaction: '700.400.530',
  chargebackNeedsCapture: '700.400.550',
  receiptNeedsAuthorization: '700.400.560',
  referencedPending: '700.400.570',
  throttled: '800.120.100',
  notApplicable: '900.100.202',
  reversedAfterUnknown: '900.100.301',
  notPerformed: '900.100.310',
} as const;

/** What a success answers where the acquirer gives no code of its own (D-41; result codes 7). */
export function successCode(mode: Mode): string {
  switch (mode) {
    case 'INTERNAL':
      return resultCodes.successInternal;
    case 'EXTERNAL':
      return resultCodes.successExternal;
    case 'LIVE':
      return resultCodes.successLive;
  }
}

/** The outcome fields of a transaction, as replies carry them (D-15, D-34). */
export function outcomeOf(transaction: Transaction): TransactionOutcome {
  const { id, referencedId, operation, status, resultCode, amount } = transaction;
  const { resultDescription, connectorTxId, resultDetails } = transaction;
  const { avsResponse, cvvResponse } = transaction;
  return {
    id,
    operation,
    status,
    resultCode,
    ...(resultDescription !== undefined && { resultDescription }),
    ...(referencedId !== undefined && { referencedId }),
    ...(amount !== undefined && { amount: toMessage(amount) }),
    ...(connectorTxId !== undefined && { connectorTxId }),
    ...(resultDetails !== undefined && { resultDetails }),
    ...(avsResponse !== undefined && { avsResponse }),
    ...(cvvResponse !== undefined && { cvvResponse }),
  };
}
