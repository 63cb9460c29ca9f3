import { describe, expect, it } from '@jest/globals';
import type { ScheduleJob } from '@sluice/contracts';
import { transactionIdOfRun } from '@sluice/identifiers';
import type { RunOutcome, ScheduleCommand } from './commands.js';
import { DUE_AT_ONCE_MAX, MISSED_AFTER_MS, OPEN_RUNS_MAX } from './due-runs.js';
import { dueAtMs, refusalOf } from './schedule-decider.js';
import {
  after,
  create,
  daily,
  DAY_MS,
  end,
  eventsOf,
  HOUR_MS,
  id,
  metadata,
  midnight,
  NOON_MS,
  reschedule,
  runOf,
} from './schedule-fixture.js';

const take = (nowMs: number, catchUp: 'once' | 'skip' = 'once'): ScheduleCommand => ({
  ...{ type: 'TakeDue', nowMs, catchUp },
});
const start = (runId: string, nowMs = NOON_MS): ScheduleCommand => ({
  ...{ type: 'StartRun', nowMs, runId: runId as never },
});
const record = (runId: string, nowMs: number, outcome: RunOutcome): ScheduleCommand => ({
  ...{ type: 'RecordRun', nowMs, runId: runId as never, outcome },
});
const performed: RunOutcome = {
  ...{ kind: 'performed', paymentId: id(50), resultCode: '000.100.110' },
};
const declined = (adviceCode?: string, resultCode = '800.100.155'): RunOutcome => ({
  ...{ kind: 'failed', paymentId: id(51), resultCode, brand: 'MASTER' },
  ...(adviceCode !== undefined && { adviceCode }),
});
const typesOf = (...commands: readonly ScheduleCommand[]) =>
  eventsOf(...commands).map(({ type }) => type);
const last = (...commands: readonly ScheduleCommand[]) => eventsOf(...commands).at(-1);

describe('a schedule', () => {
  it('is created once, and knows its first time', () => {
    expect(eventsOf(create(), create())).toMatchObject([
      { type: 'ScheduleCreated', data: { nextDueMs: midnight(1) } },
    ]);
    expect(dueAtMs(after(create()), NOON_MS, 1000)).toBe(midnight(1));
  });

  it('that never runs is refused', () => {
    const job = { ...daily, expression: '0 0 0 1 1 ? 2025' };
    expect(eventsOf(create(job))).toMatchObject([
      { type: 'ScheduleRejected', data: { resultCode: '100.250.100' } },
    ]);
    expect(dueAtMs(after(create(job)), NOON_MS, 1000)).toBeNull();
  });

  it.each<[string, Partial<ScheduleJob>, number]>([
    ['the start date', { startMs: midnight(5) }, midnight(5)],
    ['a start date between two times', { startMs: midnight(5) + 1 }, midnight(6)],
  ])('does not run before %s', (_, dates, first) => {
    expect(after(create({ ...daily, ...dates })).plan?.nextDueMs).toBe(first);
  });

  it.each<[string, Partial<ScheduleJob>]>([
    ['the end date', { endMs: midnight(1) }],
    ['the duration', { durationUnit: 'DAY', durationNumber: 1 }],
  ])('ends with %s, once its last run has an outcome', (_, terms) => {
    const commands = [create({ ...daily, ...terms }), take(midnight(1)), start(runOf(1))];
    expect(after(...commands).plan).not.toHaveProperty('nextDueMs');
    expect(after(...commands).status).toBe('active');
    expect(typesOf(...commands, record(runOf(1), midnight(1), performed)).slice(-2)).toEqual([
      ...['RunPerformed', 'ScheduleEnded'],
    ]);
  });
});

