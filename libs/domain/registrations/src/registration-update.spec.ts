import { describe, expect, it } from '@jest/globals';
import { dueAtMs } from './due.js';
import { UPDATES_MAX, unrecordedOutcome } from './registration-decider.js';
import type { UpdateRegistration } from './commands.js';
import {
  after,
  change,
  changed,
  eventsOf,
  id,
  keeping,
  NOON_MS,
  request,
  token,
  update,
} from './registration-fixture.js';

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
const stored = [request(), keeping] as const;
const { expiry: _, ...withoutExpiry } = update();
/** Without anything for the vault. */
const ofHolder: UpdateRegistration = { ...withoutExpiry, personal: 'sealed' };

describe('another expiry', () => {
  it('is asked for first, and holds once the vault has it', () => {
    const asked = after(...stored, update());
    expect(asked).toMatchObject({ state: 'kept', instrument: { expiryYear: '2034' }, revision: 1 });
    expect(asked.outcomes.get(id(2))).toMatchObject({
      ...{ operation: 'update', status: 'requested', resultCode: '000.200.000' },
    });
    const done = after(...stored, update(), changed);
    expect(done.instrument).toMatchObject({ expiryMonth: '07', expiryYear: '2036', last4: '0000' });
    expect(done.update).toBeUndefined();
    expect(done.outcomes.get(id(2))).toEqual({
      ...{ id: id(2), referencedId: id(1), operation: 'update', status: 'approved' },
      resultCode: '000.100.110',
    });
  });

  it('gives an expiry to a token that was stored without one', () => {
    const storedToken = [request({ instrument: token }), keeping];
    expect(after(...storedToken).instrument).not.toHaveProperty('expiryYear');
    expect(after(...storedToken, update(), changed).instrument).toMatchObject({
      ...{ kind: 'tokenAccount', expiryMonth: '07', expiryYear: '2036' },
    });
  });

  it('has the details kept for longer, and never for less long', () => {
    expect(after(...stored, update(), changed).keptUntilMs).toBe(Date.UTC(2037, 9));
    const sooner = update(2, { expiry: { month: '01', year: '2030' } });
    const before = after(...stored).keptUntilMs;
    expect(after(...stored, sooner, changed).keptUntilMs).toBe(before);
  });

  it('is nothing where the vault has lost the details', () => {
    const lost = after(...stored, update(), { ...changed, isChanged: false });
    expect(lost).toMatchObject({ state: 'kept', instrument: { expiryYear: '2034' } });
    expect(lost.outcomes.get(id(2))).toMatchObject({
      ...{ status: 'notPerformed', resultCode: '900.100.310' },
    });
  });

  it('is recorded once for each request and each answer', () => {
    expect(typesOf(eventsOf(...stored, update(), update(), changed, changed, update()))).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'UpdateRequested', 'RegistrationUpdated'],
    ]);
  });

  it('is one at a time: another one waits for the vault', () => {
    expect(eventsOf(...stored, update(), update(3))).toHaveLength(3);
    expect(after(...stored, update(), changed, update(3)).revision).toBe(2);
  });

  it('is looked at again while the vault may not have it', () => {
    const pauses = { keepingMs: 20_000, paymentMs: 30_000, forgettingMs: 5_000 };
    const due = dueAtMs(after(...stored, update()), NOON_MS, pauses);
    expect(due).toBe(NOON_MS + pauses.keepingMs);
  });
});

describe('another holder', () => {
  it('holds at once, because the vault has none', () => {
    const done = after(...stored, ofHolder);
    expect(typesOf(eventsOf(...stored, ofHolder)).slice(2)).toEqual([
      ...['UpdateRequested', 'RegistrationUpdated'],
    ]);
    expect(done.personal).toEqual({ transactionId: id(2), sealed: 'sealed' });
    expect(done.instrument).toMatchObject({ expiryYear: '2034' });
    expect(done.outcomes.get(id(2))).toMatchObject({ status: 'approved' });
  });

  it('leaves what is not sent as it was, and the first reference of the merchant too', () => {
    const sent = { merchantTransactionId: 'change-1', 'standingInstruction.type': 'RECURRING' };
    const done = after(request({ personal: 'first' }), keeping, {
      ...{ ...withoutExpiry, parameters: sent },
    });
    expect(done.personal).toEqual({ transactionId: id(1), sealed: 'first' });
    expect(done.parameters).toEqual({
      ...{ merchantTransactionId: 'order-4711', 'standingInstruction.type': 'RECURRING' },
    });
  });
});

describe('a change', () => {
  it.each([
    ['is still being stored', [request()], '100.150.201'],
    ['was deleted', [...stored, change('deletion')], '100.350.101'],
    ['never came to be', [request({ rejection: '100.100.101' })], '100.150.200'],
  ] as const)('is refused to one that %s, and not recorded', (_, commands, resultCode) => {
    const registration = after(...commands);
    expect(unrecordedOutcome(update(3), registration)).toMatchObject({
      ...{ id: id(3), referencedId: id(1), operation: 'update', status: 'rejected', resultCode },
    });
    expect(eventsOf(...commands, update(3))).toHaveLength(eventsOf(...commands).length);
  });

  it('has an end before its registration has one', () => {
    const deleted = eventsOf(...stored, update(), change('deletion', 3), changed);
    expect(typesOf(deleted).slice(2)).toEqual([
      ...['UpdateRequested', 'RegistrationNotUpdated', 'RegistrationDeleted'],
    ]);
    const nowMs = Date.UTC(2040, 0);
    const expired = eventsOf(...stored, update(), { type: 'ExpireRegistration', nowMs });
    expect(typesOf(expired).slice(3)).toEqual(['RegistrationNotUpdated', 'RegistrationExpired']);
    expect(after(...stored, update(), change('deletion', 3)).outcomes.get(id(2))).toMatchObject({
      status: 'notPerformed',
    });
  });

  it('is refused after a thousand', () => {
    const often = { ...after(...stored), revision: UPDATES_MAX };
    expect(unrecordedOutcome(update(), often)).toMatchObject({
      ...{ status: 'rejected', resultCode: '600.200.500' },
      resultDescription: expect.stringContaining('1000 times'),
    });
    expect(unrecordedOutcome(update(), { ...often, revision: UPDATES_MAX - 1 })).toBeUndefined();
  });
});

describe('a registration that is asked for after its payment', () => {
  it('says that the details are gone where the vault has them no more', () => {
    const asked = request({ paymentId: id(9), isPaymentMade: true });
    const gone = after(asked, { type: 'RecordKeeping', nowMs: NOON_MS });
    expect(gone.outcomes.get(id(1))).toMatchObject({
      ...{ status: 'notPerformed', resultCode: '100.150.206' },
      resultDescription: expect.stringContaining('createRegistration=true'),
    });
    expect(after(asked, keeping)).toMatchObject({
      ...{ awaitedPayments: [{ paymentId: id(9) }], isPaymentMade: true },
    });
  });
});
