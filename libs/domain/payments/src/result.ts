import type { Mode, TransactionOutcome } from '@sluice/contracts';
import { toMessage } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import type { Transaction } from './transaction.js';

/** What a success answers where the acquirer gives no code of its own (D-41; result codes 7). */
export function successCode(mode: Mode): string {
  switch (mode) {
    case 'INTERNAL':
      return codes.approvedInternal;
    case 'EXTERNAL':
      return codes.approvedExternal;
    case 'LIVE':
      return codes.approvedLive;
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
