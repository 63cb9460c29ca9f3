import { createHash } from 'node:crypto';

/*
 * The bank's own reading of the files that it gets, and what it answers. Written from the formats of
 * ISO 20022 alone, so that a mistake of the service that makes the files is not made twice.
 */

/** One order of a file. Amounts are cents. */
export interface BankOrder {
  readonly messageId: string;
  readonly batchId: string;
  readonly kind: 'collection' | 'transfer';
  /** `EndToEndId`. */
  readonly reference: string;
  readonly amountMinor: bigint;
  /** Of a collection: by which mandate, and whether it is the only one by it. */
  readonly mandate?: string;
  readonly isOnlyOne?: boolean;
}

/** What the bank took back, and with which code it has to be charged back. */
export interface BankReturn {
  readonly reference: string;
  readonly resultCode: string;
}

/** All that a bank can say of a run. */
export interface BankEvidence {
  /** Of messages that count: a message that comes again is the same one. */
  readonly orders: readonly BankOrder[];
  readonly returns: readonly BankReturn[];
  /** References of refunds that sepa did not send, because the bank had taken back what they refund. */
  readonly withheld: readonly string[];
  /** Messages that came twice and said something else the second time, and orders that are left behind. */
  readonly complaints: readonly string[];
}

/** Reads a file for a bank. Throws when it is none of the two kinds that it takes. */
export function ordersIn(text: string): readonly BankOrder[] {
  const kind: BankOrder['kind'] = text.includes('pain.008.001.08') ? 'collection' : 'transfer';
  if (kind === 'transfer' && !text.includes('pain.001.001.09')) throw new Error('an unknown file');
  const messageId = textOf(text, /<MsgId>([^<]+)<\/MsgId>/u);
  return partsOf(text, 'PmtInf').flatMap((batch) => {
    const batchId = textOf(batch, /<PmtInfId>([^<]+)<\/PmtInfId>/u);
    const name = kind === 'collection' ? 'DrctDbtTxInf' : 'CdtTrfTxInf';
    return partsOf(batch, name).map((order) => ({
      ...{ messageId, batchId, kind },
      reference: textOf(order, /<EndToEndId>([^<]+)<\/EndToEndId>/u),
      amountMinor: cents(textOf(order, /<InstdAmt Ccy="EUR">([0-9.]+)<\/InstdAmt>/u)),
      ...(kind === 'collection' && {
        mandate: textOf(order, /<MndtId>([^<]+)<\/MndtId>/u),
        isOnlyOne: /<SeqTp>([^<]+)<\/SeqTp>/u.exec(batch)?.[1] === 'OOFF',
      }),
    }));
  });
}

/** What becomes of a collection: decided by its reference, so that a file that comes again meets the same. */
type Fate = 'collected' | 'rejected' | 'returned';

/** What a bank says when it rejects, and when it returns; and what the interface calls it. */
const REASONS = {
  rejected: { reason: 'AC04', resultCode: '000.100.202' },
  returned: { reason: 'AM04', resultCode: '000.100.203' },
} as const;

/** Of ten collections one is rejected, and two are returned. */
function fateOf({ reference, kind }: BankOrder): Fate {
  if (kind === 'transfer') return 'collected';
  const draw = createHash('sha256').update(reference).digest().readUInt8() % 10;
  if (draw === 0) return 'rejected';
  return draw <= 2 ? 'returned' : 'collected';
}

/** What the bank takes back of these orders. */
export function returnsOf(orders: readonly BankOrder[]): readonly BankReturn[] {
  return orders.flatMap((order) => {
    const fate = fateOf(order);
    if (fate === 'collected') return [];
    return [{ reference: order.reference, resultCode: REASONS[fate].resultCode }];
  });
}

/**
 * The bank's answers to a message: what it takes and rejects, what came back, and that once more, as it
 * stands in the statement of the day too.
 */
export function answersTo(orders: readonly BankOrder[]): readonly string[] {
  const returned = orders.filter((order) => fateOf(order) === 'returned');
  const again = ['NOTIFICATION', 'STATEMENT'].map((name) => notification(name, returned));
  return [statusReport(orders), ...(returned.length === 0 ? [] : again)];
}

const AT = '2026-11-27T08:00:00Z';
const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:';

function statusReport(orders: readonly BankOrder[]): string {
  const [first] = orders;
  if (first === undefined) throw new Error('a file without orders');
  const { messageId, kind } = first;
  const message = kind === 'collection' ? 'pain.008.001.08' : 'pain.001.001.09';
  const batches = [...new Set(orders.map(({ batchId }) => batchId))].map((batchId) => {
    const own = orders.filter((order) => order.batchId === batchId).map(statusOf);
    const original = `<OrgnlPmtInfId>${batchId}</OrgnlPmtInfId><PmtInfSts>PART</PmtInfSts>`;
    return `<OrgnlPmtInfAndSts>${original}${own.join('')}</OrgnlPmtInfAndSts>`;
  });
  return (
    `<Document xmlns="${NAMESPACE}pain.002.001.10"><CstmrPmtStsRpt>` +
    `<GrpHdr><MsgId>STATUS-${messageId.slice(-12)}</MsgId><CreDtTm>${AT}</CreDtTm></GrpHdr>` +
    `<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>${message}</OrgnlMsgNmId>` +
    `<GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>${batches.join('')}</CstmrPmtStsRpt></Document>`
  );
}

function statusOf(order: BankOrder): string {
  const isRejected = fateOf(order) === 'rejected';
  const { reason } = REASONS.rejected;
  return (
    `<TxInfAndSts><OrgnlEndToEndId>${order.reference}</OrgnlEndToEndId>` +
    `<TxSts>${isRejected ? 'RJCT' : 'ACCP'}</TxSts>` +
    (isRejected ? `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>` : '') +
    '</TxInfAndSts>'
  );
}

function notification(name: string, returned: readonly BankOrder[]): string {
  const messageId = returned[0]?.messageId.slice(-12) ?? '';
  return (
    `<Document xmlns="${NAMESPACE}camt.054.001.08"><BkToCstmrDbtCdtNtfctn>` +
    `<GrpHdr><MsgId>${name}-${messageId}</MsgId><CreDtTm>${AT}</CreDtTm></GrpHdr>` +
    `<Ntfctn><Id>${name}-${messageId}</Id>` +
    `<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>` +
    `${returned.map(entry).join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`
  );
}

function entry({ reference, amountMinor }: BankOrder): string {
  const amount = `<Amt Ccy="EUR">${decimal(amountMinor)}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`;
  return (
    `<Ntry>${amount}<Sts><Cd>BOOK</Cd></Sts><BkTxCd><Domn><Cd>PMNT</Cd>` +
    '<Fmly><Cd>IDDT</Cd><SubFmlyCd>UPDD</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls>' +
    `<Refs><EndToEndId>${reference}</EndToEndId></Refs>${amount}` +
    `<RtrInf><Rsn><Cd>${REASONS.returned.reason}</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>`
  );
}

function partsOf(text: string, element: 'PmtInf' | 'DrctDbtTxInf' | 'CdtTrfTxInf'): string[] {
  return text
    .split(`<${element}>`)
    .slice(1)
    .map((part) => part.split(`</${element}>`)[0] ?? '');
}

function textOf(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${pattern.source} is not in the file`);
  return found;
}

/** `92.5` → 9250. */
function cents(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
}

function decimal(minor: bigint): string {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
