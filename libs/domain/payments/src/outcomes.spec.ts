import { describe, expect, it } from '@jest/globals';
import type { PaymentCommand, RecordFinding } from './commands.js';
import { decide } from './decide.js';
import { asExpired, metadataAt } from './outcomes.js';
import {
  approved,
  eur,
  given,
  happened,
  id,
  initiate,
  metadata,
  NOON_MS,
  outcome,
  refer,
  requestOf,
  stateAfter,
} from './payment-fixture.js';

const debit = initiate('debit', 10_000);
const notFound = [debit, outcome(id(1), 'notPerformed')];
const late = [...notFound, outcome(id(1), 'approved')];
const about = { transactionId: id(1), nowMs: NOON_MS };
const lateAnswer: RecordFinding = { type: 'RecordLateAnswer', answer: 'notFound', ...about };
const reversed: RecordFinding = { type: 'RecordReversal', connectorTxId: 'r', ...about };
const refunded: RecordFinding = { type: 'RecordLateApprovalRefund', connectorTxId: 'f', ...about };
const refundOf: RecordFinding = {
  type: 'RequestLateApprovalRefund',
  request: { ...requestOf(id(1)), acquirerReference: 'late-refund' },
  ...about,
};
const openCase: RecordFinding = { type: 'OpenCase', ...about };

describe('the inquiry after the end', () => {
  it.each<[string, readonly PaymentCommand[]]>([
    ['not found', notFound],
    ['reversed', [debit, outcome(id(1), 'unknown'), reversed]],
  ])('is answered once: %s', (_, ended) => {
    given(...ended)
      .when(lateAnswer)
      .then({ type: 'LateInquiryAnswered', data: { answer: 'notFound' } });
    given(...ended, lateAnswer)
      .when(lateAnswer)
      .thenNothing();
  });

  it.each<[string, readonly PaymentCommand[]]>([
    ['is under way', [debit]],
    ['is unknown', [debit, outcome(id(1), 'unknown')]],
    ['is approved', approved(debit)],
    ['was approved late', late],
  ])('says nothing of a transaction that %s', (_, before) => {
    given(...before)
      .when(lateAnswer)
      .thenNothing();
  });
});

describe('an approval after the end', () => {
  it('that nothing was sent for moved nothing', () => {
    given(initiate('debit', 10_000, { rejection: '100.550.300' }))
      .when(outcome(id(1), 'approved'))
      .thenNothing();
  });

  it.each(['declined', 'pending', 'notPerformed', 'unknown'] as const)(
    'is the only outcome that counts then: not %s',
    (kind) => {
      for (const ended of [notFound, [debit, outcome(id(1), 'declined')]]) {
        given(...ended)
          .when(outcome(id(1), kind))
          .thenNothing();
      }
    },
  );

  it('counts once, and not again after it was undone', () => {
    for (const more of [[], [reversed], [refundOf, refunded]]) {
      given(...late, ...more)
        .when(outcome(id(1), 'approved'))
        .thenNothing();
    }
  });

  it('is undone once, by whichever comes first', () => {
    given(...late)
      .when(reversed)
      .then({ type: 'LateApprovalUndone', data: { by: 'reversal', connectorTxId: 'r' } });
    given(...late, refundOf)
      .when(refunded)
      .then({ type: 'LateApprovalUndone', data: { by: 'refund', connectorTxId: 'f' } });
    for (const undone of [[reversed], [refundOf, refunded]]) {
      for (const again of [reversed, refunded]) {
        given(...late, ...undone)
          .when(again)
          .thenNothing();
      }
    }
  });

  it('is refunded under one reference', () => {
    given(...late)
      .when(refundOf)
      .then({
        type: 'LateApprovalRefundRequested',
        data: { request: { acquirerReference: 'late-refund' } },
      });
    given(...late, refundOf)
      .when(refundOf)
      .thenNothing();
    given(...late, reversed)
      .when(refundOf)
      .thenNothing();
  });

  it('is the only thing to undo or refund after an end', () => {
    for (const ended of [notFound, approved(debit)]) {
      for (const finding of [reversed, refunded, refundOf]) {
        given(...ended)
          .when(finding)
          .thenNothing();
      }
    }
  });
});

