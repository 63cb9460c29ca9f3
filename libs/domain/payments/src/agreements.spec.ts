import { describe, expect, it } from '@jest/globals';
import type { EntityId } from '@sluice/identifiers';
import {
  agreementMarked,
  agreementMarks,
  type AgreementSoFar,
  firstPaymentsNamed,
  hasBegun,
  idsNamed,
  isLater,
  isStanding,
  subjectOfAgreement,
  subjectOfRegistration,
  subjectsOfNames,
} from './agreements.js';
import type { PaymentCommand } from './commands.js';
import {
  approved,
  given,
  id,
  initiate,
  metadata,
  NOON_MS,
  outcome,
  refer,
  stateAfter,
} from './payment-fixture.js';

const BROKEN = '600.200.501';
const DAY_MS = 86_400_000;

const said = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]),
  );

const first = (fields: Readonly<Record<string, string>>) =>
  initiate('debit', 10_000, { parameters: said({ mode: 'INITIAL', ...fields }) });

/** What the payments so far have left under the agreement that the first of them began. */
function soFar(...payments: readonly (readonly PaymentCommand[])[]): AgreementSoFar | undefined {
  const marks = payments.flatMap((commands) => agreementMarks(stateAfter(...commands)));
  const subject = subjectOfAgreement(id(1));
  return agreementMarked(
    id(1),
    marks.filter((mark) => mark.subject === subject),
  );
}

/** A payment of its own, so many days after the first one. */
function later(number: number, days: number, agreement: AgreementSoFar | undefined) {
  return initiate('debit', 500, {
    ...{
      transactionId: id(number),
      metadata: { ...metadata, recordedAtMs: NOON_MS + days * DAY_MS },
    },
    ...(agreement !== undefined && { agreement }),
  });
}

/** Approved, and to be looked at by somebody. */
const held = (payment: ReturnType<typeof initiate>) =>
  approved({ ...payment, assessment: { decision: 'review', score: 1 } });

const reviewed = (decision: 'released' | 'rejected') =>
  ({ type: 'DecideReview', transactionId: id(1), nowMs: NOON_MS, decision }) as const;

const initiated = { type: 'PaymentInitiated' } as const;

describe('a later payment of an agreement of two installments', () => {
  const begun = approved(first({ numberOfInstallments: '2' }));

  it('is made, and records what it belongs to', () => {
    given()
      .when(later(2, 1, soFar(begun)))
      .then({
        type: 'PaymentInitiated',
        data: {
          agreement: {
            firstPaymentId: id(1),
            terms: { 'standingInstruction.numberOfInstallments': '2' },
          },
        },
      });
  });

  it.each(['approved', 'pending', 'unknown'] as const)(
    'is refused after one that is %s',
    (kind) => {
      const second = [later(2, 1, soFar(begun)), outcome(id(2), kind)];
      given()
        .when(later(3, 2, soFar(begun, second)))
        .then({
          type: 'TransactionRejected',
          data: {
            resultCode: BROKEN,
            resultDescription:
              'invalid recurring payment data or configuration - numberOfInstallments of the first payment',
          },
        });
    },
  );

  it.each(['declined', 'notPerformed'] as const)('is made after one that was %s', (kind) => {
    const second = [later(2, 1, soFar(begun)), outcome(id(2), kind)];
    given()
      .when(later(3, 2, soFar(begun, second)))
      .then(initiated);
  });

  it('is refused after a rebill, and a rebill after it', () => {
    const rebilled = [...begun, ...approved(refer('rebill', id(2), id(1), 500))];
    given()
      .when(later(3, 2, soFar(rebilled)))
      .thenRejected(BROKEN);
    const second = approved(later(2, 1, soFar(begun)));
    const agreement = soFar(begun, second);
    given(...begun)
      .when(refer('rebill', id(3), id(1), { minor: 500, agreement }))
      .thenRejected(BROKEN);
    given(...second)
      .when(refer('rebill', id(3), id(2), { minor: 500, agreement }))
      .thenRejected(BROKEN);
  });

  it.each(['debit', 'authorization'] as const)(
    'is made after a %s that was reversed',
    (operation) => {
      const second = approved({ ...later(2, 1, soFar(begun)), operation });
      const reversal = refer('reversal', id(4), id(2));
      const open = soFar(begun, [...second, reversal]);
      given()
        .when(later(3, 2, open))
        .thenRejected(BROKEN);
      const reversed = soFar(begun, [...second, ...approved(reversal)]);
      given()
        .when(later(3, 2, reversed))
        .then(initiated);
      given(...begun)
        .when(refer('rebill', id(3), id(1), { minor: 500, agreement: reversed }))
        .then({ type: 'TransactionRequested' });
    },
  );

  it('is refused after one that was reversed in part', () => {
    const second = approved({ ...later(2, 1, soFar(begun)), operation: 'authorization' });
    const reversed = [...second, ...approved(refer('reversal', id(4), id(2), 200))];
    given()
      .when(later(3, 2, soFar(begun, reversed)))
      .thenRejected(BROKEN);
  });

  it('has what the first one agreed after that was reversed, which then is none of the two', () => {
    const reversed = [...begun, ...approved(refer('reversal', id(4), id(1)))];
    const second = approved(later(2, 1, soFar(reversed)));
    const third = approved(later(3, 2, soFar(reversed, second)));
    given()
      .when(later(5, 3, soFar(reversed, second, third)))
      .thenRejected(BROKEN);
  });

  it('that is refused for another reason has that one', () => {
    const second = approved(later(2, 1, soFar(begun)));
    const agreement = soFar(begun, second);
    given()
      .when({ ...later(3, 2, agreement), rejection: '100.550.303' })
      .thenRejected('100.550.303');
  });
});

