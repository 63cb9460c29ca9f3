import { describe, expect, it } from '@jest/globals';
import type { PaymentReply } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import type { CommandResult } from '@sluice/messaging';
import { inFlightAnywhere, InFlightHere } from './ids-in-flight.js';

type Result = CommandResult<PaymentReply>;

const NOW_MS = Date.UTC(2026, 0, 2, 10, 20, 30);
const YOUNG_MS = 85_000;
const mintedAt = (ms: number) => newTransactionId(ms);

describe('what this instance has in flight', () => {
  it('is what it has sent and not heard of', async () => {
    const here = new InFlightHere();
    const id = mintedAt(NOW_MS);
    expect(here.mayAppear(id, NOW_MS)).toBe(false);
    let answer = (_: Result): void => undefined;
    const sending = here.whileSending(id, () => new Promise<Result>((done) => (answer = done)));
    expect(here.mayAppear(id, NOW_MS)).toBe(true);
    expect(here.mayAppear(mintedAt(NOW_MS), NOW_MS)).toBe(false);
    answer({ kind: 'replied', reply: { kind: 'busy' } });
    await sending;
    expect(here.mayAppear(id, NOW_MS)).toBe(false);
  });

  it.each<[Result, boolean]>([
    [{ kind: 'replied', reply: { kind: 'unavailable' } }, false],
    [{ kind: 'notSent', reason: 'full' }, false],
    [{ kind: 'unanswered' }, true],
    [{ kind: 'uncertain' }, true],
    [{ kind: 'failed' }, true],
  ])('after %j: %s, until it is too old', async (result, expected) => {
    const here = new InFlightHere();
    const id = mintedAt(NOW_MS);
    expect(await here.whileSending(id, () => Promise.resolve(result))).toBe(result);
    expect(here.mayAppear(id, NOW_MS)).toBe(expected);
    expect(here.mayAppear(id, NOW_MS + YOUNG_MS - 1)).toBe(expected);
    expect(here.mayAppear(id, NOW_MS + YOUNG_MS)).toBe(false);
  });

  it('is forgotten once it is old, so that an outage leaves nothing behind', async () => {
    let nowMs = 0;
    const here = new InFlightHere({ monotonicMs: () => nowMs });
    const lost = (): Promise<Result> => Promise.resolve({ kind: 'uncertain' });
    const id = mintedAt(NOW_MS);
    await here.whileSending(id, lost);
    nowMs = YOUNG_MS;
    await here.whileSending(mintedAt(NOW_MS + YOUNG_MS), lost);
    // By a clock that is set back it would be young again if it were still there.
    expect(here.mayAppear(id, NOW_MS)).toBe(false);
  });
});

it('is in flight, however late it is for those who send something else meanwhile', async () => {
  const here = new InFlightHere();
  const lost = (): Promise<Result> => Promise.resolve({ kind: 'uncertain' });
  const id = mintedAt(NOW_MS);
  await here.whileSending(id, lost);
  const nextYearMs = NOW_MS + 365 * 86_400_000;
  const later = mintedAt(nextYearMs);
  await here.whileSending(later, lost);
  expect([here.mayAppear(id, NOW_MS), here.mayAppear(later, nextYearMs)]).toEqual([true, true]);
});

describe('what any instance may have in flight', () => {
  it('is whatever is young (D-04)', async () => {
    expect(inFlightAnywhere.mayAppear(mintedAt(NOW_MS), NOW_MS)).toBe(true);
    expect(inFlightAnywhere.mayAppear(mintedAt(NOW_MS - YOUNG_MS), NOW_MS)).toBe(false);
  });
});