describe('a case for a person', () => {
  const unknown = [debit, outcome(id(1), 'unknown')];

  it('is opened once for each reason, with the amount that it is about', () => {
    const unresolved = { reason: 'unresolved', amount: eur(10_000) };
    given(...unknown)
      .when(openCase)
      .then({ type: 'CaseOpened', data: unresolved });
    given(...unknown, openCase)
      .when(openCase)
      .thenNothing();
    const notUndone = { reason: 'lateApprovalNotUndone', amount: eur(10_000) };
    given(...late)
      .when(openCase)
      .then({ type: 'CaseOpened', data: notUndone });
    given(...late, openCase)
      .when(openCase)
      .thenNothing();
    given(...late, reversed)
      .when(openCase)
      .then({ type: 'CaseOpened', data: unresolved });
  });

  it('is opened for a late approval after one that was about the unknown outcome', () => {
    const end = [outcome(id(1), 'notPerformed'), outcome(id(1), 'approved')];
    given(...unknown, openCase, ...end)
      .when(openCase)
      .then({ type: 'CaseOpened', data: { reason: 'lateApprovalNotUndone', amount: eur(10_000) } });
  });

  it('is none without an amount', () => {
    const refused = refer('reversal', id(2), id(1), { rejection: '100.550.300' });
    given(...approved(debit), refused)
      .when({ ...openCase, transactionId: id(2) })
      .thenNothing();
  });
});

describe('an outcome that can still change', () => {
  it('becomes pending after it was unknown, and is then not pending again', () => {
    const unknown = [debit, outcome(id(1), 'unknown')];
    given(...unknown)
      .when(outcome(id(1), 'pending'))
      .then({ type: 'TransactionPending' });
    given(...unknown, outcome(id(1), 'pending'))
      .when(outcome(id(1), 'pending'))
      .thenNothing();
  });

  it('is pending with the code that the connector brings', () => {
    const pending = { kind: 'pending', resultCode: '000.200.100' } as const;
    given(debit)
      .when({ type: 'RecordOutcome', ...about, outcome: pending })
      .then({ type: 'TransactionPending', data: { resultCode: '000.200.100' } });
  });

  it('is of a transaction that is there', () => {
    expect(() => decide(outcome(id(2), 'approved'), stateAfter(debit))).toThrow('No transaction');
  });
});

describe('what is recorded later about a transaction', () => {
  it('has its own instant, and who found it where that is somebody else', () => {
    const at = NOON_MS + 7;
    expect(metadataAt(metadata, at)).toEqual({ ...metadata, recordedAtMs: at });
    expect(metadataAt(metadata, at, 'recovery')).toEqual({
      ...metadata,
      ...{ recordedAtMs: at, actor: 'recovery' },
    });
  });
});

describe('events of a command that outlived its time (D-03)', () => {
  const nowMs = NOON_MS + 30_000;
  const later = { ...metadata, recordedAtMs: nowMs };
  const debited = approved(debit);
  const eventsOf = (command: PaymentCommand) => decide(command, stateAfter(...debited));

  it('are a request that was never sent, and its end', () => {
    const [requested] = eventsOf(refer('refund', id(2), id(1), 10));
    const { request: _, ...data } = requested!.data as { request?: object };
    expect(asExpired([requested!], nowMs)).toEqual([
      { ...requested, data },
      {
        type: 'TransactionNotPerformed',
        data: { transactionId: id(2), resultCode: '900.100.310', reason: 'expired' },
        metadata: later,
      },
    ]);
  });

  it.each(['chargeback', 'chargebackReversal'] as const)('are no %s', (operation) => {
    const before = operation === 'chargeback' ? [] : [refer('chargeback', id(3), id(1), 10)];
    const command = refer(operation, id(2), operation === 'chargeback' ? id(1) : id(3), 10);
    const events = decide(command, stateAfter(...debited, ...before));
    const { source: _, ...data } = events[0]!.data as { source?: string };
    expect(asExpired(events, nowMs)).toStrictEqual([
      {
        type: 'TransactionRejected',
        data: { ...data, operation, resultCode: '900.100.310' },
        metadata: later,
      },
    ]);
  });

  it('are not performed where they would have been refused: that may have been answered (D-17)', () => {
    const [rejected] = eventsOf(refer('refund', id(2), id(1), 10_001));
    const { resultDescription: _, ...data } = rejected!.data as { resultDescription?: string };
    expect(asExpired([rejected!], nowMs)).toStrictEqual([
      {
        type: 'TransactionRejected',
        data: { ...data, resultCode: '900.100.310' },
        metadata: later,
      },
    ]);
  });

  it('are what they were where they asked for nothing', () => {
    const found = happened(...late, refundOf, refunded, openCase).slice(1);
    expect(asExpired(found, nowMs)).toEqual(found);
  });
});
