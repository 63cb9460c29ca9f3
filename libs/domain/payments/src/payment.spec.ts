import { describe, expect, it } from '@jest/globals';
import { isKnown } from '@sluice/result-codes';
import { decide, isFull, TRANSACTIONS_MAX } from './decide.js';
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
  metadata,
  MIDNIGHT_MS,
  NOON_MS,
  outcome,
  refer,
  rules,
  stateAfter,
} from './payment-fixture.js';
import { outcomeOf, resultCodes, successCode } from './result.js';
import { originalReference, totals } from './totals.js';

const authorized = approved(initiate('authorization', 10_000));
const captured = [...authorized, ...approved(refer('capture', id(2), id(1), 6_000))];
const debited = approved(initiate('debit', 10_000));

describe('the codes of this context', () => {
  it.each(Object.entries(resultCodes))('%s is a published one', (_name, code) => {
    expect(isKnown(code)).toBe(true);
  });
});

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
  it('records a payment without a card as refused, with what was wanted and why', () => {
    const instrument = { kind: 'virtualAccount', brand: 'PAYPAL' } as const;
    const unserved = initiate('debit', 100, { instrument });
    const refused = { rejection: '600.200.500', resultDescription: 'no PAYPAL' };
    const events = happened({ ...unserved, ...refused });
    expect(events.map((event) => event.type)).toEqual(['TransactionRejected']);
    const transaction = findTransaction(evolveAll(initialState, events), id(1));
    expect(transaction).toMatchObject({ instrument, resultDescription: 'no PAYPAL' });
    expect(transaction && outcomeOf(transaction).resultDescription).toBe('no PAYPAL');
    expect(() => decide(unserved, initialState)).toThrow('nobody can pay with');
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
  it('answers success by mode', () => {
    expect(successCode('INTERNAL')).toBe('000.100.110');
    expect(successCode('EXTERNAL')).toBe('000.100.112');
    expect(successCode('LIVE')).toBe('000.000.000');
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
      .when(refer('reversal', id(2), id(1), 4_000, { rules: { ...rules, partialReversal: false } }))
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

describe('the order of the checks (D-29)', () => {
  const foreign = { amount: { minor: 1n, currency: 'USD' } };
  const live = { metadata: { ...metadata, mode: 'LIVE' } };
  it('asks whether it is pending before its type', () => {
    given(...authorized, refer('reversal', id(2), id(1)))
      .when(refer('capture', id(3), id(2), 1, { ...foreign, ...live }))
      .thenRejected('700.400.570');
  });
  it('asks for the type before the currency', () => {
    given(...debited)
      .when(refer('capture', id(3), id(1), 1, { ...foreign, ...live }))
      .thenRejected('700.400.510');
  });
  it('asks for the currency before the mode', () => {
    given(...authorized)
      .when(refer('capture', id(3), id(1), 1, { ...foreign, ...live }))
      .thenRejected('700.100.500');
  });
  it('asks for the currency of a reversal without an amount too', () => {
    given(...authorized)
      .when(refer('reversal', id(3), id(1), undefined, { currency: 'USD', ...live }))
      .thenRejected('700.100.500');
    given(...authorized)
      .when(refer('reversal', id(3), id(1), undefined, { currency: 'EUR' }))
      .then({ type: 'TransactionRequested', data: { amount: eur(10_000) } });
  });
  it('asks for the mode before the chargeback', () => {
    given(...debited, refer('chargeback', id(2), id(1), 10))
      .when(refer('refund', id(3), id(1), 99_999, live))
      .thenRejected('700.100.600');
  });
  it('asks for a chargeback before the cut-off', () => {
    const late = { metadata: { ...metadata, recordedAtMs: MIDNIGHT_MS } };
    given(...debited, refer('chargeback', id(2), id(1), 10))
      .when(refer('reversal', id(3), id(1), 99_999, late))
      .thenRejected('700.300.600');
    given(...debited, refer('chargeback', id(2), id(1), 10))
      .when(refer('refund', id(3), id(1), 99_999))
      .thenRejected('700.300.600');
  });
  it('asks for the cut-off before the amount', () => {
    const late = { metadata: { ...metadata, recordedAtMs: MIDNIGHT_MS } };
    given(...debited)
      .when(refer('reversal', id(3), id(1), 99_999, late))
      .thenRejected('700.300.700');
    const inTime = { metadata: { ...metadata, recordedAtMs: MIDNIGHT_MS - 1 } };
    given(...debited)
      .when(refer('reversal', id(3), id(1), undefined, inTime))
      .then({ type: 'TransactionRequested', data: { amount: eur(10_000) } });
  });
  it('records a command that came with its refusal before all others', () => {
    given(...authorized, refer('reversal', id(2), id(1)))
      .when(refer('capture', id(3), id(2), 0, { rejection: '100.550.300' }))
      .thenRejected('100.550.300');
  });
});

describe('captured 60.00 of 100.00', () => {
  it('refuses what exceeds the rest, and refunds beyond the capture', () => {
    given(...captured)
      .when(refer('capture', id(3), id(1), 4_001))
      .thenRejected('700.400.100');
    given(...captured)
      .when(refer('refund', id(3), id(2), 6_001))
      .thenRejected('700.400.200');
  });
  it('takes the rest and the whole refund', () => {
    given(...captured)
      .when(refer('capture', id(3), id(1), 4_000))
      .then({
        type: 'TransactionRequested',
      });
    given(...captured)
      .when(refer('refund', id(3), id(2), 6_000))
      .then({
        type: 'TransactionRequested',
      });
  });
  it('releases the rest of the authorization only', () => {
    given(...captured)
      .when(refer('reversal', id(3), id(1)))
      .then({ type: 'TransactionRequested', data: { amount: eur(4_000) } });
    given(...captured)
      .when(refer('reversal', id(3), id(1), 4_001))
      .thenRejected('700.400.300');
  });
  it('undoes the capture as a whole, giving neither authorization nor capture count back', () => {
    given(...captured)
      .when(refer('reversal', id(3), id(2), 5_999))
      .thenRejected('700.400.300');
    const undone = [...captured, ...approved(refer('reversal', id(3), id(2)))];
    expect(totals(stateAfter(...undone))).toMatchObject({ captured: 0n, reversed: 6_000n });
    given(...undone)
      .when(refer('capture', id(4), id(1), 4_001))
      .thenRejected('700.400.100');
    given(...undone)
      .when(refer('refund', id(4), id(2), 1))
      .thenRejected('700.400.200');
    given(...undone)
      .when(refer('reversal', id(4), id(2)))
      .thenRejected('700.400.300');
  });
  it('has nothing left to reverse once a refund is done or in flight', () => {
    given(...captured, refer('refund', id(3), id(2), 1))
      .when(refer('reversal', id(4), id(2)))
      .thenRejected('700.400.300');
  });
});

describe('a capture whose outcome is open', () => {
  const open = [...authorized, refer('capture', id(2), id(1), 6_000)];
  it.each([[], [outcome(id(2), 'unknown')], [outcome(id(2), 'pending')]])(
    'counts as used and blocks the reversal %#',
    (...more) => {
      given(...open, ...more)
        .when(refer('capture', id(3), id(1), 4_001))
        .thenRejected('700.400.100');
      given(...open, ...more)
        .when(refer('reversal', id(3), id(1)))
        .thenRejected('700.400.570');
    },
  );
  it('gives its amount back when it is declined', () => {
    given(...open, outcome(id(2), 'declined'))
      .when(refer('capture', id(3), id(1), 10_000))
      .then({ type: 'TransactionRequested' });
  });
});

describe('a debit whose reversal is open', () => {
  const open = [...debited, refer('reversal', id(2), id(1))];
  it('can be neither refunded, charged back by hand, nor reversed again', () => {
    for (const more of [[], [outcome(id(2), 'unknown')]]) {
      given(...open, ...more)
        .when(refer('refund', id(3), id(1), 1))
        .thenRejected('700.400.200');
      given(...open, ...more)
        .when(refer('chargeback', id(3), id(1), 1))
        .thenRejected('700.400.400');
      given(...open, ...more)
        .when(refer('reversal', id(3), id(1)))
        .thenRejected('700.400.300');
    }
  });
  it('is whole again when the reversal is declined', () => {
    given(...open, outcome(id(2), 'declined'))
      .when(refer('refund', id(3), id(1), 10_000))
      .then({ type: 'TransactionRequested' });
  });
});

describe('a refund whose outcome is unknown', () => {
  const open = [...debited, refer('refund', id(2), id(1), 6_000), outcome(id(2), 'unknown')];
  it('counts as used', () => {
    given(...open)
      .when(refer('refund', id(3), id(1), 4_001))
      .thenRejected('700.400.200');
    given(...open)
      .when(refer('chargeback', id(3), id(1), 4_001))
      .thenRejected('700.400.400');
    given(...open)
      .when(refer('refund', id(3), id(1), 4_000))
      .then({
        type: 'TransactionRequested',
      });
  });
});

describe('numberOfCaptures=2', () => {
  const two = approved(initiate('authorization', 10_000, { numberOfCaptures: 2 }));
  it('counts captures in flight and unknown, but not declined ones', () => {
    given(...two, refer('capture', id(2), id(1), 1), refer('receipt', id(3), id(1), 1))
      .when(refer('capture', id(4), id(1), 1))
      .thenRejected('700.400.100');
    given(
      ...two,
      refer('capture', id(2), id(1), 1),
      outcome(id(2), 'declined'),
      refer('capture', id(3), id(1), 1),
      outcome(id(3), 'unknown'),
    )
      .when(refer('capture', id(4), id(1), 1))
      .then({ type: 'TransactionRequested' });
  });
});

describe('sequence=FINAL', () => {
  const final = { final: true };
  it('closes captures while it is open and once it succeeded, not when it was declined', () => {
    const open = [...authorized, refer('capture', id(2), id(1), 10, final)];
    given(...open)
      .when(refer('capture', id(3), id(1), 1))
      .thenRejected('700.400.100');
    given(...open, outcome(id(2), 'approved'))
      .when(refer('capture', id(3), id(1), 1))
      .thenRejected('700.400.100');
    given(...open, outcome(id(2), 'declined'))
      .when(refer('capture', id(3), id(1), 1))
      .then({ type: 'TransactionRequested' });
  });
  it('reverses nothing by itself: the rest can be released', () => {
    given(...authorized, ...approved(refer('capture', id(2), id(1), 10, final)))
      .when(refer('reversal', id(3), id(1)))
      .then({ type: 'TransactionRequested', data: { amount: eur(9_990) } });
  });
  it('ends refunds of the same transaction and partial reversals alike', () => {
    given(...debited, ...approved(refer('refund', id(2), id(1), 10, final)))
      .when(refer('refund', id(3), id(1), 1))
      .thenRejected('700.400.200');
    given(...authorized, ...approved(refer('reversal', id(2), id(1), 10, final)))
      .when(refer('reversal', id(3), id(1), 1))
      .thenRejected('700.400.300');
  });
});

describe('charged back', () => {
  const chargedBack = [...debited, refer('chargeback', id(2), id(1), 4_000)];
  it('is a fact of one event with its code', () => {
    given(...debited)
      .when(refer('chargeback', id(2), id(1), 4_000))
      .then({ type: 'ChargebackReceived', data: { resultCode: '000.100.200' } });
    given(...debited)
      .when(refer('chargeback', id(2), id(1), 4_000, { resultCode: '000.100.222' }))
      .then({ type: 'ChargebackReceived', data: { resultCode: '000.100.222' } });
  });
  it('is not for channels without manual chargebacks', () => {
    given(...debited)
      .when(refer('chargeback', id(2), id(1), 4_000, { manualChargebacks: false }))
      .thenRejected('700.400.402');
  });
  it('refuses a second open one', () => {
    given(...chargedBack)
      .when(refer('chargeback', id(3), id(1), 1))
      .thenRejected('700.400.400');
  });
  it('refuses more than was captured', () => {
    given(...debited)
      .when(refer('chargeback', id(2), id(1), 10_001))
      .thenRejected('700.400.400');
  });
  it('is given back once, and can come again', () => {
    given(...chargedBack)
      .when(refer('chargebackReversal', id(3), id(2), 4_001))
      .thenRejected('700.400.410');
    given(...chargedBack)
      .when(refer('chargebackReversal', id(3), id(2), 4_000))
      .then({ type: 'ChargebackReversed', data: { resultCode: '000.100.110' } });
    const back = [...chargedBack, refer('chargebackReversal', id(3), id(2), 4_000)];
    given(...back)
      .when(refer('chargebackReversal', id(4), id(2), 1))
      .thenRejected('700.400.410');
    given(...back)
      .when(refer('chargeback', id(4), id(3), 10_000))
      .then({
        type: 'ChargebackReceived',
      });
    given(...back)
      .when(refer('refund', id(4), id(1), 10_000))
      .then({
        type: 'TransactionRequested',
      });
  });
  it('is always recorded from a settlement file; an excess opens a case', () => {
    const settlement = { source: 'settlement' };
    const refunded = [...debited, ...approved(refer('refund', id(2), id(1), 10_000))];
    given(...refunded)
      .when(refer('chargeback', id(3), id(1), 10_000, settlement))
      .then(
        { type: 'ChargebackReceived', data: { excess: eur(10_000) } },
        { type: 'CaseOpened', data: { reason: 'chargebackExcess', amount: eur(10_000) } },
      );
  });
  it('lowers what the rest of the chain may refund', () => {
    const two = [
      ...captured,
      ...approved(refer('capture', id(3), id(1), 4_000)),
      ...approved(refer('refund', id(4), id(2), 6_000)),
      refer('chargeback', id(5), id(2), 3_000, { source: 'settlement' }),
    ];
    given(...two)
      .when(refer('refund', id(6), id(3), 1_001))
      .thenRejected('700.400.200');
    given(...two)
      .when(refer('refund', id(6), id(3), 1_000))
      .then({
        type: 'TransactionRequested',
      });
  });
});

describe('rebilled', () => {
  it('adds to authorized and captured, and can be refunded by itself', () => {
    const rebilled = [...debited, ...approved(refer('rebill', id(2), id(1), 500))];
    expect(totals(stateAfter(...rebilled))).toMatchObject({
      authorized: 10_500n,
      captured: 10_500n,
    });
    given(...rebilled)
      .when(refer('refund', id(3), id(2), 501))
      .thenRejected('700.400.200');
    given(...rebilled)
      .when(refer('refund', id(3), id(2), 500))
      .then({
        type: 'TransactionRequested',
      });
  });
});

describe('incremental authorization', () => {
  const increased = [
    ...authorized,
    ...approved(refer('incrementalAuthorization', id(2), id(1), 500)),
  ];
  it('adds to authorized once it is approved', () => {
    const open = [...authorized, refer('incrementalAuthorization', id(2), id(1), 500)];
    given(...open)
      .when(refer('capture', id(3), id(1), 10_001))
      .thenRejected('700.400.100');
    given(...increased)
      .when(refer('capture', id(3), id(1), 10_500))
      .then({
        type: 'TransactionRequested',
      });
    given(...increased)
      .when(refer('capture', id(3), id(1), 10_501))
      .thenRejected('700.400.100');
  });
  it('and a reversal exclude each other while one is open', () => {
    given(...authorized, refer('incrementalAuthorization', id(2), id(1), 500))
      .when(refer('reversal', id(3), id(1)))
      .thenRejected('700.400.570');
    given(...authorized, refer('reversal', id(2), id(1), 1))
      .when(refer('incrementalAuthorization', id(3), id(1), 500))
      .thenRejected('700.400.570');
  });
  it('is released alone by a reversal of it, and wholly by one of the payment', () => {
    given(...increased)
      .when(refer('reversal', id(3), id(2)))
      .then({ type: 'TransactionRequested', data: { referencedId: id(2), amount: eur(500) } });
    given(...increased)
      .when(refer('reversal', id(3), id(2), 501))
      .thenRejected('700.400.300');
    given(...increased)
      .when(refer('reversal', id(3), id(1)))
      .then({ type: 'TransactionRequested', data: { referencedId: id(1), amount: eur(10_500) } });
  });
  it('is released once, in parts where the acquirer can, and by no more than is left of all', () => {
    const partly = [...increased, ...approved(refer('reversal', id(3), id(2), 200))];
    given(...partly)
      .when(refer('reversal', id(4), id(2)))
      .then({ type: 'TransactionRequested', data: { amount: eur(300) } });
    given(...partly, ...approved(refer('reversal', id(4), id(2), 300)))
      .when(refer('reversal', id(5), id(2), 1))
      .thenRejected('700.400.300');
    given(...increased, ...approved(refer('capture', id(3), id(1), 10_400)))
      .when(refer('reversal', id(4), id(2)))
      .then({ type: 'TransactionRequested', data: { amount: eur(100) } });
    const whole = { rules: { ...rules, partialReversal: false } };
    given(...increased)
      .when(refer('reversal', id(3), id(2), 500, whole))
      .thenRejected('700.400.300');
  });
  it('cannot be released any more once a reauthorization has taken its place', () => {
    const anew = [...increased, ...approved(refer('reauthorization', id(3), id(1), 7_000))];
    given(...anew)
      .when(refer('reversal', id(4), id(2)))
      .thenRejected('700.400.300');
    given(...anew)
      .when(refer('reversal', id(4), id(3)))
      .then({ type: 'TransactionRequested', data: { amount: eur(7_000) } });
  });
  it('never sums up to more than ten digits before the point, open ones counted', () => {
    const most = 999_999_999_999;
    const large = approved(initiate('authorization', most - 500));
    const open = refer('incrementalAuthorization', id(2), id(1), 300);
    given(...large)
      .when(refer('incrementalAuthorization', id(2), id(1), 500))
      .then({ type: 'TransactionRequested', data: { amount: eur(500) } });
    given(...large)
      .when(refer('incrementalAuthorization', id(2), id(1), 501))
      .thenRejected('100.550.301');
    given(...large, open)
      .when(refer('incrementalAuthorization', id(3), id(1), 201))
      .thenRejected('100.550.301');
  });
  it('needs an acquirer that can, and an authorization that lives', () => {
    given(...authorized)
      .when(
        refer('incrementalAuthorization', id(2), id(1), 1, {
          rules: { ...rules, incrementalAuthorization: false },
        }),
      )
      .thenRejected('900.100.202');
    given(...authorized, ...approved(refer('reversal', id(2), id(1))))
      .when(refer('incrementalAuthorization', id(3), id(1), 1))
      .thenRejected('700.300.300');
  });
});

describe('reauthorization', () => {
  const open = [...captured, refer('reauthorization', id(3), id(1), 9_000)];
  it('states what it releases and counts the old part until then', () => {
    given(...captured)
      .when(refer('reauthorization', id(3), id(1), 9_000))
      .then({ type: 'TransactionRequested', data: { amount: eur(9_000), releases: eur(4_000) } });
    expect(totals(stateAfter(...open)).authorized).toBe(10_000n);
    given(...open)
      .when(refer('capture', id(4), id(1), 1))
      .thenRejected('700.400.570');
  });
  it('sets a new remainder, on which the acquirer is asked by its own reference', () => {
    const done = [...open, outcome(id(3), 'approved')];
    expect(totals(stateAfter(...done))).toMatchObject({ authorized: 15_000n, captured: 6_000n });
    given(...done)
      .when(refer('capture', id(4), id(3), 9_001))
      .thenRejected('700.400.100');
    given(...done)
      .when(refer('capture', id(4), id(1), 9_000))
      .then({
        type: 'TransactionRequested',
      });
    expect(originalReference(stateAfter(...done), id(1))).toBe(id(3));
    expect(originalReference(stateAfter(...open), id(1))).toBe(id(1));
    expect(originalReference(stateAfter(...done), id(2))).toBe(id(2));
  });
  it('changes nothing when it is declined', () => {
    given(...open, outcome(id(3), 'declined'))
      .when(refer('capture', id(4), id(1), 4_000))
      .then({ type: 'TransactionRequested' });
  });
  it('waits for everything that uses the remainder', () => {
    given(...authorized, refer('capture', id(2), id(1), 1))
      .when(refer('reauthorization', id(3), id(1), 9_000))
      .thenRejected('700.400.570');
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
    const commands = Array.from({ length: TRANSACTIONS_MAX - 1 }, (_, index) =>
      refer('capture', id(index + 2), id(1), 99_999),
    );
    const state = stateAfter(...authorized, ...commands);
    expect(isFull(state)).toBe(true);
    expect(decide(refer('capture', id(2_000), id(1), 1), state)).toEqual([]);
  });
});
