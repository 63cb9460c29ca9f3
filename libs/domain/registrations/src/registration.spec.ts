import { describe, expect, it } from '@jest/globals';
import type { RegistrationCommand } from './commands.js';
import { dueAtMs } from './due.js';
import { EXTENSIONS_MAX, unrecordedOutcome } from './registration-decider.js';
import {
  after,
  card,
  change,
  eventsOf,
  forgetting,
  id,
  keeping,
  kept,
  NOON_MS,
  request,
  update,
} from './registration-fixture.js';

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
const PAUSES = { keepingMs: 20_000, paymentMs: 30_000, forgettingMs: 5_000 };
const MAY_2034_AND_14_MONTHS = Date.UTC(2035, 7);

describe('a registration', () => {
  it('is requested, and can be used once the vault keeps its details', () => {
    expect(typesOf(eventsOf(request()))).toEqual(['RegistrationRequested']);
    expect(after(request())).toMatchObject({ state: 'requested', instrument: card });
    const registration = after(request(), keeping);
    expect(registration).toMatchObject({
      ...{ id: id(1), state: 'kept', fingerprint: kept.fingerprint },
      instrument: { ...card, vaultReference: kept.reference },
      keptUntilMs: MAY_2034_AND_14_MONTHS,
      parameters: { merchantTransactionId: 'order-4711' },
    });
    expect(registration.outcomes.get(id(1))).toEqual({
      ...{ id: id(1), operation: 'registration', status: 'approved', resultCode: '000.100.110' },
    });
  });

  it.each([
    ['EXTERNAL', '000.100.112'],
    ['LIVE', '000.000.000'],
  ] as const)('succeeds in mode %s with %s', (mode, resultCode) => {
    const { metadata } = request();
    const registration = after(request({ metadata: { ...metadata, mode } }), keeping);
    expect(registration.outcomes.get(id(1))).toMatchObject({ resultCode });
  });

  it('never came to be where the vault had nothing left to keep', () => {
    const registration = after(request(), { type: 'RecordKeeping', nowMs: NOON_MS });
    expect(registration.state).toBe('never');
    expect(registration.instrument).not.toHaveProperty('vaultReference');
    expect(registration.outcomes.get(id(1))).toMatchObject({
      ...{ status: 'notPerformed', resultCode: '900.100.310' },
    });
  });

  it('is refused with the code that the request was found to deserve', () => {
    const registration = after(request({ rejection: '100.100.101', resultDescription: 'why' }));
    expect(registration).toMatchObject({ state: 'never', isToBeForgotten: false });
    expect(registration.outcomes.get(id(1))).toEqual({
      ...{ id: id(1), operation: 'registration', status: 'rejected' },
      ...{ resultCode: '100.100.101', resultDescription: 'why' },
    });
  });

  it('is refused where nothing is held of its instrument', () => {
    const { vaultReference: _, ...instrument } = card;
    expect(after(request({ instrument: instrument as never })).outcomes.get(id(1))).toMatchObject({
      ...{ status: 'rejected', resultCode: '600.200.500' },
    });
  });

  it('is requested once, and kept once', () => {
    expect(typesOf(eventsOf(request(), request(), keeping, keeping))).toEqual([
      ...['RegistrationRequested', 'DetailsKept'],
    ]);
  });
});

describe('the end of a registration', () => {
  it('takes its details out of reach at once, and is complete when the vault has forgotten them', () => {
    const deleted = after(request(), keeping, change('deletion'));
    expect(deleted).toMatchObject({ state: 'ended', isToBeForgotten: true });
    expect(deleted.instrument).not.toHaveProperty('vaultReference');
    expect(deleted.outcomes.get(id(2))).toEqual({
      ...{ id: id(2), referencedId: id(1), operation: 'deletion', status: 'approved' },
      resultCode: '000.100.110',
    });
    const forgotten = after(request(), keeping, change('deletion'), forgetting);
    expect(forgotten).toMatchObject({ state: 'ended', isToBeForgotten: false });
    expect(
      typesOf(eventsOf(request(), keeping, change('deletion'), forgetting, forgetting)),
    ).toEqual(['RegistrationRequested', 'DetailsKept', 'RegistrationDeleted', 'DetailsForgotten']);
  });

  it('comes by itself when its time is over, and not before', () => {
    const expire = (nowMs: number) => ({ type: 'ExpireRegistration', nowMs }) as const;
    expect(after(request(), keeping, expire(MAY_2034_AND_14_MONTHS - 1)).state).toBe('kept');
    expect(after(request(), keeping, expire(MAY_2034_AND_14_MONTHS))).toMatchObject({
      ...{ state: 'ended', isToBeForgotten: true },
    });
  });

  it('is recorded once: a second deletion is answered as closed, and records nothing', () => {
    const again = change('deletion', 3);
    const deleted = after(request(), keeping, change('deletion'));
    expect(unrecordedOutcome(again, deleted)).toEqual({
      ...{ id: id(3), referencedId: id(1), operation: 'deletion', status: 'rejected' },
      resultCode: '100.350.101',
    });
    expect(eventsOf(request(), keeping, change('deletion'), again)).toHaveLength(3);
  });

  it.each([
    ['is still being stored', [request()], '100.150.201'],
    ['never came to be', [request({ rejection: '100.100.101' })], '100.150.200'],
  ] as const)('is refused to one that %s', (_, commands, resultCode) => {
    const outcome = unrecordedOutcome(change('deletion'), after(...commands));
    expect(outcome).toMatchObject({ status: 'rejected', resultCode });
    expect(eventsOf(...commands, change('deletion'))).toHaveLength(1);
  });

  it('says when to send it again to one that is still being stored', () => {
    expect(unrecordedOutcome(change('deletion'), after(request()))?.resultDescription).toBe(
      'registration is not confirmed yet - it is still being stored: send this again in a minute',
    );
  });
});