describe('a time that has come', () => {
  const due = [create(), take(midnight(1))];

  it('is due once, with an id made of plan and time', () => {
    expect(eventsOf(...due, take(midnight(1))).slice(1)).toMatchObject([
      { type: 'RunDue', data: { runId: runOf(1), dueMs: midnight(1), nextDueMs: midnight(2) } },
    ]);
    expect(typesOf(create(), take(midnight(1) - 1))).toEqual(['ScheduleCreated']);
  });

  it('is started once, performed once, and then goes on', () => {
    const started = [...due, start(runOf(1)), start(runOf(1))];
    const told = record(runOf(1), midnight(1), performed);
    expect(typesOf(...started, told, told, start(runOf(1)))).toEqual([
      ...['ScheduleCreated', 'RunDue', 'RunStarted', 'RunPerformed'],
    ]);
    expect(after(...started, told).plan?.nextDueMs).toBe(midnight(2));
  });

  it('is started with the same record, where somebody is about to ask for it', () => {
    const started: ScheduleCommand = {
      ...({ type: 'TakeDue', nowMs: midnight(1), catchUp: 'once', startsThem: true } as const),
    };
    const told = record(runOf(1), midnight(1), performed);
    expect(typesOf(create(), started, started, start(runOf(1)), told)).toEqual([
      ...['ScheduleCreated', 'RunDue', 'RunStarted', 'RunPerformed'],
    ]);
  });

  it('has no outcome before it is started', () => {
    expect(typesOf(...due, record(runOf(1), midnight(1), performed))).toHaveLength(2);
  });

  it('waits for whoever has it, before another looks', () => {
    expect(dueAtMs(after(...due), midnight(1), 1000)).toBe(midnight(1) + 1000);
  });

  it('is skipped beside too many without an outcome', () => {
    const days = Array.from({ length: OPEN_RUNS_MAX + 1 }, (_, day) => take(midnight(day + 1)));
    expect(last(create(), ...days)).toMatchObject({
      ...{ type: 'RunsSkipped', data: { reason: 'tooManyOpen', count: 1 } },
    });
  });
});

describe('after an outage', () => {
  it('of several times the last one runs, and the others are recorded', () => {
    expect(eventsOf(create(), take(midnight(4) + HOUR_MS)).slice(1)).toMatchObject([
      {
        type: 'RunsSkipped',
        data: { firstDueMs: midnight(1), lastDueMs: midnight(3), count: 3, reason: 'missed' },
      },
      { type: 'RunDue', data: { runId: runOf(4), nextDueMs: midnight(5) } },
    ]);
  });

  it('nothing runs late where the channel skips', () => {
    const missed = take(midnight(2) + MISSED_AFTER_MS + 1, 'skip');
    expect(eventsOf(create(), missed).slice(1)).toMatchObject([
      { type: 'RunsSkipped', data: { count: 2, nextDueMs: midnight(3) } },
    ]);
    expect(last(create(), take(midnight(1) + MISSED_AFTER_MS, 'skip'))).toMatchObject({
      type: 'RunDue',
    });
  });

  it('so many times are taken at once, and then the next ones', () => {
    const job = { ...daily, expression: '* * * * * ? *' };
    const later = NOON_MS + (DUE_AT_ONCE_MAX + 5) * 1000;
    expect(eventsOf(create(job), take(later), take(later)).slice(1)).toMatchObject([
      { type: 'RunsSkipped', data: { count: DUE_AT_ONCE_MAX } },
      { type: 'RunsSkipped', data: { count: 4 } },
      { type: 'RunDue', data: { dueMs: later } },
    ]);
  });
});

