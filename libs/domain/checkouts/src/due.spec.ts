import { describe, expect, it } from '@jest/globals';
import {
  after,
  call,
  create,
  decided,
  id,
  MINUTE_MS,
  NOON_MS,
  reversalOf,
  reversed,
  serve,
  submit,
} from './checkout-fixture.js';
import type { Checkout } from './checkout.js';
import { dueAtMs, isProviderToBeAsked, reversalDueAtMs } from './due.js';
import { CHECKOUT_LIFE_MS, RESULT_CALL_AFTER_MS, RESULT_CALL_AGAIN_MS } from './session.js';

const PAUSES = { attemptMs: 20_000, openMs: 60_000 };
const NOW_MS = NOON_MS + 5 * MINUTE_MS;
const CALL_MS = NOON_MS + RESULT_CALL_AFTER_MS;

describe('when recovery looks at a checkout', () => {
  it('is never, where nobody has submitted it: it ends by the clock alone', () => {
    expect(dueAtMs(undefined, NOW_MS, PAUSES)).toBeNull();
    expect(dueAtMs(after(create()), NOW_MS, PAUSES)).toBeNull();
  });

  it.each([
    ['submitted', [submit(1)], NOW_MS + 20_000],
    ['open', [submit(1), decided(1, 'open')], NOW_MS + 60_000],
    ['decided and not read', [submit(1), decided(1, 'failed')], CALL_MS],
    ['superseded by one that is decided', two(), NOW_MS + 60_000],
    ['to be reversed', [...two(), decided(1, 'succeeded')], NOW_MS + 20_000],
    [
      'to be reversed for the third time',
      [
        ...[...two(), decided(1, 'succeeded')],
        ...[reversed(reversalOf(1), false, id(98)), reversed(id(98), false, id(99))],
      ],
      NOW_MS + 80_000,
    ],
  ] as const)('is known where an attempt is %s', (_, commands, dueMs) => {
    expect(dueAtMs(after(create(), ...commands), NOW_MS, PAUSES)).toBe(dueMs);
  });

  it('is no sooner for a further reversal because somebody looks meanwhile', () => {
    const failed = [...two(), decided(1, 'succeeded'), reversed(reversalOf(1), false, id(98))];
    const [attempt] = after(create(), ...failed).attempts;
    expect(attempt && reversalDueAtMs(attempt, PAUSES.attemptMs)).toBe(NOW_MS + 40_000);
    const laterMs = NOW_MS + 15_000;
    expect(dueAtMs(after(create(), ...failed), laterMs, PAUSES)).toBe(NOW_MS + 40_000);
  });

  it('is never again once its success was read', () => {
    const served = after(create(), submit(1), decided(1, 'succeeded'), serve());
    expect(dueAtMs(served, NOW_MS, PAUSES)).toBeNull();
  });

  it('is soon again while the page of results does not answer, until the checkout is over', () => {
    const declined = after(create(), submit(1), decided(1, 'failed'));
    expect(dueAtMs(declined, CALL_MS, PAUSES)).toBe(CALL_MS + RESULT_CALL_AGAIN_MS);
    const lastMs = NOON_MS + CHECKOUT_LIFE_MS - RESULT_CALL_AGAIN_MS;
    expect(dueAtMs(declined, lastMs - 1, PAUSES)).toBe(NOON_MS + CHECKOUT_LIFE_MS - 1);
    expect(dueAtMs(declined, lastMs, PAUSES)).toBeNull();
  });

  it('is never again once the page of results was called', () => {
    const called = after(create(), submit(1), decided(1, 'failed'), call(CALL_MS));
    expect(dueAtMs(called, CALL_MS, PAUSES)).toBeNull();
  });
});

describe('a provider at whose page a shopper was last seen', () => {
  const asked = (checkout: Checkout): ((atMs: number) => boolean) => {
    const attempt = checkout.attempts[0]!;
    return (atMs) => isProviderToBeAsked(checkout, attempt, NOON_MS + atMs);
  };
  const SECOND_MS = 1_000;

  it('is asked in the ninety seconds before the page of results is called, and after the end', () => {
    const isAsked = asked(after(create(), submit(1), decided(1, 'open')));
    const times = [5, 27, 27.4, 27.5, 28, 28.9, 29, 29.9, 30, 31.4, 31.5, 60];
    expect(times.filter((minutes) => isAsked(minutes * MINUTE_MS))).toEqual([
      ...[27.5, 28, 28.9],
      ...[30, 31.4],
    ]);
    expect(isAsked(RESULT_CALL_AFTER_MS - SECOND_MS)).toBe(true);
    expect(isAsked(CHECKOUT_LIFE_MS - SECOND_MS)).toBe(false);
  });

  it('is asked about an attempt that has given way to another one, too', () => {
    expect(asked(after(create(), ...two()))(28 * MINUTE_MS)).toBe(true);
  });

  it('is not asked about what is not known to be there, or is decided', () => {
    expect(asked(after(create(), submit(1)))(28 * MINUTE_MS)).toBe(false);
    expect(asked(after(create(), submit(1), decided(1, 'failed')))(28 * MINUTE_MS)).toBe(false);
  });
});

function two() {
  return [submit(1), decided(1, 'open'), submit(2), decided(2, 'failed')];
}
