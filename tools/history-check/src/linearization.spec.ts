import { describe, expect, it } from '@jest/globals';
import {
  type HistoryOperation,
  type HistoryRead,
  type PaymentHistory,
  verdictOn,
} from './linearization.js';
import type { OperationType } from './payment-model.js';

type Details = Partial<Omit<HistoryOperation, 'on'>> & { readonly on?: number };

/** An operation that was approved in this time, unless told otherwise. */
function op(
  type: OperationType,
  [fromMs, toMs]: readonly [number, number],
  details: Details = {},
): HistoryOperation {
  const on = ['PA', 'DB', 'CD'].includes(type) ? {} : { on: 0 };
  return { type, name: type, fate: 'approved', fromMs, toMs, begunByMs: toMs, ...on, ...details };
}

const refusal = (code: string): Details => ({ fate: 'refused', code });
const open: Details = { fate: 'open', toMs: Infinity };
const debit = op('DB', [0, 10], { minor: 100 });
const credit = op('CD', [0, 10], { minor: 100 });
const authorization = op('PA', [0, 10], { minor: 100 });

function verdict(operations: readonly HistoryOperation[], reads: readonly HistoryRead[] = []) {
  return verdictOn({ name: 'payment', operations, reads });
}

function look(of: number, [fromMs, toMs]: readonly [number, number], saw: HistoryRead['saw']) {
  return { of, fromMs, toMs, saw };
}

const later = [20, 30] as const;
const afterwards = [40, 50] as const;
const atLast = [60, 70] as const;

/** Each row: what it is about, its operations, and what was seen of them. */
type Row = readonly [string, readonly HistoryOperation[], (readonly HistoryRead[])?];

