import { describe, expect, it } from '@jest/globals';
import { decide, isFull, TRANSACTIONS_MAX } from './decide.js';
import type { PaymentEvent } from './events.js';
import { asExpired } from './outcomes.js';
import { evolveAll, findTransaction, initialState } from './payment.js';
import {
  approved,
  card,
  eur,
  given,
  happened,
  id,
  initiate,
  NOON_MS,
  outcome,
  refer,
  rules,
  stateAfter,
} from './payment-fixture.js';
import { outcomeOf } from './result.js';
import { totals } from './totals.js';
import { authorized, debited } from './payment-states-fixture.js';

describe('nothing yet', () => {
  it('initiates a payment with what is needed to ask the acquirer about it', () => {
    given()
      .when(initiate('authorization', 10_000, { numberOfCaptures: 3 }))
      .then({
        type: 'PaymentInitiated',
        data: {
          amount: eur(10_000),
          numberOfCaptures: 3,
          instrument: card,
          request: { connector: 'simulator', acquirerReference: id(1) },
        },
      });
  });
  it('records a payment that cannot be paid as refused, without a request', () => {
    const events = happened(initiate('debit', 0, { rejection: '100.550.300' }));
    expect(events.map((event) => event.type)).toEqual(['TransactionRejected']);
    expect(events[0]?.data).not.toHaveProperty('request');
    const transaction = findTransaction(evolveAll(initialState, events), id(1));
    expect(transaction).toMatchObject({ status: 'rejected', resultCode: '100.550.300' });
  });
  it('says of what refers to a payment by bank account that this is not by card', () => {
    const iban = { kind: 'bankAccount', vaultReference: 'v', paymentMethod: 'DD' } as const;
    const paid = approved(initiate('debit', 100, { instrument: iban }));
    const later = [refer('refund', id(2), id(1), 10), refer('refund', id(3), id(1), 999)];
    const told = happened(...paid, ...later, refer('chargeback', id(4), id(1), 90))
      .filter(({ data }) => 'referencedId' in data)
      .map(({ type, data }) => [type, 'paymentMethod' in data && data.paymentMethod]);
    expect(told).toEqual([
      ['TransactionRequested', 'DD'],
      ['TransactionRejected', 'DD'],
      ['ChargebackReceived', 'DD'],
    ]);
  });
  it('says nothing of it where the payment was by card', () => {
    const [refund] = happened(
      ...approved(initiate('debit', 100)),
      refer('refund', id(2), id(1), 10),
    ).filter(({ data }) => 'referencedId' in data);
    expect(refund?.type).toBe('TransactionRequested');
    expect(refund?.data).not.toHaveProperty('paymentMethod');
  });
  it('records a payment without a card as refused, with what was wanted and why', () => {
    const instrument = { kind: 'virtualAccount', brand: 'PAYPAL' } as const;
    const unserved = initiate('debit', 100, { instrument });
    const refused = { rejection: '600.200.500', resultDescription: 'no PAYPAL' };
    const events = happened({ ...unserved, ...refused });
    expect(events.map((event) => event.type)).toEqual(['TransactionRejected']);
    const transaction = findTransaction(evolveAll(initialState, events), id(1));
    expect(transaction).toMatchObject({ instrument, resultDescription: 'no PAYPAL' });
    expect(transaction && outcomeOf(transaction).resultDescription).toBe('no PAYPAL');
  });
  it('refuses what less is known of than a payment with it needs', () => {
    const instrument = { kind: 'virtualAccount' } as const;
    const events = happened(initiate('debit', 100, { instrument }));
    expect(events.map(({ type, data }) => [type, 'resultCode' in data && data.resultCode])).toEqual(
      [['TransactionRejected', '600.200.500']],
    );
  });
  it('has no transaction to refer to', () => {
    expect(() => decide(refer('capture', id(2), id(1), 1), initialState)).toThrow('No transaction');
  });
});