describe('rescheduling', () => {
  const weekly = { ...daily, expression: '0 0 0 ? * MON *' };

  it('takes what is due of the old plan, and goes on with the new one', () => {
    const commands = [create(), reschedule(2, midnight(1), weekly)];
    expect(typesOf(...commands)).toEqual(['ScheduleCreated', 'RunDue', 'ScheduleRescheduled']);
    expect(after(...commands).plan).toMatchObject({ id: id(2), nextDueMs: midnight(4) });
  });

  it('is decided once, and refused for a job that never runs', () => {
    const again = reschedule(2, NOON_MS, weekly);
    expect(typesOf(create(), again, again)).toHaveLength(2);
    const never = reschedule(3, NOON_MS, { ...daily, endMs: NOON_MS });
    expect(refusalOf(never, after(create()))).toBe('100.250.100');
    expect(typesOf(create(), never)).toHaveLength(1);
  });

  it('is refused after notice', () => {
    const left = after(create(), end('Deschedule', 2, NOON_MS));
    expect(refusalOf(reschedule(3, NOON_MS), left)).toBe('100.360.300');
  });
});

describe('the end', () => {
  it('is at once without notice', () => {
    expect(typesOf(create(), end('Deschedule', 2, NOON_MS))).toEqual([
      ...['ScheduleCreated', 'ScheduleDescheduled', 'ScheduleEnded'],
    ]);
  });

  it.each<[string, Partial<ScheduleJob>, number]>([
    ['after the notice', { noticeUnit: 'DAY', noticeNumber: 3 }, NOON_MS + 3 * DAY_MS],
    [
      'with the term in which the notice ends',
      {
        ...{ noticeUnit: 'DAY', noticeNumber: 3, noticeCallable: 'DURATION_END' },
        ...{ durationUnit: 'MONTH', durationNumber: 1 },
      },
      Date.UTC(2026, 1, 15, 12) - 1,
    ],
    [
      'with a later term, where the notice is longer than one',
      {
        ...{ noticeUnit: 'MONTH', noticeNumber: 2, noticeCallable: 'DURATION_END' },
        ...{ durationUnit: 'MONTH', durationNumber: 1 },
      },
      Date.UTC(2026, 3, 15, 12) - 1,
    ],
  ])('is %s', (_, terms, endsAtMs) => {
    const left = [create({ ...daily, ...terms }), end('Deschedule', 2, NOON_MS)];
    expect(last(...left)).toMatchObject({ type: 'ScheduleDescheduled', data: { endsAtMs } });
    expect(after(...left).plan?.nextDueMs).toBe(midnight(1));
    expect(refusalOf(end('Deschedule', 3, NOON_MS), after(...left))).toBe('100.360.303');
    expect(typesOf(...left, end('DeleteSchedule', 3, NOON_MS)).slice(-2)).toEqual([
      ...['ScheduleDeleted', 'ScheduleEnded'],
    ]);
  });

  it('cancels what is due, and leaves what is started', () => {
    const due = [create(), take(midnight(1))];
    expect(typesOf(...due, end('DeleteSchedule', 2, midnight(1))).slice(2)).toEqual([
      ...['RunCancelled', 'ScheduleDeleted', 'ScheduleEnded'],
    ]);
    const started = [...due, start(runOf(1)), end('DeleteSchedule', 2, midnight(1))];
    expect(last(...started)).toMatchObject({ type: 'ScheduleDeleted' });
    expect(typesOf(...started, record(runOf(1), midnight(1), performed)).slice(-2)).toEqual([
      ...['RunPerformed', 'ScheduleEnded'],
    ]);
  });

  it('records the times that were due and not taken', () => {
    expect(eventsOf(create(), end('DeleteSchedule', 2, midnight(2))).at(1)).toMatchObject({
      ...{ type: 'RunsSkipped', data: { count: 2, reason: 'ended' } },
    });
  });

  it('is the end for one of another mode', () => {
    const live = {
      ...end('Deschedule', 2, NOON_MS),
      metadata: { ...metadata(NOON_MS), mode: 'LIVE' as const },
    };
    expect(refusalOf(live, after(create()))).toBeDefined();
  });
});

