import { describe, expect, it } from '@jest/globals';
import { latestAttempt } from './checkout.js';
import { refusalOf } from './checkout-decider.js';
import {
  after,
  call,
  checkoutId,
  create,
  decided,
  eventsOf,
  id,
  MINUTE_MS,
  NOON_MS,
  reversalOf,
  reversed,
  serve,
  submit,
  submitOf,
  update,
} from './checkout-fixture.js';
import type { CheckoutCommand } from './commands.js';
import {
  CHECKOUT_LIFE_MS,
  RESULT_CALL_AFTER_MS,
  REVERSALS_MAX,
  UNSUCCESSFUL_ATTEMPTS_MAX,
} from './session.js';
import { statusOf } from './status.js';

const END_MS = NOON_MS + CHECKOUT_LIFE_MS;
const SOON_MS = NOON_MS + 5 * MINUTE_MS;

const typesOf = (...commands: readonly CheckoutCommand[]) =>
  eventsOf(...commands).map(({ type }) => type);

describe('a checkout', () => {
  it('is created once, and pending as often as it is asked for', () => {
    expect(typesOf(create(), create())).toEqual(['CheckoutCreated']);
    expect(after(create())).toMatchObject({ id: checkoutId, purpose: 'payment', attempts: [] });
    expect(typesOf(create(), serve(), serve())).toEqual(['CheckoutCreated']);
    expect(statusOf(after(create()), SOON_MS)).toEqual({ kind: 'pending' });
  });

  it('keeps the script it was created with', () => {
    expect(after(create({ script: 'sha384-x' }), update('8.00')).script).toBe('sha384-x');
  });

  it('takes what the merchant changes in place of what was sent before', () => {
    expect(after(create(), update('8.00')).parameters).toEqual({
      ...{ amount: '8.00', currency: 'EUR', paymentType: 'DB' },
    });
  });

  it('keeps the stored accounts that the form offers, which a change names anew or leaves alone', () => {
    const [first, second, third] = [id(11), id(12), id(13)];
    const made = create({ registrations: [first, second] });
    expect(after(create()).registrations).toEqual([]);
    expect(after(made, update('8.00')).registrations).toEqual([first, second]);
    const change = { ...update('8.00'), registrations: [third] };
    expect(after(made, change).registrations).toEqual([third]);
  });

  it('is changed once by a message that comes twice, also behind another one', () => {
    const twice = eventsOf(create(), update('8.00'), update('8.00'));
    expect(twice.map(({ type }) => type)).toEqual(['CheckoutCreated', 'CheckoutUpdated']);
    const behind = after(create(), update('8.00'), update('9.00'), update('8.00'));
    expect(behind.parameters['amount']).toBe('9.00');
  });

  it.each([
    ['is under way', [submit(1)], 'underWay'],
    ['is open', [submit(1), decided(1, 'open')], 'underWay'],
    ['has succeeded', [submit(1), decided(1, 'succeeded')], 'succeeded'],
  ] as const)('is not changed while an attempt %s', (_, commands, refusal) => {
    const late = update('8.00', SOON_MS);
    expect(refusalOf(late, after(create(), ...commands))).toBe(refusal);
    expect(after(create(), ...commands, late).parameters['amount']).toBe('92.00');
  });

  it('is changed after a decline', () => {
    const declined = [create(), submit(1), decided(1, 'failed')];
    expect(after(...declined, update('8.00', SOON_MS)).parameters['amount']).toBe('8.00');
  });
});