const possible: readonly Row[] = [
  ['nothing at all', []],
  [
    'a debit that is refunded in parts',
    [debit, op('RF', later, { minor: 60 }), op('RF', afterwards, { minor: 40 })],
  ],
  [
    'of two refunds at once one is refused',
    [
      debit,
      op('RF', [20, 90], { minor: 60 }),
      op('RF', [20, 30], { minor: 60, ...refusal('700.400.200') }),
    ],
  ],
  [
    'a refund that was sent first and took place second',
    [
      debit,
      op('RF', [20, 90], { minor: 60, ...refusal('700.400.200') }),
      op('RF', [30, 40], { minor: 60 }),
    ],
  ],
  [
    'a refund that was open, used up the amount, and then failed',
    [
      debit,
      op('RF', [20, 30], { minor: 60, fate: 'failed', toMs: 100, begunByMs: 30 }),
      op('RF', afterwards, { minor: 60, ...refusal('700.400.200') }),
      op('RF', [200, 210], { minor: 60 }),
    ],
  ],
  [
    'a refund that was never performed and that nobody noticed',
    [
      debit,
      op('RF', later, { minor: 60, fate: 'notPerformed' }),
      op('RF', [20, 25], { minor: 60 }),
    ],
  ],
  [
    'an answer that was lost, and a capture that took place later',
    [
      authorization,
      op('CP', [20, Infinity], { minor: 100 }),
      op('RV', afterwards, { minor: 100, ...refusal('700.400.300') }),
    ],
  ],
  [
    'a reference to what is still open',
    [
      op('PA', [0, 100], { minor: 100, begunByMs: 10 }),
      op('CP', later, { minor: 10, ...refusal('700.400.570') }),
    ],
  ],
  [
    'a reversal of what is open',
    [
      authorization,
      op('CP', later, { minor: 30 }),
      op('RV', afterwards, { answeredMinor: 70 }),
      op('CP', atLast, { minor: 1, ...refusal('700.400.100') }),
    ],
  ],
  [
    'a whole reversal, and no refund after it',
    [debit, op('RV', later), op('RF', afterwards, { minor: 1, ...refusal('700.400.200') })],
  ],
  [
    'a chargeback and its reversal',
    [
      debit,
      op('CB', later, { minor: 100 }),
      op('RF', [30, 31], { minor: 10, ...refusal('700.300.600') }),
      op('CR', afterwards, { minor: 100, on: 1 }),
      op('RF', atLast, { minor: 100 }),
    ],
  ],
  [
    'captures up to their number',
    [
      { ...authorization, captureLimit: 1 },
      op('CP', later, { minor: 10 }),
      op('CP', afterwards, { minor: 10, ...refusal('700.400.100') }),
    ],
  ],
  [
    'captures up to the last',
    [
      authorization,
      op('CP', later, { minor: 10, isFinal: true }),
      op('CP', afterwards, { minor: 10, ...refusal('700.400.100') }),
    ],
  ],
  [
    'an authorization that grows',
    [
      authorization,
      op('INCREMENTAL_AUTH', later, { minor: 50 }),
      op('CP', afterwards, { minor: 150 }),
    ],
  ],
  [
    'an authorization that is replaced',
    [
      authorization,
      op('CP', later, { minor: 30 }),
      op('REAUTHORIZATION', afterwards, { minor: 200 }),
      op('CP', atLast, { minor: 200 }),
    ],
  ],
  [
    'a rebill and its refund',
    [debit, op('RB', later, { minor: 500 }), op('RF', afterwards, { minor: 500, on: 1 })],
  ],
  [
    'a receipt uses the authorization up',
    [
      authorization,
      op('RC', later, { minor: 100 }),
      op('CP', afterwards, { minor: 1, ...refusal('700.400.100') }),
    ],
  ],
  [
    'a credit, and nothing after it',
    [
      credit,
      op('RF', later, { minor: 1, ...refusal('700.400.520') }),
      op('RV', later, refusal('700.400.530')),
      op('CP', later, { minor: 1, ...refusal('700.400.510') }),
      op('CB', later, { minor: 1, ...refusal('700.400.550') }),
    ],
  ],
  [
    'a late booking leaves less for whatever is begun',
    [
      debit,
      op('RF', later, { minor: 60, fate: 'failed' }),
      op('RF', afterwards, { minor: 60, ...refusal('700.400.200') }),
    ],
  ],
  [
    'looks that see a debit come',
    [op('DB', [0, 100], { minor: 100 })],
    [look(0, [1, 2], 'absent'), look(0, [3, 4], 'open'), look(0, [110, 120], 'approved')],
  ],
  [
    'looks at the same time may see either',
    [op('DB', [0, 100], { minor: 100 })],
    [look(0, [1, 90], 'approved'), look(0, [1, 90], 'absent')],
  ],
];