describe('a declined run', () => {
  const once = create({ ...daily, expression: '0 0 0 16 1 ? 2026' });
  const failed = (outcome: RunOutcome) => [
    ...[once, take(midnight(1)), start(runOf(1)), record(runOf(1), midnight(1), outcome)],
  ];

  it.each([
    ['02', 72],
    ['24', 1],
    ['30', 240],
  ])('with advice %s is tried again after %i hours', (code, hours) => {
    expect(last(...failed(declined(code)))).toMatchObject({
      type: 'RecoveryPlanned',
      data: { runId: runOf(1), tryNumber: 1, dueMs: midnight(1) + hours * HOUR_MS },
    });
  });

  it.each([
    ['without advice', declined()],
    ['with advice to stop', declined('03')],
    ['of which the code says never', declined('02', '800.100.171')],
    ['of another network', { ...declined('02'), brand: 'VISA' } as RunOutcome],
  ])('%s is not tried again', (_, outcome) => {
    expect(eventsOf(...failed(outcome)).slice(-2)).toMatchObject([
      { type: 'RecoveryEnded', data: { reason: 'notAdvised' } },
      { type: 'ScheduleEnded' },
    ]);
  });

  /** Each try when it is due, declined with the same advice, until nothing is planned any more. */
  function tries(code: string) {
    const commands = failed(declined(code));
    for (;;) {
      const planned = [...after(...commands).recoveries.values()][0]?.planned;
      if (planned === undefined) return eventsOf(...commands);
      commands.push(take(planned.dueMs));
      const [run] = after(...commands).runs.values();
      const runId = run?.id ?? '';
      commands.push(start(runId), record(runId, planned.dueMs, declined(code)));
    }
  }

  it('is tried five times at the most', () => {
    const events = tries('24');
    expect(events.filter(({ type }) => type === 'RecoveryPlanned')).toHaveLength(5);
    expect(events.at(-2)).toMatchObject({ type: 'RecoveryEnded', data: { reason: 'triesOver' } });
  });

  it('is tried in twenty days at the most', () => {
    const events = tries('30');
    expect(events.filter(({ type }) => type === 'RecoveryPlanned')).toHaveLength(2);
    expect(events.at(-2)).toMatchObject({ type: 'RecoveryEnded', data: { reason: 'timeOver' } });
  });

  it('is recovered by a try that is performed', () => {
    const commands = [...failed(declined('24')), take(midnight(1) + HOUR_MS)];
    const [run] = after(...commands).runs.values();
    const runId = run?.id ?? '';
    commands.push(start(runId), record(runId, midnight(1) + HOUR_MS, performed));
    expect(eventsOf(...commands).slice(-5)).toMatchObject([
      { type: 'RunDue', data: { source: 'MACRETRY', recoveredRunId: runOf(1) } },
      ...[{ type: 'RunStarted' }, { type: 'RunPerformed' }],
      { type: 'RecoveryEnded', data: { reason: 'recovered' } },
      { type: 'ScheduleEnded' },
    ]);
  });

  it('that nobody could be asked for is tried again soon, and ever later', () => {
    const away = { kind: 'failed', resultCode: '900.100.310', wasNeverSent: true } as const;
    const commands = failed(away);
    const waits: number[] = [];
    for (let nowMs = midnight(1); ;) {
      const planned = [...after(...commands).recoveries.values()][0]?.planned;
      if (planned === undefined) break;
      waits.push((planned.dueMs - nowMs) / 60_000);
      nowMs = planned.dueMs;
      commands.push(take(nowMs));
      const [run] = after(...commands).runs.values();
      commands.push(start(run?.id ?? ''), record(run?.id ?? '', nowMs, away));
    }
    expect(waits).toEqual([1, 4, 16, 64, 256]);
    const due = eventsOf(...commands).filter(({ type }) => type === 'RunDue');
    expect(due.map(({ data }) => 'source' in data && data.source)).toEqual(
      due.map(() => 'SCHEDULER'),
    );
  });

  it.each<[string, Partial<ScheduleJob>, number]>([
    ['its end date', { endMs: midnight(1) + HOUR_MS }, midnight(1) + HOUR_MS],
    // From noon to noon.
    ['the end of its term', { durationUnit: 'DAY', durationNumber: 1 }, midnight(1) + 12 * HOUR_MS],
  ])('is not tried again after %s', (_, job, endMs) => {
    const declinedAt = (nowMs: number) =>
      last(
        ...[create({ ...daily, ...job }), take(midnight(1)), start(runOf(1))],
        record(runOf(1), nowMs, declined('24')),
      );
    expect(declinedAt(endMs - HOUR_MS - 1)).toMatchObject({ type: 'RecoveryPlanned' });
    expect(declinedAt(endMs - HOUR_MS + 1)).toMatchObject({ type: 'ScheduleEnded' });
  });

  it('is not tried again after the end date that its schedule is given meanwhile', () => {
    const inTime = midnight(1) + HOUR_MS;
    const begun = [create(), take(midnight(1)), start(runOf(1))];
    const inTenDays = [...begun, record(runOf(1), inTime, declined('30'))];
    const sooner = reschedule(2, inTime, { ...daily, endMs: midnight(9) });
    expect(eventsOf(...inTenDays, sooner).slice(-2)).toMatchObject([
      { type: 'RecoveryEnded', data: { runId: runOf(1), reason: 'ended' } },
      { type: 'ScheduleRescheduled' },
    ]);
    const later = reschedule(2, inTime, { ...daily, endMs: midnight(12) });
    expect(after(...inTenDays, later).recoveries.size).toBe(1);
  });

  it('is not tried again where so many of its schedule are already: an outage is not made worse', () => {
    const often = create({ ...daily, expression: '0 * * * * ? *' });
    const commands: ScheduleCommand[] = [often];
    const minute = (number: number) => NOON_MS + number * 60_000;
    const fails = (number: number) => {
      const runId = transactionIdOfRun(id(1), minute(number));
      commands.push(
        take(minute(number)),
        start(runId),
        record(runId, minute(number), declined('02')),
      );
    };
    for (let number = 1; number <= OPEN_RUNS_MAX; number += 1) fails(number);
    expect(last(...commands)).toMatchObject({ type: 'RecoveryPlanned' });
    fails(OPEN_RUNS_MAX + 1);
    expect(last(...commands)).toMatchObject({
      ...{ type: 'RecoveryEnded', data: { reason: 'tooManyOpen' } },
    });
    expect(after(...commands).recoveries.size).toBe(OPEN_RUNS_MAX);
  });

  it('is given up at the end of its schedule', () => {
    const deleted = [...failed(declined('24')), end('DeleteSchedule', 2, midnight(1))];
    expect(typesOf(...deleted).slice(-3)).toEqual([
      ...['RecoveryEnded', 'ScheduleDeleted', 'ScheduleEnded'],
    ]);
  });

  it('is not tried again after the end of a notice, whichever of the two was first', () => {
    const inTime = midnight(1) + HOUR_MS;
    const begun = [
      ...[create({ ...daily, noticeUnit: 'DAY', noticeNumber: 3 }), take(midnight(1))],
      start(runOf(1)),
    ];
    const notice = end('Deschedule', 2, inTime);
    const inTenDays = record(runOf(1), inTime, declined('30'));
    const givenUp = { type: 'RecoveryEnded', data: { runId: runOf(1), reason: 'ended' } };
    expect(eventsOf(...begun, inTenDays, notice).slice(-2)).toMatchObject([
      ...[givenUp, { type: 'ScheduleDescheduled' }],
    ]);
    expect(last(...begun, notice, inTenDays)).toMatchObject(givenUp);
    const inOneDay = record(runOf(1), inTime, declined('25'));
    expect(last(...begun, inOneDay, notice)).toMatchObject({ type: 'ScheduleDescheduled' });
    expect(after(...begun, inOneDay, notice).recoveries.size).toBe(1);
  });
});