describe('an attempt', () => {
  it('that succeeds is served once; then the checkout answers as one that never was', () => {
    const paid = after(create(), submit(1), decided(1, 'succeeded'));
    expect(statusOf(paid, SOON_MS)).toMatchObject({
      ...{ kind: 'decided', attempt: { transactionId: id(1), resultCode: '000.100.110' } },
    });
    const served = after(create(), submit(1), decided(1, 'succeeded'), serve());
    expect(statusOf(served, SOON_MS)).toEqual({ kind: 'gone' });
    expect(refusalOf(submit(2, SOON_MS), served)).toBe('gone');
  });

  it('that is declined may be read again, and another one may follow', () => {
    const declined = [create(), submit(1), decided(1, 'failed'), serve(), serve()];
    expect(statusOf(after(...declined), SOON_MS)).toMatchObject({
      ...{ kind: 'decided', attempt: { resultCode: '800.100.152' } },
    });
    const paid = after(...declined, submit(2), decided(2, 'succeeded'));
    expect(latestAttempt(paid)).toMatchObject({ transactionId: id(2), state: 'succeeded' });
  });

  it('is one, however often the form is sent meanwhile', () => {
    const commands = [create(), submit(1), submit(1), submit(2), submit(3)];
    expect(typesOf(...commands)).toEqual(['CheckoutCreated', 'AttemptSubmitted']);
    expect(refusalOf(submit(1), after(create(), submit(1)))).toBeUndefined();
    expect(refusalOf(submit(2), after(create(), submit(1)))).toBe('underWay');
    const paid = after(create(), submit(1), decided(1, 'succeeded'));
    expect(refusalOf(submit(2), paid)).toBe('succeeded');
  });

  it('is of what the merchant said last, wherever its sender says what it is made of', () => {
    const changed = after(create(), update('8.00'));
    expect(refusalOf(submitOf(0, 1), changed)).toBe('changed');
    expect(typesOf(create(), update('8.00'), submitOf(0, 1))).not.toContain('AttemptSubmitted');
    for (const current of [submitOf(1, 1), submit(1)]) {
      expect(refusalOf(current, changed)).toBeUndefined();
      expect(typesOf(create(), update('8.00'), current)).toContain('AttemptSubmitted');
    }
  });

  it('that was recorded is the same one when it comes again, though the checkout was changed since', () => {
    const declined = [create(), submitOf(0, 1), decided(1, 'failed')];
    expect(refusalOf(submitOf(0, 1), after(...declined, update('8.00', SOON_MS)))).toBeUndefined();
  });

  it('is not begun any more after as many that did not succeed as nobody needs', () => {
    const declined = Array.from({ length: UNSUCCESSFUL_ATTEMPTS_MAX }, (_, number) => [
      ...[submit(number), decided(number, 'failed')],
    ]).flat();
    expect(refusalOf(submit(99), after(create(), ...declined))).toBe('exhausted');
    expect(refusalOf(submit(99), after(create(), ...declined.slice(2)))).toBeUndefined();
  });

  it('is decided once, and never by what payments says of another', () => {
    const paid = [create(), submit(1), decided(1, 'succeeded')];
    expect(
      typesOf(...paid, decided(1, 'failed'), decided(1, 'open'), decided(2, 'failed')),
    ).toEqual(['CheckoutCreated', 'AttemptSubmitted', 'AttemptSucceeded']);
  });
});

