import type { Amount } from '@sluice/money';
import { FileChecks } from './file-checks.js';
import { accountElement, agentElement, partyElement, type SepaParty } from './party-elements.js';
import {
  batchBooking,
  BATCHES_MAX,
  type FileHeader,
  paymentType,
  remittanceElement,
  sharedCharges,
  totals,
  TRANSACTIONS_MAX,
  writtenFile,
  type WrittenFile,
} from './payment-file.js';
import { branch, leaf, type XmlText } from './xml-text.js';

/** One payment out. */
export interface CreditTransfer {
  /** Ours, and passed on to the creditor: every answer about the transfer names it. */
  readonly endToEndId: string;
  readonly amount: Amount;
  readonly creditor: SepaParty;
  /** What it is for, in words. */
  readonly remittance?: string;
}

/** Transfers from one account on one day. */
export interface CreditTransferBatch {
  /** Ours: a bank may answer, and book, by batch. */
  readonly id: string;
  readonly debtor: SepaParty;
  /** The day on which the account is to be debited. */
  readonly executionDate: string;
  /** Whether the bank books one sum, not each transfer. */
  readonly isBookedAsOne?: boolean;
  readonly transfers: readonly CreditTransfer[];
}

/** What a file of credit transfers is written from. */
export interface CreditTransferFile extends FileHeader {
  readonly batches: readonly CreditTransferBatch[];
}

const MESSAGE = { name: 'pain.001.001.09', root: 'CstmrCdtTrfInitn' };

/** Writes credit transfers of SEPA as pain.001.001.09. */
export function writeCreditTransfers(file: CreditTransferFile): WrittenFile {
  const checks = new FileChecks();
  checks.count('batches', file.batches, BATCHES_MAX);
  const batches = file.batches.map((batch, index) =>
    batchElement(checks, `batches[${index}]`, batch, file.createdAt),
  );
  const amounts = file.batches.flatMap(({ transfers }) => transfers.map(({ amount }) => amount));
  return writtenFile(checks, MESSAGE, file, { amounts, batches });
}

function batchElement(
  checks: FileChecks,
  at: string,
  batch: CreditTransferBatch,
  createdAt: string,
): XmlText {
  const { debtor, transfers } = batch;
  checks.count(`${at}.transfers`, transfers, TRANSACTIONS_MAX);
  const executedOn = checks.dueDate(`${at}.executionDate`, batch.executionDate, createdAt);
  return branch(
    'PmtInf',
    leaf('PmtInfId', checks.ownIdentifier(`${at}.id`, 'batch', batch.id)),
    leaf('PmtMtd', 'TRF'),
    batchBooking(batch.isBookedAsOne),
    ...totals(transfers.map(({ amount }) => amount)),
    paymentType(),
    branch('ReqdExctnDt', leaf('Dt', executedOn)),
    partyElement(checks, `${at}.debtor`, 'Dbtr', debtor),
    accountElement(checks, `${at}.debtor`, 'Dbtr', debtor),
    agentElement(checks, `${at}.debtor`, 'Dbtr', debtor),
    sharedCharges,
    ...transfers.map((transfer, index) =>
      transferElement(checks, `${at}.transfers[${index}]`, transfer),
    ),
  );
}

function transferElement(
  checks: FileChecks,
  at: string,
  { amount, creditor, endToEndId, remittance }: CreditTransfer,
): XmlText {
  return branch(
    'CdtTrfTxInf',
    branch(
      'PmtId',
      leaf('EndToEndId', checks.ownIdentifier(`${at}.endToEndId`, 'transaction', endToEndId)),
    ),
    branch('Amt', leaf('InstdAmt', ...checks.euros(`${at}.amount`, amount))),
    // Without the code of its bank a creditor has none here, where a debtor must name one.
    creditor.bic === undefined
      ? undefined
      : agentElement(checks, `${at}.creditor`, 'Cdtr', creditor),
    partyElement(checks, `${at}.creditor`, 'Cdtr', creditor),
    accountElement(checks, `${at}.creditor`, 'Cdtr', creditor),
    remittanceElement(remittance),
  );
}
