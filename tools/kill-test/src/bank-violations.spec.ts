import { describe, expect, it } from '@jest/globals';
import type { BankEvidence, BankOrder } from './bank-files.js';
import { bankViolations, goesToBank } from './bank-violations.js';
import { disagreements } from './compare.js';
import type { RecordedTransaction } from './records.js';

const recorded = (id: string, more: Partial<RecordedTransaction> = {}): RecordedTransaction => ({
  ...{ id, streamId: id, reference: `ref-${id}`, operation: 'debit', amountMinor: 500n },
  ...{ currency: 'EUR', outcome: 'approved', acquirerReference: `acq-${id}` },
  ...more,
});
const order = (id: string, more: Partial<BankOrder> = {}): BankOrder => ({
  ...{ messageId: 'M-1', batchId: 'B-1', kind: 'collection', reference: `acq-${id}` },
  ...{ amountMinor: 500n, mandate: `MANDATE-${id}`, isOnlyOne: true },
  ...more,
});
const returned = { reference: 'acq-one', resultCode: '000.100.203' };
/** The bank's; no merchant has a number for it. */
const chargeback = (id: string, more: Partial<RecordedTransaction> = {}): RecordedTransaction => ({
  ...{ id, streamId: 'one', referencedId: 'one', operation: 'chargeback', amountMinor: 500n },
  ...{ outcome: 'approved', resultCode: '000.100.203' },
  ...more,
});
const rulesOf = (
  transactions: readonly RecordedTransaction[],
  bank: Partial<BankEvidence>,
): readonly string[] =>
  bankViolations(transactions, {
    ...{ orders: [], returns: [], withheld: [], complaints: [] },
    ...bank,
  }).map(({ rule }) => rule);
const reversal = recorded('back', { operation: 'reversal', referencedId: 'one' });

const refund = recorded('refund', { operation: 'refund', referencedId: 'one' });

describe('the files for the bank and the events', () => {
  const one = [recorded('one')];
  const inFile = { orders: [order('one')] };

  it('agree where each collection and transfer is in one file, and nothing else is', () => {
    const transactions = [
      recorded('one'),
      recorded('reserved', { operation: 'authorization' }),
      recorded('captured', { operation: 'capture' }),
      recorded('refunded', { operation: 'refund', amountMinor: 20n }),
      recorded('declined', { outcome: 'declined' }),
      chargeback('returned'),
    ];
    const transfer = { kind: 'transfer', amountMinor: 20n } as const;
    const orders = [order('one'), order('captured'), order('refunded', transfer)];
    expect(rulesOf(transactions, { orders, returns: [returned] })).toEqual([]);
  });

  it('agree where a collection was taken back and is in no file', () => {
    expect(rulesOf([recorded('one'), reversal], {})).toEqual([]);
  });

  it('agree where a refund is withheld because the bank took its debit back', () => {
    const transactions = [recorded('one'), chargeback('returned'), refund];
    const bank = { ...inFile, returns: [returned], withheld: ['acq-refund'] };
    expect(rulesOf(transactions, bank)).toEqual([]);
  });

  it('agree where one mandate is collected several times, as it allows', () => {
    const orders = ['one', 'two'].map((id) => order(id, { mandate: 'M', isOnlyOne: false }));
    expect(rulesOf([recorded('one'), recorded('two')], { orders })).toEqual([]);
  });

  it.each<[string, readonly RecordedTransaction[], Partial<BankEvidence>]>([
    ['approved and in no file', one, {}],
    ['approved and in no file', [recorded('one', { operation: 'refund' })], {}],
    // That its debit came back excuses only what sepa says that it has withheld.
    [
      'approved and in no file',
      [...one, chargeback('a'), refund],
      { ...inFile, returns: [returned] },
    ],
    ['withheld without return', [...one, refund], { ...inFile, withheld: ['acq-refund'] }],
    ['withheld without event', one, { ...inFile, withheld: ['acq-refund'] }],
    [
      'withheld without return',
      [...one, chargeback('a'), recorded('refund', { referencedId: 'one' })],
      { ...inFile, returns: [returned], withheld: ['acq-refund'] },
    ],
    [
      'withheld and in a file',
      [...one, chargeback('a'), refund],
      {
        orders: [order('one'), order('refund', { kind: 'transfer' })],
        returns: [returned],
        withheld: ['acq-refund'],
      },
    ],
    ['twice in files', one, { orders: [order('one'), order('one', { messageId: 'M-2' })] }],
    ['in a file without event', [], inFile],
    ['in a file and not approved', [recorded('one', { outcome: 'notPerformed' })], inFile],
    ['in a file and not approved', [recorded('one', { operation: 'authorization' })], inFile],
    ['in a file and not approved', [...one, reversal], inFile],
    ['otherwise in a file', one, { orders: [order('one', { amountMinor: 499n })] }],
    ['otherwise in a file', one, { orders: [order('one', { kind: 'transfer' })] }],
    [
      'collected again',
      [...one, recorded('two')],
      { orders: [order('one'), order('two', { mandate: 'MANDATE-one', isOnlyOne: false })] },
    ],
    ['returned, not charged back once', one, { ...inFile, returns: [returned] }],
    [
      'returned, not charged back once',
      [...one, chargeback('a'), chargeback('b')],
      { ...inFile, returns: [returned] },
    ],
    [
      'charged back otherwise',
      [...one, chargeback('a', { amountMinor: 499n })],
      { ...inFile, returns: [returned] },
    ],
    [
      'charged back otherwise',
      [...one, chargeback('a', { resultCode: '000.100.202' })],
      { ...inFile, returns: [returned] },
    ],
    ['charged back and not returned', [...one, chargeback('a')], inFile],
    ['bank', one, { ...inFile, complaints: ['a case: unknownOrder'] }],
  ])('disagree: %s', (rule, transactions, bank) => {
    expect(rulesOf(transactions, bank)).toEqual([rule]);
  });
});