const impossible: readonly Row[] = [
  ['a refund of a credit', [credit, op('RF', later, { minor: 1 })]],
  [
    'a lost update: both of two refunds count on the same amount',
    [debit, op('RF', later, { minor: 60 }), op('RF', later, { minor: 60 })],
  ],
  [
    'a refund doubled',
    [debit, op('RF', later, { minor: 100 }), op('RF', afterwards, { minor: 100 })],
  ],
  [
    'a refund beyond the capture',
    [authorization, op('CP', later, { minor: 30 }), op('RF', afterwards, { minor: 31, on: 1 })],
  ],
  [
    'a refund before the capture',
    [authorization, op('RF', later, { minor: 30, on: 2 }), op('CP', afterwards, { minor: 30 })],
  ],
  ['a capture beyond the authorization', [authorization, op('CP', later, { minor: 101 })]],
  [
    'captures that together go beyond it',
    [authorization, op('CP', later, { minor: 60 }), op('CP', later, { minor: 60 })],
  ],
  [
    'a capture after the last',
    [
      authorization,
      op('CP', later, { minor: 10, isFinal: true }),
      op('CP', afterwards, { minor: 10 }),
    ],
  ],
  [
    'a capture too many',
    [
      { ...authorization, captureLimit: 1 },
      op('CP', later, { minor: 10 }),
      op('CP', afterwards, { minor: 10 }),
    ],
  ],
  [
    'a capture of what was given back',
    [authorization, op('RV', later), op('CP', afterwards, { minor: 10 })],
  ],
  [
    'a refund while one is open that uses up the amount',
    [debit, op('RF', [20, 100], { minor: 60, begunByMs: 30 }), op('RF', afterwards, { minor: 60 })],
  ],
  [
    'a refund of an unknown one whose truth is not known at the end',
    [
      debit,
      op('RF', later, { minor: 60, ...open, begunByMs: 30 }),
      op('RF', afterwards, { minor: 60 }),
    ],
  ],
  [
    'a refund after a chargeback',
    [debit, op('CB', later, { minor: 50 }), op('RF', afterwards, { minor: 50 })],
  ],
  [
    'a second chargeback',
    [debit, op('CB', later, { minor: 50 }), op('CB', afterwards, { minor: 50 })],
  ],
  [
    'a chargeback that is given back twice',
    [
      debit,
      op('CB', later, { minor: 50 }),
      op('CR', afterwards, { minor: 50, on: 1 }),
      op('CR', atLast, { minor: 50, on: 1 }),
    ],
  ],
  [
    'a refusal for an amount that was there',
    [debit, op('RF', later, { minor: 100, ...refusal('700.400.200') })],
  ],
  [
    'a refusal by a code of another rule',
    [debit, op('RF', later, { minor: 101, ...refusal('700.400.100') })],
  ],
  [
    'a reversal that gives back another amount than is open',
    [authorization, op('CP', later, { minor: 30 }), op('RV', afterwards, { answeredMinor: 100 })],
  ],
  [
    'a refund of a part, and then a whole reversal',
    [debit, op('RF', later, { minor: 10 }), op('RV', afterwards)],
  ],
  [
    'an increase of what has ended',
    [authorization, op('RV', later), op('INCREMENTAL_AUTH', afterwards, { minor: 10 })],
  ],
  ['an approval that a later look does not find', [debit], [look(0, later, 'absent')]],
  ['an approval that a later look finds open', [debit], [look(0, later, 'open')]],
  ['an approval that a later look finds failed', [debit], [look(0, later, 'ended')]],
  [
    'a look that goes back in time',
    [op('DB', [0, 100], { minor: 100 })],
    [look(0, [10, 20], 'approved'), look(0, [30, 40], 'open')],
  ],
  [
    'a decline that was approved before',
    [op('DB', [0, 100], { minor: 100, fate: 'failed' })],
    [look(0, [10, 20], 'approved')],
  ],
  [
    'a look that sees what was refused as approved',
    [debit, op('RF', later, { minor: 101, ...refusal('700.400.200') })],
    [look(1, afterwards, 'approved')],
  ],
];

describe('a payment of which there are these', () => {
  it.each(possible)('could have happened: %s', (_, operations, reads = []) => {
    expect(verdict(operations, reads)).toBe('linearizable');
  });

  it.each(impossible)('could not have happened: %s', (_, operations, reads = []) => {
    expect(verdict(operations, reads)).toBe('impossible');
  });

  it('is settled quickly with thirty refunds at once, some open, some refused', () => {
    const refunds = Array.from({ length: 30 }, (_, at) =>
      op('RF', [20, 100], at % 3 === 2 ? { minor: 90, ...refusal('700.400.200') } : { minor: 5 }),
    );
    expect(verdict([debit, ...refunds])).toBe('linearizable');
  });

  it('is unsure of a history that is too hard, rather than wrong', () => {
    const refunds = Array.from({ length: 30 }, (_, at) => op('RF', [20, 100], { minor: at + 1 }));
    const history: PaymentHistory = { name: 'hard', operations: [debit, ...refunds], reads: [] };
    expect(verdictOn(history, 100)).toBe('unsure');
  });
});
