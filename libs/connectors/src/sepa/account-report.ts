import type { Amount } from '@sluice/money';
import type { Detail } from '@sluice/secrets';
import { type FileElement, present } from './file-element.js';
import { type Reason, reasonIn } from './status-report.js';

/** Which way money went, as the owner of the account sees it. */
export type Direction = 'credit' | 'debit';

/** What is said of an account: a statement of a day (camt.053), or a notification (camt.054). */
export interface AccountReport {
  readonly id: string;
  readonly createdAt?: string;
  /** Counted by the bank, so that a missing one is noticed. */
  readonly sequenceNumber?: string;
  readonly page?: { readonly number: string; readonly isLast: boolean };
  readonly account?: Detail;
  readonly currency?: string;
  /** Of a statement; a notification has none. */
  readonly balances: readonly Balance[];
  readonly entries: readonly Entry[];
}

/** What was on the account. */
export interface Balance {
  /** `OPBD` at the beginning, `CLBD` at the end, and others of the bank. */
  readonly code: string;
  readonly amount: Amount;
  /** Whether the bank owes it, or is owed it. */
  readonly direction: Direction;
  readonly day?: string;
}

/** Whether the money has moved. */
export type EntryStatus = 'booked' | 'pending' | 'information' | 'future' | 'other';

/** One line of the account, for one transaction or for many. */
export interface Entry {
  readonly amount: Amount;
  readonly direction: Direction;
  readonly status: EntryStatus;
  /** It undoes an entry of the other direction. */
  readonly isReversal: boolean;
  readonly bookedOn?: string;
  readonly valueOn?: string;
  /** The bank's own name for it. */
  readonly bankReference?: string;
  readonly transactionCode: TransactionCode;
  /** The batch that was booked as one. */
  readonly batchId?: string;
  readonly transactions: readonly EntryTransaction[];
  readonly information?: string;
}

/** What kind of transaction it is: ISO's three codes, as `PMNT`, `IDDT`, `UPDD`, or the bank's own. */
export interface TransactionCode {
  readonly domain?: string;
  readonly family?: string;
  readonly subFamily?: string;
  readonly proprietary?: string;
}

/** A transaction within an entry. */
export interface EntryTransaction {
  readonly messageId?: string;
  readonly batchId?: string;
  readonly instructionId?: string;
  readonly endToEndId?: string;
  readonly mandateId?: string;
  readonly transactionId?: string;
  /** The bank's own name for it. */
  readonly bankReference?: string;
  /** What was booked of it; its entry's where that has no other transaction. */
  readonly amount?: Amount;
  /** What was once asked for: what is missing of it in a return was added as charges, or the reverse. */
  readonly instructedAmount?: Amount;
  readonly direction: Direction;
  readonly charges: readonly Amount[];
  readonly transactionCode: TransactionCode;
  readonly debtor: EntryParty;
  readonly creditor: EntryParty;
  /** What it was for: words that anybody may have written. */
  readonly remittance: readonly string[];
  /** It came back; then there is a reason, though the bank may not say one. */
  readonly returned?: Reason;
  readonly information?: string;
}

/** A side of a transaction, as far as the bank names it. */
export interface EntryParty {
  readonly name?: string;
  readonly account?: Detail;
}

const directions: ReadonlyMap<string, Direction> = new Map([
  ['CRDT', 'credit'],
  ['DBIT', 'debit'],
]);
const statuses: ReadonlyMap<string, EntryStatus> = new Map([
  ['BOOK', 'booked'],
  ['PDNG', 'pending'],
  ['INFO', 'information'],
  ['FUTR', 'future'],
]);

/** Reads one statement or notification; the two differ in the name of their pages and in balances. */
export function accountReportIn(report: FileElement): AccountReport {
  const page = report.first('StmtPgntn') ?? report.first('NtfctnPgntn');
  return {
    id: report.neededText('Id'),
    ...present({
      createdAt: report.time('CreDtTm'),
      sequenceNumber: report.text('ElctrncSeqNb') ?? report.text('LglSeqNb'),
      page: page && { number: page.neededText('PgNb'), isLast: page.isTrue('LastPgInd') },
      account: report.account('Acct'),
      currency: report.text('Acct', 'Ccy'),
    }),
    balances: report.all('Bal').map(balanceIn),
    entries: report.all('Ntry').map(entryIn),
  };
}