describe('what goes to the bank', () => {
  it('is what was paid by direct debit, and what the bank itself has reported', () => {
    const request = {
      reference: 'ref-one',
      operation: 'DB',
      currency: 'EUR',
      attempts: [],
    } as const;
    const isOfBank = goesToBank([
      { ...request, instrument: 'directDebit' },
      { ...request, reference: 'ref-card' },
      { ...request, reference: 'ref-gift', instrument: 'giftCard' },
    ]);
    const transactions = [
      ...[recorded('one'), recorded('card'), recorded('gift'), chargeback('back')],
      // A merchant's own, of a card.
      recorded('reported', { operation: 'chargeback' }),
    ];
    expect(transactions.filter(isOfBank).map(({ id }) => id)).toEqual(['one', 'back']);
  });
});

describe('the comparison of all sides', () => {
  const code = '000.100.112';
  const evidence = {
    merchant: [
      {
        ...{ reference: 'ref-one', operation: 'DB', amountMinor: 500n, currency: 'EUR' },
        ...{
          instrument: 'directDebit',
          attempts: [{ kind: 'answered', status: 200, code, id: 'one' }],
        },
      },
    ],
    recorded: [recorded('one', { resultCode: code }), chargeback('back')],
    book: [],
    readBack: [
      { id: 'one', shownId: 'one', status: 200, code },
      { id: 'back', shownId: 'back', status: 200, code: '000.100.203' },
    ],
  } as const satisfies Parameters<typeof disagreements>[0];

  it('looks for what goes to the bank in its files, and not in the book of the simulator', () => {
    const bank = { orders: [order('one')], returns: [returned], withheld: [], complaints: [] };
    expect(disagreements({ ...evidence, bank })).toEqual([]);
    const rules = disagreements({ ...evidence, bank: { ...bank, orders: [] } });
    expect(rules.map(({ rule }) => rule)).toContain('approved and in no file');
  });

  it('looks for it in the book where there is no such bank', () => {
    const rules = disagreements(evidence).map(({ rule }) => rule);
    expect(rules).toEqual(
      expect.arrayContaining(['approved and not booked', 'nobody asked for it']),
    );
  });
});
