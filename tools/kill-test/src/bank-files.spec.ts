import { describe, expect, it } from '@jest/globals';
import { answersTo, type BankOrder, ordersIn, returnsOf } from './bank-files.js';

const debits = (sequence: string, ...references: string[]): string =>
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.08"><GrpHdr><MsgId>M-1</MsgId></GrpHdr>' +
  `<PmtInf><PmtInfId>B-1</PmtInfId><PmtTpInf><SeqTp>${sequence}</SeqTp></PmtTpInf>` +
  references
    .map(
      (reference) =>
        `<DrctDbtTxInf><PmtId><EndToEndId>${reference}</EndToEndId></PmtId>` +
        '<InstdAmt Ccy="EUR">92.50</InstdAmt><MndtId>MANDATE</MndtId></DrctDbtTxInf>',
    )
    .join('') +
  '</PmtInf></Document>';

const order = (reference: string, more: Partial<BankOrder> = {}): BankOrder => ({
  ...{ messageId: 'M-1', batchId: 'B-1', kind: 'collection', reference, amountMinor: 9_250n },
  ...more,
});
/** By their hashes: the fates of these are all three. */
const many = Array.from({ length: 40 }, (_, index) => order(`order-${index}`));

describe('what a bank reads in a file', () => {
  it('is each collection with its mandate', () => {
    const mandate = { mandate: 'MANDATE', isOnlyOne: true };
    expect(ordersIn(debits('OOFF', 'one', 'two'))).toEqual([
      order('one', mandate),
      order('two', mandate),
    ]);
    expect(ordersIn(debits('RCUR', 'one'))).toEqual([
      order('one', { ...mandate, isOnlyOne: false }),
    ]);
  });

  it('is each transfer', () => {
    const text =
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><MsgId>M-1</MsgId><PmtInf>' +
      '<PmtInfId>B-1</PmtInfId><CdtTrfTxInf><PmtId><EndToEndId>one</EndToEndId></PmtId>' +
      '<Amt><InstdAmt Ccy="EUR">0.07</InstdAmt></Amt></CdtTrfTxInf></PmtInf></Document>';
    expect(ordersIn(text)).toEqual([order('one', { kind: 'transfer', amountMinor: 7n })]);
  });

  it.each(['<Document xmlns="pain.009"/>', debits('OOFF', 'one').replace('92.50', '')])(
    'is nothing of a file that it does not understand',
    (text) => {
      expect(() => ordersIn(text)).toThrow();
    },
  );
});

describe('what a bank answers', () => {
  it('rejects some collections, returns some, and takes the others', () => {
    const codes = new Set(returnsOf(many).map(({ resultCode }) => resultCode));
    expect(codes).toEqual(new Set(['000.100.202', '000.100.203']));
    expect(returnsOf(many).length).toBeLessThan(many.length / 2);
    const transfers = many.map((each) => ({ ...each, kind: 'transfer' as const }));
    expect(returnsOf(transfers)).toEqual([]);
  });

  it('says once what it rejects, and twice what comes back', () => {
    const [status = '', ...notifications] = answersTo(many);
    const timesIn = (text: string, reference: string): number =>
      text.split(`EndToEndId>${reference}<`).length - 1;
    expect(notifications).toHaveLength(2);
    for (const { reference, resultCode } of returnsOf(many)) {
      const isReturned = resultCode === '000.100.203';
      expect(timesIn(status, reference)).toBe(1);
      expect(notifications.map((text) => timesIn(text, reference))).toEqual(
        isReturned ? [1, 1] : [0, 0],
      );
    }
    expect(status.split('<TxSts>RJCT').length - 1).toBe(
      returnsOf(many).filter(({ resultCode }) => resultCode === '000.100.202').length,
    );
  });
});
