import { describe, expect, it } from '@jest/globals';
import { type Operation, operations, type ReferenceOperation } from '@sluice/contracts';
import type { PaymentCommand } from './commands.js';
import { decide } from './decide.js';
import { approved, id, initiate, refer, stateAfter } from './payment-fixture.js';
import { transitions } from './transitions.js';

const authorized = approved(initiate('authorization', 10_000));
const debited = approved(initiate('debit', 10_000));

/** A successful transaction `id(9)` of each operation, and how it came about. */
const successful: Record<Operation, readonly PaymentCommand[]> = {
  authorization: approved(initiate('authorization', 10_000, at9())),
  debit: approved(initiate('debit', 10_000, at9())),
  credit: approved(initiate('credit', 10_000, at9())),
  authentication: [initiate('authentication', 10_000, at9())],
  riskAssessment: [initiate('riskAssessment', 10_000, at9())],
  capture: [...authorized, ...approved(refer('capture', id(9), id(1), 5_000))],
  reversal: [...authorized, ...approved(refer('reversal', id(9), id(1), 5_000))],
  refund: [...debited, ...approved(refer('refund', id(9), id(1), 5_000))],
  rebill: [...debited, ...approved(refer('rebill', id(9), id(1), 5_000))],
  receipt: [...authorized, ...approved(refer('receipt', id(9), id(1), 5_000))],
  chargeback: [...debited, refer('chargeback', id(9), id(1), 5_000)],
  chargebackReversal: [
    ...debited,
    refer('chargeback', id(8), id(1), 5_000),
    refer('chargebackReversal', id(9), id(8), 5_000),
  ],
  incrementalAuthorization: [
    ...authorized,
    ...approved(refer('incrementalAuthorization', id(9), id(1), 5_000)),
  ],
  reauthorization: [...authorized, ...approved(refer('reauthorization', id(9), id(1), 5_000))],
};

function at9() {
  return { transactionId: id(9) };
}

/** Written out by hand from wire contract 4, D-29 and D-31, not from the table under test. */
const documented: Record<ReferenceOperation, { on: Operation[]; otherwise: string }> = {
  capture: {
    on: ['authorization', 'incrementalAuthorization', 'reauthorization'],
    otherwise: '700.400.510',
  },
  reversal: {
    on: [
      'authorization',
      'incrementalAuthorization',
      'reauthorization',
      'capture',
      'debit',
      'rebill',
    ],
    otherwise: '700.400.530',
  },
  refund: { on: ['capture', 'debit', 'rebill', 'receipt'], otherwise: '700.400.520' },
  rebill: { on: ['capture', 'debit'], otherwise: '700.300.100' },
  receipt: {
    on: ['authorization', 'incrementalAuthorization', 'reauthorization'],
    otherwise: '700.400.560',
  },
  chargeback: {
    on: ['capture', 'debit', 'rebill', 'chargebackReversal'],
    otherwise: '700.400.550',
  },
  chargebackReversal: { on: ['chargeback'], otherwise: '700.400.420' },
  incrementalAuthorization: {
    on: ['authorization', 'incrementalAuthorization', 'reauthorization'],
    otherwise: '700.100.700',
  },
  reauthorization: {
    on: ['authorization', 'incrementalAuthorization', 'reauthorization'],
    otherwise: '700.100.700',
  },
};

const references = Object.keys(transitions) as ReferenceOperation[];
const cells = references.flatMap((operation) =>
  operations.map((referenced): [ReferenceOperation, Operation] => [operation, referenced]),
);

describe('legal references', () => {
  it.each(cells)('%s of a successful %s', (operation, referenced) => {
    const state = stateAfter(...successful[referenced]);
    const minor = operation === 'reversal' ? undefined : 5_000;
    const [event] = decide(refer(operation, id(10), id(9), minor), state);
    const { on, otherwise } = documented[operation];
    if (on.includes(referenced)) {
      expect(event?.type).toMatch(/^(TransactionRequested|ChargebackRe)/);
    } else {
      expect(event).toMatchObject({ type: 'TransactionRejected', data: { resultCode: otherwise } });
    }
  });

  it.each(references)('%s of a declined transaction of the right type', (operation) => {
    const { otherwise } = documented[operation];
    const declined = stateAfter(initiate('authorization', 10_000), {
      type: 'RecordOutcome',
      transactionId: id(1),
      nowMs: 0,
      outcome: { kind: 'declined', resultCode: '800.100.152' },
    });
    const [event] = decide(refer(operation, id(10), id(1), 1), declined);
    expect(event).toMatchObject({ type: 'TransactionRejected', data: { resultCode: otherwise } });
  });

  it.each(references)('%s of a refused transaction', (operation) => {
    const refused = stateAfter(initiate('debit', 10_000, { rejection: '100.100.303' }));
    const [event] = decide(refer(operation, id(10), id(1), 1), refused);
    const resultCode = documented[operation].otherwise;
    expect(event).toMatchObject({ type: 'TransactionRejected', data: { resultCode } });
  });
});