describe('a later payment', () => {
  it('is refused after the end, and too soon after the last one', () => {
    given()
      .when(later(2, 2, soFar(approved(first({ expiry: '2026-01-16' })))))
      .thenRejected(BROKEN);
    const monthly = approved(first({ frequency: '30' }));
    const second = approved(later(2, 30, soFar(monthly)));
    given()
      .when(later(3, 59, soFar(monthly, second)))
      .thenRejected(BROKEN);
    given()
      .when(later(3, 60, soFar(monthly, second)))
      .then(initiated);
  });

  it('of an unknown agreement is taken as given', () => {
    given()
      .when(later(2, 1, undefined))
      .then(initiated);
  });

  it.each([
    [{ mode: 'REPEATED' }, true],
    [{ source: 'MIT' }, true],
    [{ agreementId: 'contract' }, true],
    [{ initialTransactionId: 'acq-1' }, true],
    [{ mode: 'INITIAL', agreementId: 'contract' }, false],
    [{ source: 'CIT' }, false],
    [{}, false],
  ])('is known by what it says: %j', (fields, expected) => {
    expect(isLater(said(fields))).toBe(expected);
  });
});

describe('what a payment tells of its agreement', () => {
  const entityId = metadata.entityId;

  it('is nothing where nothing was agreed', () => {
    expect(agreementMarks(stateAfter())).toEqual([]);
    expect(agreementMarks(stateAfter(...approved(first({}))))).toEqual([]);
    const repeated = initiate('debit', 100, {
      parameters: said({ mode: 'REPEATED', frequency: '1' }),
    });
    expect(agreementMarks(stateAfter(...approved(repeated)))).toEqual([]);
  });

  it('is its names once it is approved, and not before', () => {
    const begun = first({ numberOfInstallments: '2' });
    const subjects = (...commands: readonly PaymentCommand[]) =>
      agreementMarks(stateAfter(...commands)).map(({ subject }) => subject);
    expect(subjects(begun)).toEqual([subjectOfAgreement(id(1))]);
    expect(subjects(...approved(begun))).toEqual([
      subjectOfAgreement(id(1)),
      `agreementId:${entityId}:INTERNAL:${id(1)}`,
      `initialTransactionId:${entityId}:INTERNAL:acq-1`,
    ]);
    expect(subjects(begun, outcome(id(1), 'declined'))).toEqual([]);
  });

  it("is its acquirer's name for it, where another gateway passed that on", () => {
    const command = outcome(id(1), 'approved');
    const resultDetails = { CardholderInitiatedTransactionID: 'S-79' };
    const named = { ...command, outcome: { ...command.outcome, resultDetails } };
    const marks = agreementMarks(stateAfter(first({ frequency: '1' }), named));
    expect(marks[2]?.subject).toBe(`initialTransactionId:${entityId}:INTERNAL:S-79`);
  });

  it("is the merchant's own name, of its own entity and mode", () => {
    const begun = approved(first({ frequency: '1', agreementId: 'contract' }));
    const [, name] = agreementMarks(stateAfter(...begun));
    const named = said({ agreementId: 'contract' });
    expect(subjectsOfNames(metadata, named)).toEqual([name?.subject]);
    for (const other of [{ entityId: 'f'.repeat(32) as EntityId }, { mode: 'LIVE' as const }]) {
      expect(subjectsOfNames({ ...metadata, ...other }, named)).not.toEqual([name?.subject]);
    }
  });

  it('is its names, even of one that agreed nothing, where the merchant gave it an id of ours', () => {
    const subjects = (agreementId: string) =>
      agreementMarks(stateAfter(...approved(first({ agreementId })))).map((mark) => mark.subject);
    expect(subjects(id(7))).toContain(`agreementId:${entityId}:INTERNAL:${id(7)}`);
    expect(subjects('contract')).toEqual([]);
  });

  it('is its registration, even of one that agreed nothing, and not to what the shopper pays', () => {
    const registrationId = id(9);
    const by = (fields: Readonly<Record<string, string>>) => ({
      ...{ registrationId, ...said(fields) },
    });
    const subject = subjectOfRegistration(metadata, by({ source: 'MIT' }));
    expect(subject).toBe(`registration:${entityId}:INTERNAL:${registrationId}`);
    expect(subjectOfRegistration(metadata, by({ mode: 'REPEATED' }))).toBe(subject);
    expect(subjectOfRegistration(metadata, by({ mode: 'REPEATED', source: 'CIT' }))).toBe(
      undefined,
    );
    expect(subjectOfRegistration(metadata, said({ source: 'MIT' }))).toBeUndefined();
    const subjects = (fields: Readonly<Record<string, string>>) =>
      agreementMarks(
        stateAfter(...approved(initiate('debit', 100, { parameters: by(fields) }))),
      ).map((mark) => mark.subject);
    expect(subjects({ mode: 'INITIAL', frequency: '1' })).toContain(subject);
    expect(subjects({ mode: 'INITIAL' })).toEqual([
      `agreementId:${entityId}:INTERNAL:${id(1)}`,
      `initialTransactionId:${entityId}:INTERNAL:acq-1`,
      subject,
    ]);
    expect(subjects({ mode: 'REPEATED' })).toEqual([]);
    const open = initiate('debit', 100, { parameters: by({ mode: 'INITIAL' }) });
    expect(agreementMarks(stateAfter(open))).toEqual([]);
  });

  it('is that it is withheld, by whatever leads to it, until it is released', () => {
    const registrationId = id(9);
    const beginning = said({ mode: 'INITIAL', agreementId: 'contract' });
    const begun = initiate('debit', 100, { parameters: { registrationId, ...beginning } });
    const subjects = (...commands: readonly PaymentCommand[]) => {
      const marks = agreementMarks(stateAfter(...commands));
      return [marks.map(({ subject }) => subject), marks.filter(isStanding).length];
    };
    const own = subjectOfAgreement(id(1));
    const names = [
      `agreementId:${entityId}:INTERNAL:contract`,
      `initialTransactionId:${entityId}:INTERNAL:acq-1`,
      `registration:${entityId}:INTERNAL:${registrationId}`,
    ];
    expect(subjects(...held(begun))).toEqual([[own, ...names], 0]);
    expect(subjects(...held(begun), reviewed('released'))).toEqual([names, 3]);
    // What may be used again, or belongs to others as well, is as after a decline.
    expect(subjects(...held(begun), reviewed('rejected'))).toEqual([[own, names[1]], 0]);
    const back = approved(refer('reversal', id(2), id(1)));
    expect(subjects(...held(begun), ...back)).toEqual([[own, names[1]], 0]);
    const purchase = initiate('debit', 100, { parameters: { registrationId } });
    expect(subjects(...held(purchase))).toEqual([
      [own, `agreementId:${entityId}:INTERNAL:${id(1)}`, names[1]],
      0,
    ]);
  });

  it('is there as long as it has a part in a decision', () => {
    const untilOf = (terms: Readonly<Record<string, string>>) => {
      const begun = approved(first(terms));
      const [mark] = agreementMarks(stateAfter(...approved(later(2, 60, soFar(begun)))));
      return mark && 'untilMs' in mark ? mark.untilMs : mark && 'stays';
    };
    expect(untilOf({ numberOfInstallments: '3' })).toBe('stays');
    expect(untilOf({ frequency: '30' })).toBe(NOON_MS + 90 * DAY_MS);
    expect(untilOf({ expiry: '2030-01-01' })).toBeUndefined();
  });

  it('leads to the latest of several first payments with one name', () => {
    const marks = [1, 3, 2].map((number) => ({
      data: { firstPaymentId: id(number), atMs: number },
    }));
    expect(firstPaymentsNamed(marks)).toEqual([id(3), id(2), id(1)]);
    expect(firstPaymentsNamed([])).toEqual([]);
  });
});

