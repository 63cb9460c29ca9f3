import type { Amount } from '@sluice/money';
import { FileChecks } from './file-checks.js';
import {
  accountElement,
  agentElement,
  creditorSchemeElement,
  partyElement,
  type SepaParty,
} from './party-elements.js';
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

/** Where a collection stands among those of its mandate: the first, a later one, the only one, the last. */
export type CollectionSequence = 'FRST' | 'RCUR' | 'OOFF' | 'FNAL';

/** By which a debtor has allowed one creditor to collect. */
export interface Mandate {
  readonly id: string;
  /** The day of the signature. */
  readonly signedOn: string;
}

/** One collection. */
export interface DirectDebit {
  /** Ours, and passed on to the debtor: every answer about the collection names it. */
  readonly endToEndId: string;
  readonly amount: Amount;
  readonly mandate: Mandate;
  readonly debtor: SepaParty;
  /** What it is for, in words. */
  readonly remittance?: string;
}

/** Collections for one account on one day. */
export interface DirectDebitBatch {
  /** Ours: a bank may answer, and book, by batch. */
  readonly id: string;
  readonly creditor: SepaParty;
  readonly creditorId: string;
  readonly sequence: CollectionSequence;
  /** The day on which the debtors are to be debited; banks want it a working day ahead. */
  readonly collectionDate: string;
  /** Whether the bank books one sum, not each collection. */
  readonly isBookedAsOne?: boolean;
  readonly debits: readonly DirectDebit[];
}

/** What a file of direct debits is written from. */
export interface DirectDebitFile extends FileHeader {
  readonly batches: readonly DirectDebitBatch[];
}

const MESSAGE = { name: 'pain.008.001.08', root: 'CstmrDrctDbtInitn' };
/** Of SEPA's two schemes the one for everybody; the other one is for companies alone. */
const SCHEME = 'CORE';

/** Writes direct debits of SEPA's scheme CORE as pain.008.001.08. */
export function writeDirectDebits(file: DirectDebitFile): WrittenFile {
  const checks = new FileChecks();
  checks.count('batches', file.batches, BATCHES_MAX);
  const batches = file.batches.map((batch, index) =>
    batchElement(checks, `batches[${index}]`, batch, file.createdAt),
  );
  const amounts = file.batches.flatMap(({ debits }) => debits.map(({ amount }) => amount));
  return writtenFile(checks, MESSAGE, file, { amounts, batches });
}

function batchElement(
  checks: FileChecks,
  at: string,
  batch: DirectDebitBatch,
  createdAt: string,
): XmlText {
  const { creditor, debits } = batch;
  checks.count(`${at}.debits`, debits, TRANSACTIONS_MAX);
  const collectedOn = checks.dueDate(`${at}.collectionDate`, batch.collectionDate, createdAt);
  return branch(
    'PmtInf',
    leaf('PmtInfId', checks.ownIdentifier(`${at}.id`, 'batch', batch.id)),
    leaf('PmtMtd', 'DD'),
    batchBooking(batch.isBookedAsOne),
    ...totals(debits.map(({ amount }) => amount)),
    paymentType(branch('LclInstrm', leaf('Cd', SCHEME)), leaf('SeqTp', batch.sequence)),
    leaf('ReqdColltnDt', collectedOn),
    partyElement(checks, `${at}.creditor`, 'Cdtr', creditor),
    accountElement(checks, `${at}.creditor`, 'Cdtr', creditor),
    agentElement(checks, `${at}.creditor`, 'Cdtr', creditor),
    sharedCharges,
    creditorSchemeElement(checks, `${at}.creditorId`, batch.creditorId),
    ...debits.map((debit, index) =>
      debitElement(checks, `${at}.debits[${index}]`, debit, batch.collectionDate),
    ),
  );
}

function debitElement(
  checks: FileChecks,
  at: string,
  { amount, debtor, endToEndId, mandate, remittance }: DirectDebit,
  collectionDate: string,
): XmlText {
  if (mandate.signedOn > collectionDate) checks.note(`${at}.mandate.signedOn`, 'signedLater');
  return branch(
    'DrctDbtTxInf',
    branch(
      'PmtId',
      leaf('EndToEndId', checks.ownIdentifier(`${at}.endToEndId`, 'transaction', endToEndId)),
    ),
    leaf('InstdAmt', ...checks.euros(`${at}.amount`, amount)),
    branch(
      'DrctDbtTx',
      branch(
        'MndtRltdInf',
        leaf('MndtId', checks.identifier(`${at}.mandate.id`, mandate.id)),
        leaf('DtOfSgntr', checks.date(`${at}.mandate.signedOn`, mandate.signedOn)),
      ),
    ),
    agentElement(checks, `${at}.debtor`, 'Dbtr', debtor),
    partyElement(checks, `${at}.debtor`, 'Dbtr', debtor),
    accountElement(checks, `${at}.debtor`, 'Dbtr', debtor),
    remittanceElement(remittance),
  );
}
