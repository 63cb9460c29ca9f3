import { describe, expect, it } from '@jest/globals';
import type { ReferenceOperation, TransactionOutcome } from '@sluice/contracts';
import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import type { Outcome, PaymentCommand } from './commands.js';
import { decide } from './decide.js';
import { isOpen, type PaymentEvent } from './events.js';
import { invariantViolations } from './invariants.js';
import {
  evolve,
  evolveAll,
  findTransaction,
  initialState,
  initialTransaction,
  type PaymentState,
  transactionsOf,
} from './payment.js';
import { id, initiate, NOON_MS, outcome, refer, storedAndRead } from './payment-fixture.js';
import { outcomeOf } from './result.js';
import { totals } from './totals.js';
import type { Transaction } from './transaction.js';
import { transitions } from './transitions.js';

const RUNS = 2_000;
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** Any text is a seed, as in the other tests that draw; fast-check takes 32 bits. */
const SEED_NUMBER = createHash('sha256').update(SEED).digest().readInt32BE();

/** What is drawn, captures and refunds more often: there the limits are. */
const drawnOperations: readonly ReferenceOperation[] = [
  'capture',
  'capture',
  'capture',
  'refund',
  'refund',
  'refund',
  'reversal',
  'rebill',
  'receipt',
  'chargeback',
  'chargebackReversal',
  'incrementalAuthorization',
  'reauthorization',
];
const outcomeKind = fc.constantFrom<Outcome['kind']>(
  'approved',
  'approved',
  'approved',
  'approved',
  'declined',
  'pending',
  'unknown',
  'notPerformed',
);
/** Taken modulo what there is to choose from. */
const choice = fc.nat(9_999);
const mostly = fc.integer({ min: 0, max: 9 }).map((number) => number > 0);

/** One thing that happens. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('refer' as const),
      choice,
      operation: fc.constantFrom(...drawnOperations),
      minor: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 120 })),
      final: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
      settlement: fc.boolean(),
      whole: fc.boolean(),
      /** Whether it refers to what it may refer to; most do, or little money would move. */
      legal: mostly,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('outcome' as const),
      choice,
      /** Whether it is about something whose outcome is open. */
      open: mostly,
      outcome: outcomeKind,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reversed' as const), choice }) },
);
type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Drawn<typeof step>;

function commandFor(state: PaymentState, happening: Step): PaymentCommand {
  const transactions = [...transactionsOf(state).values()];
  const chosen = (candidates: readonly Transaction[]) =>
    (candidates[happening.choice % candidates.length] ?? initialTransaction(state)).id;
  const open = transactions.filter((transaction) => isOpen(transaction.status));
  const nowMs = NOON_MS + transactions.length;
  switch (happening.kind) {
    case 'outcome': {
      const candidates = happening.open && open.length > 0 ? open : transactions;
      return outcome(chosen(candidates), happening.outcome, nowMs);
    }
    case 'reversed': {
      const transactionId = chosen(transactions);
      return { type: 'RecordReversal', transactionId, nowMs, connectorTxId: 'r' };
    }
    case 'refer': {
      const { operation, referenced } = referenceFor(transactions, happening);
      const changes = {
        final: happening.final,
        ...(happening.settlement && operation === 'chargeback' ? { source: 'settlement' } : {}),
      };
      const minor = operation === 'reversal' && happening.whole ? undefined : happening.minor;
      return refer(operation, id(transactions.length + 1), referenced, { minor, ...changes });
    }
  }
}

/** Mostly one of the references that the table allows in this state, otherwise any. */
function referenceFor(
  transactions: readonly Transaction[],
  { choice: number, operation, legal }: Extract<Step, { kind: 'refer' }>,
) {
  const allowed = drawnOperations.flatMap((candidate) =>
    transactions
      .filter(
        (transaction) =>
          transaction.status === 'approved' &&
          transitions[candidate][transaction.operation] === 'allowed',
      )
      .map((transaction) => ({ operation: candidate, referenced: transaction.id })),
  );
  const any = { operation, referenced: transactions[number % transactions.length]?.id ?? id(1) };
  return (legal ? allowed[number % Math.max(allowed.length, 1)] : undefined) ?? any;
}

const chain = fc.record({
  first: fc.constantFrom('authorization', 'authorization', 'debit', 'credit'),
  numberOfCaptures: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  firstOutcome: fc.oneof(fc.constant('approved' as const), outcomeKind),
  steps: fc.array(step, { maxLength: 30, size: 'max' }),
});

function firstOf(first: 'authorization' | 'debit' | 'credit', numberOfCaptures?: number) {
  return initiate(first, 100, numberOfCaptures === undefined ? {} : { numberOfCaptures });
}

describe(`any sequence of operations and outcomes (TEST_SEED=${SEED} repeats them)`, () => {
  it('keeps refunded ≤ captured ≤ authorized, and replays to the same state', () => {
    let captures = 0;
    let refunds = 0;
    const check = ({ first, numberOfCaptures, firstOutcome, steps }: Drawn<typeof chain>) => {
      const events: PaymentEvent[] = [];
      let state: PaymentState = initialState;
      const apply = (said: PaymentCommand) => {
        const command = 'parameters' in said ? { ...said, personal: 'c2VhbGVk' } : said;
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
      for (const { operation, status } of transactionsOf(state).values()) {
        if (status !== 'approved') continue;
        if (operation === 'capture') captures += 1;
        if (operation === 'refund') refunds += 1;
      }
      expect(sum.captured + sum.captureOpen <= sum.authorized).toBe(true);
      expect(sum.refunded <= sum.captured).toBe(true);
      const replayed = events.map(storedAndRead);
      expect(evolveAll(initialState, replayed)).toEqual(state);
      for (const transaction of transactionsOf(state).values()) {
        expect(shownAlone(events, transaction.id)).toEqual(outcomeOf(transaction));
      }
      // Whoever forgets a person must not move money.
      expect(totals(evolveAll(initialState, events.map(withoutPersonal)))).toEqual(sum);
    };
    fc.assert(fc.property(chain, check), { numRuns: RUNS, seed: SEED_NUMBER });
    // The sequences must be worth something: money was captured and returned in many of them.
    expect(captures).toBeGreaterThan(RUNS / 10);
    expect(refunds).toBeGreaterThan(RUNS / 20);
  }, 60_000);
});

/** What is shown of a transaction to who reads its own events alone, and no further than its end. */
function shownAlone(events: readonly PaymentEvent[], transactionId: string): TransactionOutcome {
  let state: PaymentState = initialState;
  for (const event of events) {
    const transaction = findTransaction(state, transactionId);
    if (transaction !== undefined && !isOpen(transaction.status)) break;
    if (event.data.transactionId === transactionId) state = evolve(state, event);
  }
  return outcomeOf(findTransaction(state, transactionId)!);
}

function withoutPersonal(event: PaymentEvent): PaymentEvent {
  const { personal: _, ...data } = event.data as { personal?: string };
  return { ...event, data } as PaymentEvent;
}