describe('a payment that a later one names by our id', () => {
  const debit = initiate('debit', 500, { parameters: said({ mode: 'INITIAL' }) });

  it.each([
    ['open', [debit], true],
    ['approved', approved(debit), true],
    ['declined', [debit, outcome(id(1), 'declined')], false],
    ['refused', [{ ...debit, rejection: '100.550.303' }], false],
    ['under review', held(debit), false],
    ['rejected', [...held(debit), reviewed('rejected')], false],
    ['released', [...held(debit), reviewed('released')], true],
  ] as const)('has begun an agreement if it is %s: %s', (_status, commands, begun) => {
    const state = stateAfter(...commands);
    expect(hasBegun(state, debit.metadata, id(1))).toBe(begun);
    expect(hasBegun(state, { ...debit.metadata, mode: 'LIVE' }, id(1))).toBeUndefined();
    const entityId = '8a8294174b7ecb28014b9699220015cc' as EntityId;
    expect(hasBegun(state, { ...debit.metadata, entityId }, id(1))).toBeUndefined();
    expect(hasBegun(state, debit.metadata, id(9))).toBeUndefined();
  });

  it('is looked for by both names', () => {
    const names = { agreementId: id(1), initialTransactionId: id(2) };
    expect(idsNamed(said(names))).toEqual([id(1), id(2)]);
    expect(idsNamed(said({ agreementId: 'contract' }))).toEqual([]);
    expect(idsNamed({})).toEqual([]);
  });
});
