import { describe, expect, it } from '@jest/globals';
import { refusalOf } from './checkout-decider.js';
import {
  after,
  call,
  create,
  decided,
  eventsOf,
  id,
  MINUTE_MS,
  NOON_MS,
  save,
  savingOf,
  submit,
  submitSaved,
  update,
} from './checkout-fixture.js';
import type { CheckoutCommand } from './commands.js';
import { dueAtMs } from './due.js';
import { CHECKOUT_LIFE_MS, RESULT_CALL_AFTER_MS, SAVINGS_MAX } from './session.js';
import { statusOf } from './status.js';

const SOON_MS = NOON_MS + 5 * MINUTE_MS;

const typesOf = (...commands: readonly CheckoutCommand[]) =>
  eventsOf(...commands).map(({ type }) => type);

describe('what is saved', () => {
  it('is recorded once, and is no attempt', () => {
    expect(typesOf(create(), save(1), save(1))).toEqual(['CheckoutCreated', 'FormSaved']);
    const checkout = after(create(), save(1));
    expect(checkout).toMatchObject({ attempts: [], saved: { id: savingOf(1) }, savings: 1 });
    expect(statusOf(checkout, SOON_MS)).toEqual({ kind: 'pending' });
    expect(dueAtMs(checkout, SOON_MS, { attemptMs: 1, openMs: 1 })).toBeNull();
    const late = call(NOON_MS + RESULT_CALL_AFTER_MS);
    expect(typesOf(create(), save(1), late)).toEqual(['CheckoutCreated', 'FormSaved']);
  });

  it('stays where the merchant changes the checkout', () => {
    expect(after(create(), save(1), update('8.00')).saved?.id).toBe(savingOf(1));
  });

  it('is replaced by who knows of it, and by nobody else', () => {
    expect(after(create(), save(1), save(2, savingOf(1))).saved?.id).toBe(savingOf(2));
    expect(after(create(), save(1), save(2)).saved?.id).toBe(savingOf(1));
    expect(refusalOf(save(2), after(create(), save(1)))).toBe('savedOtherwise');
  });

  it('is used up by the attempt that is made of it, which no second one is', () => {
    const checkout = after(create(), save(1), submitSaved(1, 1), decided(1, 'failed'));
    expect(checkout).not.toHaveProperty('saved');
    expect(checkout.attempts).toMatchObject([{ transactionId: id(1), saved: savingOf(1) }]);
    expect(refusalOf(submitSaved(2, 1), checkout)).toBe('savedOtherwise');
    expect(refusalOf(submitSaved(1, 1), checkout)).toBeUndefined();
    const open = after(create(), save(1), submitSaved(1, 1), decided(1, 'open'));
    expect(refusalOf(submitSaved(2, 1), open)).toBe('savedOtherwise');
  });

  it('is used up by an attempt with something else, too', () => {
    const other = { ...submit(1), saved: savingOf(1) };
    const checkout = after(create(), save(1), other);
    expect(checkout).not.toHaveProperty('saved');
    expect(checkout.attempts[0]).not.toHaveProperty('saved');
    // A sender of before there was anything saved says nothing of it.
    expect(typesOf(create(), save(1), submit(1))).toContain('AttemptSubmitted');
    const unaware = { ...submit(1), saved: 'nothing' } as const;
    expect(refusalOf(unaware, after(create(), save(1)))).toBe('savedOtherwise');
  });

  it('is saved while the shopper is at somebody else’s page, and not while nothing is known', () => {
    const open = after(create(), submit(1), decided(1, 'open'), save(1));
    expect(open.saved?.id).toBe(savingOf(1));
    expect(refusalOf(save(1), after(create(), submit(1)))).toBe('underWay');
    const succeeded = after(create(), submit(1), decided(1, 'succeeded'));
    expect(refusalOf(save(1), succeeded)).toBe('succeeded');
  });

  it('is nothing once the checkout is over', () => {
    const endMs = NOON_MS + CHECKOUT_LIFE_MS;
    expect(refusalOf(save(1, 'nothing', endMs), after(create()))).toBe('gone');
    expect(refusalOf(submitSaved(1, 1, endMs), after(create(), save(1)))).toBe('gone');
  });

  it('is saved anew only so often', () => {
    const savings = Array.from({ length: SAVINGS_MAX }, (_, index) =>
      save(index, index === 0 ? 'nothing' : savingOf(index - 1)),
    );
    const checkout = after(create(), ...savings);
    const next = save(SAVINGS_MAX, savingOf(SAVINGS_MAX - 1));
    expect(refusalOf(next, checkout)).toBe('exhausted');
    expect(refusalOf(submitSaved(1, SAVINGS_MAX - 1), checkout)).toBeUndefined();
  });
});
