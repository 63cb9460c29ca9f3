import { describe, expect, it } from '@jest/globals';
import { paymentEvents, registrationEvents, scheduleEvents } from '@sluice/contracts';
import { CHANNEL, NOON_MS } from '../test/scripted-queries.js';
import { newPayment, paymentEvent } from '../test/webhooks-fixture.js';
import { toldByPayment, toldByRegistration, toldBySchedule } from './told-events.js';

const id = newPayment();

describe('an event of payments', () => {
  it('tells of its transaction where what is answered of it changes', () => {
    const other = newPayment();
    expect(
      toldByPayment(paymentEvent(id, 4, 'TransactionApproved', { transactionId: other })),
    ).toEqual({
      ...{ type: 'PAYMENT', objectId: id, sequence: 4, transactionId: other, entityId: CHANNEL },
      ...{ ndc: 'checkout-1', happenedAtMs: NOON_MS },
    });
  });

  it('of a check of risk alone is of that type, where it says so', () => {
    const rejected = { operation: 'riskAssessment' };
    expect(toldByPayment(paymentEvent(id, 1, 'TransactionRejected', rejected))).toMatchObject({
      type: 'RISK',
    });
    expect(toldByPayment(paymentEvent(id, 2, 'StandaloneCompleted'))).toMatchObject({
      ...{ type: 'PAYMENT', mayBeRisk: true },
    });
  });

  it('is one of these, or tells nobody', () => {
    const names = Object.keys(paymentEvents);
    const telling = names.filter((name) => toldByPayment(paymentEvent(id, 2, name)) !== undefined);
    expect(telling.sort()).toEqual([
      ...['AuthenticationPending', 'ChargebackReceived', 'ChargebackReversed'],
      ...['StandaloneCompleted', 'TransactionApproved', 'TransactionDeclined'],
      ...['TransactionNotPerformed', 'TransactionPending', 'TransactionRejected'],
      'UnknownTransactionReversed',
    ]);
  });

  it('of a later release is not known', () => {
    for (const type of ['TransactionForgiven', 'toString', '__proto__']) {
      expect(toldByPayment(paymentEvent(id, 2, type))).toBe('unknownType');
    }
  });

  const good = paymentEvent(id, 2, 'TransactionApproved');
  const data = good.data as Record<string, unknown>;
  it.each([
    ['no data', { data: undefined }],
    ['another stream', { data: { ...data, streamId: 'x' } }],
    ['no version', { data: { ...data, version: 0 } }],
    ['a version that is no number', { data: { ...data, version: '2' } }],
    ['no time', { data: { ...data, recordedAtMs: Number.NaN } }],
    ['no transaction', { data: { ...data, event: {} } }],
    ['no entity', { data: { ...data, metadata: { entityId: 'x' } } }],
  ])('with %s is malformed', (_, changes) => {
    expect(toldByPayment({ ...good, ...changes })).toBe('malformed');
  });
});

describe('an event of registrations', () => {
  it('tells what becomes of one, or nobody', () => {
    const told = Object.keys(registrationEvents).flatMap((name) => {
      const found = toldByRegistration(paymentEvent(id, 2, name));
      return typeof found === 'object' ? [[name, found.action]] : [];
    });
    expect(told).toEqual([
      ['DetailsKept', 'CREATED'],
      ['RegistrationConfirmed', 'CREATED'],
      ['RegistrationUpdated', 'UPDATED'],
      ['LifeExtended', 'UPDATED'],
      ['RegistrationDeleted', 'DELETED'],
      ['RegistrationExpired', 'DELETED'],
    ]);
  });

  it('is of its stream, whichever request has changed it', () => {
    const event = { transactionId: newPayment() };
    expect(toldByRegistration(paymentEvent(id, 5, 'RegistrationDeleted', event))).toEqual({
      ...{ type: 'REGISTRATION', action: 'DELETED', objectId: id, sequence: 5, transactionId: id },
      ...{ entityId: CHANNEL, ndc: 'checkout-1', happenedAtMs: NOON_MS },
    });
  });

  it('of a later release is not known, and of nobody is malformed', () => {
    expect(toldByRegistration(paymentEvent(id, 2, 'RegistrationSold'))).toBe('unknownType');
    const { data: _, ...empty } = paymentEvent(id, 2, 'DetailsKept');
    expect(toldByRegistration({ ...empty, data: undefined })).toBe('malformed');
  });
});

describe('an event of scheduling', () => {
  it('tells of its schedule, whichever request has changed it, or nobody', () => {
    const names = Object.keys(scheduleEvents);
    const telling = names.filter((name) => toldBySchedule(paymentEvent(id, 2, name)) !== undefined);
    expect(telling.sort()).toEqual([
      ...['RecoveryPlanned', 'RunFailed', 'RunPerformed', 'RunsSkipped', 'ScheduleCreated'],
      ...['ScheduleDeleted', 'ScheduleDescheduled', 'ScheduleRescheduled'],
    ]);
    const event = { transactionId: newPayment() };
    expect(toldBySchedule(paymentEvent(id, 5, 'ScheduleRescheduled', event))).toEqual({
      ...{ type: 'SCHEDULE', objectId: id, sequence: 5, transactionId: id, entityId: CHANNEL },
      ...{ ndc: 'checkout-1', happenedAtMs: NOON_MS },
    });
  });

  it('of a later release is not known, and of nobody is malformed', () => {
    expect(toldBySchedule(paymentEvent(id, 2, 'ScheduleSold'))).toBe('unknownType');
    const { data: _, ...empty } = paymentEvent(id, 2, 'ScheduleCreated');
    expect(toldBySchedule({ ...empty, data: undefined })).toBe('malformed');
  });
});