describe('the mode of what is done to a registration', () => {
  const registration = after(request(), keeping);
  const external = { metadata: { ...request().metadata, mode: 'EXTERNAL' as const } };

  it.each([
    ['an extension', change('extension')],
    ['a deletion', change('deletion')],
    ['a change', update()],
  ] as const)(
    'is that of the registration: %s is refused otherwise, and nothing recorded',
    (_, asked) => {
      const other = { ...asked, ...external };
      expect(unrecordedOutcome(other, registration)).toMatchObject({
        ...{ status: 'rejected', resultCode: '700.100.600' },
      });
      expect(eventsOf(request(), keeping, other)).toHaveLength(2);
    },
  );
});

describe('the extension of a life', () => {
  const AFTER_EXPIRY_MS = Date.UTC(2034, 6, 3);

  it('keeps details for 24 months from then, and shortens nothing', () => {
    const extended = after(request(), keeping, change('extension', 2, AFTER_EXPIRY_MS));
    expect(extended.keptUntilMs).toBe(Date.UTC(2036, 7));
    expect(extended.outcomes.get(id(2))).toMatchObject({
      ...{ operation: 'extension', referencedId: id(1), status: 'approved' },
    });
    expect(after(request(), keeping, change('extension')).keptUntilMs).toBe(MAY_2034_AND_14_MONTHS);
  });

  it('is recorded where the details are kept for longer anyway, so that its id is found', () => {
    const registration = after(request(), keeping, change('extension'));
    expect(registration.outcomes.get(id(2))).toMatchObject({
      ...{ operation: 'extension', status: 'approved', resultCode: '000.100.110' },
    });
    expect(registration.keptUntilMs).toBe(MAY_2034_AND_14_MONTHS);
  });

  it('is refused where it was asked for too often, and nothing recorded', () => {
    const registration = after(request(), keeping);
    const extension = { operation: 'extension', status: 'approved', resultCode: 'x' } as const;
    const asked = (times: number) =>
      new Map(
        Array.from({ length: times }, (_, n) => [id(100 + n), { id: id(100 + n), ...extension }]),
      );
    const refused = unrecordedOutcome(change('extension'), {
      ...{ ...registration, outcomes: asked(EXTENSIONS_MAX) },
    });
    expect(refused).toMatchObject({ status: 'rejected', resultCode: '600.200.500' });
    expect(refused?.resultDescription).toContain('extended 1000 times at the most');
    const oneMore = { ...registration, outcomes: asked(EXTENSIONS_MAX - 1) };
    expect(unrecordedOutcome(change('extension'), oneMore)).toBeUndefined();
  });

  it('is recorded once for each request', () => {
    const longer = change('extension', 2, AFTER_EXPIRY_MS);
    expect(eventsOf(request(), keeping, longer, longer)).toHaveLength(3);
  });
});

describe('a registration is looked at without a request', () => {
  const due = (...commands: readonly RegistrationCommand[]) =>
    dueAtMs(after(...commands), NOON_MS, PAUSES);

  it('while the vault may not have done its part', () => {
    expect(due(request())).toBe(NOON_MS + PAUSES.keepingMs);
    expect(due(request(), keeping, change('deletion'))).toBe(NOON_MS + PAUSES.forgettingMs);
  });

  it('when its time is over', () => {
    expect(due(request(), keeping)).toBe(MAY_2034_AND_14_MONTHS);
  });

  it('never, once there is nothing to do', () => {
    expect(due(request({ rejection: '100.100.101' }))).toBeNull();
    expect(due(request(), keeping, change('deletion'), forgetting)).toBeNull();
    expect(dueAtMs(undefined, NOON_MS, PAUSES)).toBeNull();
  });
});
