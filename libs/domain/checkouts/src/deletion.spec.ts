import { describe, expect, it } from '@jest/globals';
import { deletionOf, refusalOf } from './checkout-decider.js';
import {
  after,
  create,
  decided,
  deleteCheckout,
  eventsOf,
  MINUTE_MS,
  NOON_MS,
  reversalOf,
  reversed,
  serve,
  submit,
  update,
} from './checkout-fixture.js';
import { dueAtMs } from './due.js';
import { CHECKOUT_LIFE_MS } from './session.js';
import { statusOf } from './status.js';

const SOON_MS = NOON_MS + 5 * MINUTE_MS;
const PAUSES = { attemptMs: 1_000, openMs: 5_000 };

describe('a checkout that is deleted', () => {
  it.each([
    ['nobody has submitted', []],
    ['was declined', [submit(1), decided(1, 'failed')]],
  ])('while %s is over from then on, once', (_what, commands) => {
    const deleted = [create(), ...commands, deleteCheckout(), deleteCheckout()];
    const types = eventsOf(...deleted).map(({ type }) => type);
    expect(types.filter((type) => type === 'CheckoutDeleted')).toHaveLength(1);
    const checkout = after(...deleted);
    expect(deletionOf(checkout, SOON_MS)).toBe('gone');
    expect(statusOf(checkout, SOON_MS)).toEqual({ kind: 'gone' });
    expect(refusalOf(submit(2, SOON_MS), checkout)).toBe('gone');
    expect(refusalOf(update('8.00', SOON_MS), checkout)).toBe('gone');
    expect(dueAtMs(checkout, SOON_MS, PAUSES)).toBeNull();
  });

  it('has what was given up before reversed all the same', () => {
    const given = [submit(1), decided(1, 'open'), submit(2), decided(2, 'failed')];
    const deleted = [create(), ...given, deleteCheckout(), decided(1, 'succeeded', SOON_MS)];
    expect(after(...deleted).attempts[0]).toMatchObject({ state: 'reversing' });
    expect(dueAtMs(after(...deleted), SOON_MS, PAUSES)).not.toBeNull();
    const ended = reversed(reversalOf(1), true, reversalOf(2), SOON_MS);
    expect(after(...deleted, ended).attempts[0]).toMatchObject({ state: 'reversed' });
  });
});

describe('a checkout', () => {
  it.each([
    ['an attempt is under way', [submit(1)]],
    ['a shopper is at a bank', [submit(1), decided(1, 'open')]],
    ['a success was not read', [submit(1), decided(1, 'succeeded')]],
  ])('is not deleted while %s', (_what, commands) => {
    expect(deletionOf(after(create(), ...commands), SOON_MS)).toBe('pending');
    const types = eventsOf(create(), ...commands, deleteCheckout()).map(({ type }) => type);
    expect(types).not.toContain('CheckoutDeleted');
  });

  it.each([
    ['its success was read', [submit(1), decided(1, 'succeeded'), serve()], SOON_MS],
    ['its time is over', [], NOON_MS + CHECKOUT_LIFE_MS],
  ])('is gone where %s', (_what, commands, nowMs) => {
    expect(deletionOf(after(create(), ...commands), nowMs)).toBe('gone');
    const types = eventsOf(create(), ...commands, deleteCheckout(nowMs)).map(({ type }) => type);
    expect(types).not.toContain('CheckoutDeleted');
  });
});