describe('requested', () => {
  const requested = [initiate('authorization', 10_000)];
  it('is shown as pending', () => {
    const transaction = findTransaction(stateAfter(...requested), id(1));
    expect(transaction && outcomeOf(transaction)).toMatchObject({
      status: 'requested',
      resultCode: '000.200.000',
      amount: { minor: '10000', currency: 'EUR' },
    });
  });
  it.each([
    ['approved', 'TransactionApproved', '000.100.110'],
    ['declined', 'TransactionDeclined', '800.100.152'],
    ['pending', 'TransactionPending', '000.200.000'],
    ['notPerformed', 'TransactionNotPerformed', '900.100.310'],
  ] as const)('takes the outcome %s', (kind, type, resultCode) => {
    given(...requested)
      .when(outcome(id(1), kind))
      .then({ type, data: { resultCode } });
  });
  it('becomes unknown when the answer is lost', () => {
    given(...requested)
      .when(outcome(id(1), 'unknown'))
      .then({ type: 'TransactionOutcomeUnknown', data: { reason: 'timeout' } });
  });
  it('initiates nothing a second time', () => {
    given(...requested)
      .when(initiate('authorization', 10_000))
      .thenNothing();
  });
  it.each([
    ['bulkheadFull', '800.120.100'],
    ['unsupported', '900.100.202'],
    ['refused', '900.100.200'],
    ['cardGone', '900.100.310'],
    ['registrationForgotten', '100.150.203'],
    ['expired', '900.100.310'],
  ] as const)('not performed because of %s answers %s', (reason, resultCode) => {
    given(...requested)
      .when({
        type: 'RecordOutcome',
        transactionId: id(1),
        nowMs: NOON_MS,
        outcome: { kind: 'notPerformed', reason },
      })
      .then({ type: 'TransactionNotPerformed', data: { reason, resultCode } });
  });
  it('initiates no payment in another one', () => {
    const second = initiate('debit', 10_000, { transactionId: id(2) });
    expect(() => decide(second, stateAfter(...debited))).toThrow('once');
  });
  it('takes the code the connector brings rather than the one of the mode', () => {
    given(...requested)
      .when({
        type: 'RecordOutcome',
        transactionId: id(1),
        nowMs: NOON_MS,
        outcome: { kind: 'approved', connectorTxId: 'a', resultCode: '000.100.112' },
      })
      .then({ type: 'TransactionApproved', data: { resultCode: '000.100.112' } });
  });
  it('keeps what the issuer found about the card, and nothing where it found nothing', () => {
    const checks = { avsResponse: 'F', cvvResponse: 'M' } as const;
    const outcomeWith = (found: object) => {
      const answered = { kind: 'approved', connectorTxId: 'a', ...found } as const;
      const finding = { transactionId: id(1), nowMs: NOON_MS, outcome: answered } as const;
      const state = stateAfter(...requested, { type: 'RecordOutcome', ...finding });
      const transaction = findTransaction(state, id(1));
      return transaction && outcomeOf(transaction);
    };
    expect(outcomeWith(checks)).toMatchObject(checks);
    // As every event has it that was written before these fields.
    expect(Object.keys(outcomeWith({}) ?? {})).not.toContain('avsResponse');
    expect(Object.keys(outcomeWith({}) ?? {})).not.toContain('cvvResponse');
  });
});

describe.each(['pending', 'unknown'] as const)('%s', (kind) => {
  const open = [initiate('authorization', 10_000), outcome(id(1), kind)];
  it('is pending to the merchant and refuses references', () => {
    expect(findTransaction(stateAfter(...open), id(1))?.resultCode).toBe('000.200.000');
    given(...open)
      .when(refer('capture', id(2), id(1), 1))
      .thenRejected('700.400.570');
  });
  it('ends by an approval, a decline or a not-found', () => {
    given(...open)
      .when(outcome(id(1), 'approved'))
      .then({ type: 'TransactionApproved' });
    given(...open)
      .when(outcome(id(1), 'declined'))
      .then({ type: 'TransactionDeclined' });
    given(...open)
      .when(outcome(id(1), 'notPerformed'))
      .then({ type: 'TransactionNotPerformed' });
  });
  it('says nothing new by staying open', () => {
    given(...open)
      .when(outcome(id(1), 'unknown'))
      .thenNothing();
  });
  it('ends reversed when the acquirer names what it undid', () => {
    given(...open)
      .when({ type: 'RecordReversal', transactionId: id(1), nowMs: NOON_MS, connectorTxId: 'r' })
      .then({ type: 'UnknownTransactionReversed', data: { resultCode: '900.100.301' } });
  });
});

describe('approved', () => {
  it.each(['approved', 'declined', 'notPerformed', 'unknown'] as const)(
    'keeps its result when a second notice says %s',
    (kind) => {
      given(...authorized)
        .when(outcome(id(1), kind))
        .thenNothing();
    },
  );
});