function balanceIn(balance: FileElement): Balance {
  const type = balance.needed('Tp', 'CdOrPrtry');
  return {
    code: type.text('Cd') ?? type.neededText('Prtry'),
    amount: balance.neededAmount('Amt'),
    direction: balance.oneOf(directions, 'CdtDbtInd'),
    ...present({ day: balance.day('Dt') }),
  };
}

function entryIn(element: FileElement): Entry {
  const entry = {
    amount: element.neededAmount('Amt'),
    direction: element.oneOf(directions, 'CdtDbtInd'),
    status: statuses.get(element.needed('Sts').text('Cd') ?? '') ?? 'other',
    isReversal: element.isTrue('RvslInd'),
    ...present({
      bookedOn: element.day('BookgDt'),
      valueOn: element.day('ValDt'),
      bankReference: element.text('AcctSvcrRef'),
      batchId: element.identifier('NtryDtls', 'Btch', 'PmtInfId'),
      information: element.text('AddtlNtryInf'),
    }),
    transactionCode: transactionCodeIn(element),
  };
  const details = element.all('NtryDtls').flatMap((some) => some.all('TxDtls'));
  const transactions = details.map((detail) =>
    transactionIn(detail, entry.direction, details.length === 1 ? entry.amount : undefined),
  );
  return { ...entry, transactions };
}

function transactionIn(
  transaction: FileElement,
  direction: Direction,
  wholeAmount: Amount | undefined,
): EntryTransaction {
  const references = transaction.first('Refs');
  const returned = transaction.first('RtrInf');
  return {
    ...present({
      messageId: references?.identifier('MsgId'),
      batchId: references?.identifier('PmtInfId'),
      instructionId: references?.identifier('InstrId'),
      endToEndId: references?.identifier('EndToEndId'),
      mandateId: references?.identifier('MndtId'),
      transactionId: references?.identifier('TxId'),
      bankReference: references?.identifier('AcctSvcrRef'),
      amount:
        transaction.amount('Amt') ?? transaction.amount('AmtDtls', 'TxAmt', 'Amt') ?? wholeAmount,
      instructedAmount: transaction.amount('AmtDtls', 'InstdAmt', 'Amt'),
      returned: returned && reasonIn(returned),
      information: transaction.text('AddtlTxInf'),
    }),
    direction: transaction.first('CdtDbtInd')
      ? transaction.oneOf(directions, 'CdtDbtInd')
      : direction,
    charges: chargesIn(transaction),
    transactionCode: transactionCodeIn(transaction),
    debtor: partyIn(transaction, 'Dbtr'),
    creditor: partyIn(transaction, 'Cdtr'),
    remittance: transaction.first('RmtInf')?.texts('Ustrd') ?? [],
  };
}

function chargesIn(transaction: FileElement): readonly Amount[] {
  const records = transaction.first('Chrgs')?.all('Rcrd') ?? [];
  return records.map((record) => record.neededAmount('Amt'));
}

function transactionCodeIn(element: FileElement): TransactionCode {
  const domain = element.first('BkTxCd', 'Domn');
  return present({
    domain: domain?.text('Cd'),
    family: domain?.text('Fmly', 'Cd'),
    subFamily: domain?.text('Fmly', 'SubFmlyCd'),
    proprietary: element.text('BkTxCd', 'Prtry', 'Cd'),
  });
}

function partyIn(transaction: FileElement, side: 'Cdtr' | 'Dbtr'): EntryParty {
  const parties = transaction.first('RltdPties');
  return present({
    name: parties?.text(side, 'Pty', 'Nm'),
    account: parties?.account(`${side}Acct`),
  });
}
