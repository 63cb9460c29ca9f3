import type { Amount } from '@sluice/money';
import { type FileElement, present } from './file-element.js';

/**
 * Why, in ISO's code or in one of the bank's own, and in words. The words are the bank's: they may
 * name people and accounts.
 */
export interface Reason {
  readonly code?: string;
  readonly proprietary?: string;
  readonly information: readonly string[];
}

/** What a bank says of a file that was sent to it, of all or of some of its parts (pain.002). */
export interface StatusReport {
  readonly messageId: string;
  readonly createdAt: string;
  /** The file that it is about, and of which kind that was: `pain.008.001.08`. */
  readonly originalMessageId: string;
  readonly originalMessage: string;
  /** Of the whole file: four letters of ISO, or none. */
  readonly status?: string;
  readonly reasons: readonly Reason[];
  readonly batches: readonly BatchStatus[];
}

/** What is said of a batch. */
export interface BatchStatus {
  readonly originalBatchId: string;
  readonly status?: string;
  readonly reasons: readonly Reason[];
  /** Those of which something is said; often only the ones that were rejected. */
  readonly transactions: readonly TransactionStatus[];
}

/** What is said of a transaction. */
export interface TransactionStatus {
  readonly originalEndToEndId?: string;
  readonly originalInstructionId?: string;
  /** The bank's own name for it. */
  readonly bankReference?: string;
  readonly status?: string;
  readonly reasons: readonly Reason[];
  readonly amount?: Amount;
  readonly mandateId?: string;
}

/** Reads the message of a pain.002. */
export function statusReportIn(message: FileElement): StatusReport {
  const original = message.needed('OrgnlGrpInfAndSts');
  return {
    messageId: message.neededText('GrpHdr', 'MsgId'),
    createdAt: message.neededTime('GrpHdr', 'CreDtTm'),
    originalMessageId: original.neededText('OrgnlMsgId'),
    originalMessage: original.neededText('OrgnlMsgNmId'),
    ...statusIn(original, 'GrpSts'),
    batches: message.all('OrgnlPmtInfAndSts').map((batch) => ({
      originalBatchId: batch.neededText('OrgnlPmtInfId'),
      ...statusIn(batch, 'PmtInfSts'),
      transactions: batch.all('TxInfAndSts').map(transactionIn),
    })),
  };
}

/** A reason and the words beside it, of a rejection or a return. */
export function reasonIn(element: FileElement): Reason {
  return {
    ...present({ code: element.text('Rsn', 'Cd'), proprietary: element.text('Rsn', 'Prtry') }),
    information: element.texts('AddtlInf'),
  };
}

function transactionIn(transaction: FileElement): TransactionStatus {
  const original = transaction.first('OrgnlTxRef');
  return {
    ...present({
      originalEndToEndId: transaction.identifier('OrgnlEndToEndId'),
      originalInstructionId: transaction.identifier('OrgnlInstrId'),
      bankReference: transaction.text('AcctSvcrRef'),
      amount: original?.amount('Amt', 'InstdAmt'),
      mandateId: original?.identifier('MndtRltdInf', 'MndtId'),
    }),
    ...statusIn(transaction, 'TxSts'),
  };
}

function statusIn(element: FileElement, name: string): Pick<StatusReport, 'status' | 'reasons'> {
  return {
    ...present({ status: element.text(name) }),
    reasons: element.all('StsRsnInf').map(reasonIn),
  };
}