describe('an attempt that waits for the shopper', () => {
  const open = [create(), submit(1), decided(1, 'open')];

  it('is pending, and succeeds when the shopper comes back', () => {
    expect(statusOf(after(...open), SOON_MS)).toEqual({ kind: 'pending' });
    expect(latestAttempt(after(...open, decided(1, 'succeeded')))?.state).toBe('succeeded');
  });

  it('gives way to another one, after which it is reversed if it is approved', () => {
    const next = [...open, submit(2, SOON_MS)];
    expect(typesOf(...next)).toEqual([
      ...['CheckoutCreated', 'AttemptSubmitted', 'AttemptOpened'],
      ...['AttemptSuperseded', 'AttemptSubmitted'],
    ]);
    const both = after(...next, decided(2, 'succeeded'), decided(1, 'succeeded'));
    expect(both.attempts).toMatchObject([
      { transactionId: id(1), state: 'reversing', reversalId: reversalOf(1) },
      { transactionId: id(2), state: 'succeeded' },
    ]);
  });

  it('is reversed also where its successor was declined: the shopper was told so', () => {
    const commands = [...open, submit(2), decided(2, 'failed'), decided(1, 'succeeded')];
    expect(statusOf(after(...commands), SOON_MS)).toMatchObject({
      ...{ kind: 'decided', attempt: { transactionId: id(2), state: 'failed' } },
    });
    expect(after(...commands).attempts[0]).toMatchObject({ state: 'reversing' });
  });

  it('ends with its reversal, once', () => {
    const ended = reversed(reversalOf(1), true, id(99));
    const commands = [...open, submit(2), decided(1, 'succeeded'), ended];
    expect(after(...commands).attempts[0]).toMatchObject({ state: 'reversed' });
    expect(eventsOf(...commands, ended)).toHaveLength(eventsOf(...commands).length);
  });

  it('is reversed again, under another id, after a reversal that failed', () => {
    const failed = reversed(reversalOf(1), false, id(99));
    const commands = [...open, submit(2), decided(1, 'succeeded'), failed];
    expect(typesOf(...commands).slice(-2)).toEqual(['ReversalEnded', 'ReversalRequested']);
    expect(after(...commands).attempts[0]).toMatchObject({
      ...{ state: 'reversing', reversalId: id(99), reversals: 2 },
    });
    // What became of the first is known.
    expect(eventsOf(...commands, failed)).toHaveLength(eventsOf(...commands).length);
    const second = reversed(id(99), true, id(98));
    expect(after(...commands, second).attempts[0]).toMatchObject({ state: 'reversed' });
  });

  it('stays unreversed once a person has to give it back', () => {
    const ids = Array.from({ length: REVERSALS_MAX }, (_, index) => id(0x200 + index));
    const tries = [reversalOf(1), ...ids]
      .slice(0, REVERSALS_MAX)
      .map((transactionId, index) => reversed(transactionId, false, ids[index] ?? id(99)));
    const commands = [...open, submit(2), decided(1, 'succeeded'), ...tries];
    expect(after(...commands.slice(0, -1)).attempts[0]).toMatchObject({ state: 'reversing' });
    expect(after(...commands).attempts[0]).toMatchObject({ state: 'unreversed' });
  });

  it('is not given up where an instrument is stored: nothing could be reversed', () => {
    const stored = after(create({ purpose: 'registration' }), submit(1), decided(1, 'open'));
    expect(refusalOf(submit(2), stored)).toBe('underWay');
  });
});

describe('the end of a checkout', () => {
  it('comes by the clock, after thirty minutes', () => {
    const checkout = after(create());
    expect(refusalOf(submit(1, END_MS - 1), checkout)).toBeUndefined();
    expect(refusalOf(submit(1, END_MS), checkout)).toBe('gone');
    expect(statusOf(checkout, END_MS - 1)).toEqual({ kind: 'pending' });
    expect(statusOf(checkout, END_MS)).toEqual({ kind: 'gone' });
  });

  it('does not undo an attempt that was submitted before and never left', () => {
    const commands = [create(), submit(1, END_MS - 1), decided(1, 'succeeded', END_MS + 20_000)];
    expect(latestAttempt(after(...commands))?.state).toBe('succeeded');
  });

  it('undoes what a shopper approves elsewhere too late', () => {
    const open = [create(), submit(1), decided(1, 'open')];
    const inTime = after(...open, decided(1, 'succeeded', END_MS - 1));
    expect(latestAttempt(inTime)?.state).toBe('succeeded');
    const late = after(...open, decided(1, 'succeeded', END_MS));
    expect(latestAttempt(late)).toMatchObject({ state: 'reversing', resultCode: '000.100.110' });
  });
});

describe("the call of the merchant's page of results", () => {
  const CALL_MS = NOON_MS + RESULT_CALL_AFTER_MS;

  it('is made once, after 29 minutes, where an attempt was submitted and nobody has read', () => {
    const declined = [create(), submit(1), decided(1, 'failed')];
    expect(typesOf(...declined, call(CALL_MS - 1))).not.toContain('ResultCalled');
    expect(typesOf(...declined, call(CALL_MS), call(CALL_MS)).slice(-2)).toEqual([
      ...['AttemptFailed', 'ResultCalled'],
    ]);
  });

  it.each([
    ['nothing was submitted', [create()], CALL_MS],
    ['its success was read', [create(), submit(1), decided(1, 'succeeded'), serve()], CALL_MS],
    ['nobody could read a result any more', [create(), submit(1)], END_MS],
  ] as const)('is not made where %s', (_, commands, nowMs) => {
    expect(typesOf(...commands, call(nowMs))).not.toContain('ResultCalled');
  });
});
