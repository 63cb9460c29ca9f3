import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import {
  type AgreementMark,
  agreementMarked,
  agreementMarks,
  type AgreementSoFar,
  mayHaveAuthorized,
  subjectOfAgreement,
} from './agreements.js';
import type { Outcome, PaymentCommand } from './commands.js';
import { decide } from './decide.js';
import { evolveAll, initialState, type PaymentState, transactionsOf } from './payment.js';
import { approved, id, initiate, outcome, refer } from './payment-fixture.js';

const RUNS = 500;
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** Any text is a seed; fast-check takes 32 bits. */
const SEED_NUMBER = createHash('sha256').update(SEED).digest().readInt32BE();

const INSTALLMENTS = 3;
const SUBJECT = subjectOfAgreement(id(1));

/** Payments of one agreement, in a store that refuses what was decided by marks that have changed. */
class Agreement {
  readonly #streams = new Map<string, PaymentState>();
  #version = 0;
  #next = 2;
  /** Decided at a version of the marks, and not appended yet. */
  readonly #proposed: { stream: string; command: PaymentCommand; version: number }[] = [];

  constructor() {
    const parameters = {
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.numberOfInstallments': String(INSTALLMENTS),
    };
    this.#append(id(1), approved(initiate('debit', 100, { parameters })));
  }

  propose(kind: 'later' | 'rebill'): void {
    const transactionId = id(this.#next);
    this.#next += 1;
    const agreement = this.#soFar();
    const command =
      kind === 'rebill'
        ? refer('rebill', transactionId, id(1), { minor: 100, agreement })
        : initiate('debit', 100, { transactionId, ...(agreement && { agreement }) });
    const stream = kind === 'rebill' ? id(1) : transactionId;
    this.#proposed.push({ stream, command, version: this.#version });
  }

  /** One of those that were proposed, in whichever order. */
  append(choice: number): void {
    const [proposed] = this.#proposed.splice(choice % Math.max(1, this.#proposed.length), 1);
    if (proposed?.version !== this.#version) return;
    if (this.#append(proposed.stream, [proposed.command])) this.#version += 1;
  }

  settle(choice: number, kind: Outcome['kind']): void {
    const open = this.#counted();
    const one = open[choice % Math.max(1, open.length)];
    if (one !== undefined) this.#append(one.stream, [outcome(one.id, kind)]);
  }

  get authorized(): number {
    return this.#counted().length;
  }

  /** Whether the append has left another mark of the agreement. */
  #append(stream: string, commands: readonly PaymentCommand[]): boolean {
    const before = this.#streams.get(stream) ?? initialState;
    const after = commands.reduce(
      (state, command) => evolveAll(state, decide(command, state)),
      before,
    );
    this.#streams.set(stream, after);
    return ofAgreement(after).length > ofAgreement(before).length;
  }

  #counted() {
    return [...this.#streams].flatMap(([stream, state]) =>
      [...transactionsOf(state).values()].filter(mayHaveAuthorized).map((each) => {
        return { stream, id: each.id };
      }),
    );
  }

  #soFar(): AgreementSoFar | undefined {
    return agreementMarked(id(1), [...this.#streams.values()].flatMap(ofAgreement));
  }
}

function ofAgreement(state: PaymentState): readonly AgreementMark[] {
  return agreementMarks(state).filter(({ subject }) => subject === SUBJECT);
}

const choice = fc.nat(99);
const step = fc.oneof(
  fc.constantFrom('later' as const, 'rebill' as const).map((kind) => (agreement: Agreement) => {
    agreement.propose(kind);
  }),
  choice.map((number) => (agreement: Agreement) => {
    agreement.append(number);
  }),
  fc
    .tuple(choice, fc.constantFrom<Outcome['kind']>('approved', 'declined', 'pending', 'unknown'))
    .map(([number, kind]) => (agreement: Agreement) => {
      agreement.settle(number, kind);
    }),
);

it(`never has more authorizations than were agreed, however they come (TEST_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const agreement = new Agreement();
      for (const happen of steps) {
        happen(agreement);
        expect(agreement.authorized).toBeLessThanOrEqual(INSTALLMENTS);
      }
    }),
    { numRuns: RUNS, seed: SEED_NUMBER },
  );
});
