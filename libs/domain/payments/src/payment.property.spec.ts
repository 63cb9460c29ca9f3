import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeEvent, encodeEvent } from './codec.js';
import type { Outcome, PaymentDecision } from './commands.js';
import { decide } from './decide.js';
import type { PaymentEvent } from './events.js';
import { invariantViolations } from './invariants.js';
import { evolve, evolveAll, initialState, transactionsOf, type PaymentState } from './payment.js';
import { approved, id, initiate, NOON_MS, outcome, refer, stateAfter } from './payment-fixture.js';
import { totals } from './totals.js';

const RUNS = 2_000;

const operation = fc.constantFrom(
  'capture',
  'capture',
  'refund',
  'refund',
  'reversal',
  'reversal',
  'rebill',
  'receipt',
  'chargeback',
  'chargebackReversal',
  'incrementalAuthorization',
  'reauthorization',
);
const outcomeKind = fc.constantFrom<Outcome['kind']>(
  'approved',
  'approved',
  'approved',
  'declined',
  'pending',
  'unknown',
  'notPerformed',
);

/** A transaction is named by a number, modulo what exists; often it is the newest. */
const anyTransaction = fc.oneof(fc.constant(-1), fc.nat(30));

/** One thing that happens. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('refer' as const),
      operation,
      referenced: anyTransaction,
      minor: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 120 })),
      final: fc.boolean(),
      settlement: fc.boolean(),
      whole: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('outcome' as const),
      transaction: anyTransaction,
      outcome: outcomeKind,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reversed' as const), transaction: anyTransaction }),
  },
);
type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Drawn<typeof step>;

function commandFor(state: PaymentState, happening: Step): PaymentDecision {
  const ids = [...transactionsOf(state).values()].map((transaction) => transaction.id);
  const named = (number: number) => ids.at(number < 0 ? number : number % ids.length) ?? id(1);
  const nowMs = NOON_MS + ids.length;
  switch (happening.kind) {
    case 'outcome':
      return outcome(named(happening.transaction), happening.outcome, nowMs);
    case 'reversed': {
      const transactionId = named(happening.transaction);
      return { type: 'RecordReversal', transactionId, nowMs, connectorTxId: 'r' };
    }
    case 'refer': {
      const isReversal = happening.operation === 'reversal' && happening.whole;
      const changes = {
        final: happening.final && happening.operation === 'capture',
        ...(happening.settlement && happening.operation === 'chargeback'
          ? { source: 'settlement' }
          : {}),
      };
      const referenced = named(happening.referenced);
      const minor = isReversal ? undefined : happening.minor;
      return refer(happening.operation, id(ids.length + 1), referenced, minor, changes);
    }
  }
}

const chain = fc.record({
  first: fc.constantFrom('authorization' as const, 'debit' as const, 'credit' as const),
  numberOfCaptures: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  firstOutcome: outcomeKind,
  steps: fc.array(step, { maxLength: 30 }),
});

function firstOf(first: 'authorization' | 'debit' | 'credit', numberOfCaptures?: number) {
  return initiate(first, 100, numberOfCaptures === undefined ? {} : { numberOfCaptures });
}

describe('any sequence of operations and outcomes', () => {
  it('keeps refunded ≤ captured ≤ authorized, and replays to the same state', () => {
    let captures = 0;
    let refunds = 0;
    const check = ({ first, numberOfCaptures, firstOutcome, steps }: Drawn<typeof chain>) => {
      const events: PaymentEvent[] = [];
      let state: PaymentState = initialState;
      const apply = (command: PaymentDecision) => {
        for (const event of decide(command, state)) {
          state = evolve(state, event);
          events.push(event);
        }
        expect(invariantViolations(state)).toEqual([]);
        if (decide(command, state).length > 0 && command.type !== 'RecordOutcome') {
          throw new Error('the same command twice');
        }
      };
      apply(firstOf(first, numberOfCaptures));
      apply(outcome(id(1), firstOutcome));
      for (const happening of steps) apply(commandFor(state, happening));

      const sum = totals(state);
      captures += Number(sum.captured);
      refunds += Number(sum.refunded);
      expect(sum.captured + sum.captureOpen <= sum.authorized).toBe(true);
      expect(sum.refunded <= sum.captured).toBe(true);
      const replayed = events.map((event) => decodeEvent(encodeEvent(event)));
      expect(evolveAll(initialState, replayed)).toEqual(state);
    };
    fc.assert(fc.property(chain, check), { numRuns: RUNS, seed: 20_260_115 });
    // The sequences must be worth something: money was captured and returned in many of them.
    expect(captures).toBeGreaterThan(RUNS);
    expect(refunds).toBeGreaterThan(RUNS / 4);
  }, 60_000);
});

/** Writes the events that no rule would let through: the invariants have to see each of them. */
describe('one bad event', () => {
  const captured = [
    ...approved(initiate('authorization', 100, { numberOfCaptures: 2 })),
    ...approved(refer('capture', id(2), id(1), 60)),
  ];
  const injected = (
    operation: Parameters<typeof refer>[0],
    referenced: number,
    minor: number,
    final = false,
    base: readonly PaymentDecision[] = captured,
  ) => {
    const sound = stateAfter(...base);
    expect(invariantViolations(sound)).toEqual([]);
    const template = evolveAll(sound, [
      {
        type: 'TransactionRequested',
        data: {
          transactionId: id(90),
          referencedId: id(referenced),
          operation,
          amount: { ...amountOf(sound), minor: BigInt(minor) },
          final,
          parameters: {},
        },
        metadata: initiate('debit', 1).metadata,
      },
    ]);
    return invariantViolations(template);
  };
  const amountOf = (state: PaymentState) => {
    const amount = transactionsOf(state).get(id(1))?.amount;
    if (amount === undefined) throw new Error('no amount');
    return amount;
  };

  it('is found: captured beyond authorized', () => {
    expect(injected('capture', 1, 41)).not.toEqual([]);
    expect(injected('capture', 1, 40)).toEqual([]);
  });
  it('is found: refunded beyond captured', () => {
    expect(injected('refund', 2, 61)).not.toEqual([]);
    expect(injected('refund', 2, 60)).toEqual([]);
  });
  it('is found: released beyond the rest', () => {
    expect(injected('reversal', 1, 41)).not.toEqual([]);
  });
  it('is found: an amount that is not positive', () => {
    expect(injected('capture', 1, 0)).not.toEqual([]);
    expect(injected('refund', 2, -1)).not.toEqual([]);
  });
  it('is found: one capture too many', () => {
    const two = [...captured, ...approved(refer('capture', id(3), id(1), 1))];
    expect(injected('capture', 1, 1, false, two)).not.toEqual([]);
  });
  it('is found: a capture after sequence=FINAL', () => {
    const closed = [
      ...approved(initiate('authorization', 100)),
      ...approved(refer('capture', id(3), id(1), 1, { final: true })),
    ];
    expect(injected('capture', 1, 1, false, closed)).not.toEqual([]);
  });
});
