import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { attemptOf, type Checkout, type CheckoutState, revisionOf } from './checkout.js';
import { checkoutDecider } from './checkout-decider.js';
import {
  create,
  decided,
  deleteCheckout,
  MINUTE_MS,
  NOON_MS,
  reversalOf,
  reversed,
  save,
  savingOf,
  serve,
  submitOf,
  submitSaved,
  update,
} from './checkout-fixture.js';
import type { CheckoutCommand } from './commands.js';

const number = fc.integer({ min: 1, max: 4 });
/** Up to ten minutes past the end. */
const timeMs = fc.integer({ min: 0, max: 40 }).map((minutes) => NOON_MS + minutes * MINUTE_MS);

/** How often the checkout was changed when its form was read. */
const revision = fc.integer({ min: 0, max: 2 });

const command: fc.Arbitrary<CheckoutCommand> = fc.oneof(
  fc.tuple(revision, number, timeMs).map(([read, payment, atMs]) => submitOf(read, payment, atMs)),
  fc.tuple(number, timeMs).map(([amount, atMs]) => update(`${amount}.00`, atMs)),
  fc
    .tuple(number, fc.constantFrom('open', 'succeeded', 'failed'), timeMs)
    .map(([payment, kind, atMs]) => decided(payment, kind, atMs)),
  fc
    .tuple(number, fc.option(number, { nil: undefined }), timeMs)
    .map(([saving, before, atMs]) =>
      save(saving, before === undefined ? 'nothing' : savingOf(before), atMs),
    ),
  fc.tuple(revision, number, number, timeMs).map(([read, payment, saving, atMs]) => ({
    ...submitSaved(payment, saving, atMs),
    revision: read,
  })),
  timeMs.map((atMs) => serve(atMs)),
  timeMs.map((atMs) => deleteCheckout(atMs)),
  timeMs.map((nowMs) => ({ type: 'CallForResult', nowMs }) as const),
  fc
    .tuple(number, fc.boolean(), timeMs)
    .map(([payment, isReversed, nowMs]) =>
      reversed(reversalOf(payment), isReversed, reversalOf(payment), nowMs),
    ),
);

const inState = ({ attempts }: Checkout, ...states: readonly string[]): number =>
  attempts.filter(({ state }) => states.includes(state)).length;

const isFirst = (id: string, before: CheckoutState, after: Checkout): boolean =>
  attemptOf(after, id) !== undefined && (before && attemptOf(before, id)) === undefined;

describe('whatever happens in whichever order', () => {
  it('at most one attempt is paid for or can still be, of what the merchant said last, and what was read stays so', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        let checkout: CheckoutState = checkoutDecider
          .decide(create(), undefined)
          .reduce<CheckoutState>(checkoutDecider.evolve, undefined);
        for (const next of commands) {
          const before = checkout;
          checkout = checkoutDecider
            .decide(next, before)
            .reduce<CheckoutState>(checkoutDecider.evolve, before);
          if (checkout === undefined) throw new Error('nothing was recorded');
          if (next.type === 'SubmitAttempt' && isFirst(next.transactionId, before, checkout)) {
            expect(next.revision).toBe(before && revisionOf(before));
          }
          expect(inState(checkout, 'succeeded')).toBeLessThanOrEqual(1);
          expect(inState(checkout, 'succeeded', 'submitted', 'open')).toBeLessThanOrEqual(1);
          const used = checkout.attempts.filter(({ saved }) => saved !== undefined).length;
          expect(used).toBeLessThanOrEqual(checkout.savings);
          if (checkout.isDeleted) {
            expect(inState(checkout, 'succeeded', 'submitted', 'open')).toBe(0);
          }
          if (before?.isServed === true) {
            expect(checkout.attempts.at(-1)).toEqual(before.attempts.at(-1));
          }
        }
      }),
      { seed: 16, numRuns: 500 },
    );
  });
});