describe('authorized 100.00 EUR', () => {
  it('is captured in parts', () => {
    given(...authorized)
      .when(refer('capture', id(2), id(1), 6_000))
      .then({ type: 'TransactionRequested', data: { operation: 'capture', amount: eur(6_000) } });
  });
  it('refuses a capture of more', () => {
    given(...authorized)
      .when(refer('capture', id(2), id(1), 10_001))
      .thenRejected('700.400.100');
  });
  it('counts a receipt as captured', () => {
    const state = stateAfter(...authorized, ...approved(refer('receipt', id(2), id(1), 4_000)));
    expect(totals(state)).toMatchObject({ authorized: 10_000n, captured: 4_000n });
    given(...authorized, ...approved(refer('receipt', id(2), id(1), 4_000)))
      .when(refer('receipt', id(3), id(1), 6_001))
      .thenRejected('700.400.100');
  });
  it('releases everything by a reversal without amount, and answers how much', () => {
    given(...authorized)
      .when(refer('reversal', id(2), id(1)))
      .then({ type: 'TransactionRequested', data: { amount: eur(10_000) } });
  });
  it('releases a part only where the connector can', () => {
    given(...authorized)
      .when(refer('reversal', id(2), id(1), 4_000))
      .then({ type: 'TransactionRequested', data: { amount: eur(4_000) } });
    given(...authorized)
      .when(
        refer('reversal', id(2), id(1), {
          minor: 4_000,
          rules: { ...rules, partialReversal: false },
        }),
      )
      .thenRejected('700.400.300');
  });
  it('refuses what has no positive amount', () => {
    given(...authorized)
      .when(refer('capture', id(2), id(1), 0))
      .thenRejected('700.400.100');
    given(...authorized)
      .when(refer('capture', id(2), id(1), -5))
      .thenRejected('700.400.100');
  });
  it('can be captured nowhere else than before its reversal', () => {
    given(...authorized, ...approved(refer('reversal', id(2), id(1))))
      .when(refer('capture', id(3), id(1), 1))
      .thenRejected('700.400.100');
  });
});

describe('a command that outlived its time (D-03)', () => {
  it('is recorded as not performed, without a request', () => {
    const events = asExpired(happened(initiate('debit', 10_000)), NOON_MS + 30_000);
    expect(events.map((event) => event.type)).toEqual([
      'PaymentInitiated',
      'TransactionNotPerformed',
    ]);
    expect(findTransaction(evolveAll(initialState, events), id(1))).toMatchObject({
      status: 'notPerformed',
      resultCode: '900.100.310',
      changedAtMs: NOON_MS + 30_000,
    });
    expect(events[0]?.data).not.toHaveProperty('request');
  });
  it('changes no money', () => {
    const late = (command: Parameters<typeof decide>[0]) =>
      asExpired(decide(command, stateAfter(...debited)), NOON_MS + 30_000);
    const refund = evolveAll(stateAfter(...debited), late(refer('refund', id(2), id(1), 10)));
    expect(totals(refund)).toMatchObject({ refunded: 0n, refundOpen: 0n });
    const chargeback = evolveAll(
      stateAfter(...debited),
      late(refer('chargeback', id(2), id(1), 10)),
    );
    expect(findTransaction(chargeback, id(2))?.status).toBe('rejected');
    expect(totals(chargeback).chargedBack).toBe(0n);
  });
});

describe('a payment of 1,000 transactions', () => {
  it('takes no further one and records nothing (D-09)', () => {
    const refused = decide(refer('capture', id(2), id(1), 99_999), stateAfter(...authorized))[0]!;
    const transactions = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const data = { ...refused.data, transactionId: id(index + 2) };
        return { ...refused, data } as PaymentEvent;
      });
    const nearly = evolveAll(stateAfter(...authorized), transactions(TRANSACTIONS_MAX - 2));
    expect(isFull(nearly)).toBe(false);
    expect(decide(refer('capture', id(2_000), id(1), 1), nearly)).toHaveLength(1);
    const state = evolveAll(stateAfter(...authorized), transactions(TRANSACTIONS_MAX - 1));
    expect(isFull(state)).toBe(true);
    expect(decide(refer('capture', id(2_000), id(1), 1), state)).toEqual([]);
  });
});
