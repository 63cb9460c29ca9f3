import { describe, expect, it } from '@jest/globals';
import { evolve, evolveAll, initialState } from './payment.js';
import {
  approved,
  happened,
  id,
  initiate,
  NOON_MS,
  outcome,
  refer,
  stateAfter,
} from './payment-fixture.js';

describe('the state of a payment', () => {
  it('is the same after its events one by one as after all at once', () => {
    const events = happened(
      ...approved(initiate('debit', 100)),
      ...approved(refer('refund', id(2), id(1), 40)),
    );
    expect(events.reduce(evolve, initialState)).toEqual(evolveAll(initialState, events));
  });

  it('that was is left as it was by one more event', () => {
    const [initiated, ...later] = happened(...approved(initiate('debit', 100)));
    const before = evolve(initialState, initiated!);
    const asItWas = evolveAll(initialState, [initiated!]);
    later.reduce(evolve, before);
    expect(before).toEqual(asItWas);
  });

  it('is not made of an outcome whose transaction is in another stream', () => {
    const [, approval] = happened(...approved(initiate('debit', 100)));
    const [, lost] = happened(initiate('debit', 100), outcome(id(1), 'unknown'));
    for (const event of [approval!, lost!]) {
      expect(() => evolve(initialState, event)).toThrow(`No transaction ${id(1)} in this stream`);
    }
  });

  it('is not made of the end of a late approval that never came', () => {
    const notFound = [initiate('debit', 100), outcome(id(1), 'notPerformed')];
    const late = [...notFound, outcome(id(1), 'approved', NOON_MS + 60_000)];
    const undone = happened(...late, {
      type: 'RecordReversal',
      transactionId: id(1),
      nowMs: NOON_MS + 61_000,
      connectorTxId: 'r',
    }).at(-1);
    expect(undone?.type).toBe('LateApprovalUndone');
    expect(() => evolve(stateAfter(...notFound), undone!)).toThrow('has no late approval');
  });
});
