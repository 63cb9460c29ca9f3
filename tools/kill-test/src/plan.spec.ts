import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@sluice/testing';
import { instruments, storedOnceNumber } from './instruments.js';
import { planOf } from './plan.js';

const options = { kills: 25, perSecond: 30 };

describe('the plan of a run', () => {
  const lives = planOf(seededRandom('plan'), options);
  const requests = lives.flatMap((life) => life.requests);

  it('is the same for the same seed and another for another', () => {
    expect(planOf(seededRandom('plan'), options)).toEqual(lives);
    expect(planOf(seededRandom('other'), options)).not.toEqual(lives);
  });

  it('offers thirty requests a second', () => {
    const offeredMs = lives.reduce((sum, life) => sum + life.killAtMs + 250, 0);
    const perSecond = (requests.length * 1_000) / offeredMs;
    expect(perSecond).toBeGreaterThan(27);
    expect(perSecond).toBeLessThan(33);
  });

  it('has every operation, fault, forced outcome, key habit and way to kill', () => {
    expect(new Set(requests.map((request) => request.operation))).toEqual(
      new Set(['DB', 'PA', 'CP', 'RF', 'RV']),
    );
    const faults = requests.map((request) => request.fault?.split(':')[0] ?? 'none');
    expect(new Set(faults)).toEqual(
      new Set([
        'none',
        'delay',
        'drop-before',
        'drop-after',
        'http-500',
        'garbage',
        'twice',
        'late',
      ]),
    );
    const forced = new Set(requests.map((request) => request.forcedCode));
    expect(forced).toEqual(new Set([undefined, '800.100.152', '000.200.000']));
    expect(requests.some((request) => request.copyAfterMs !== undefined)).toBe(true);
    expect(requests.some((request) => request.isRepeatedLater)).toBe(true);
    expect(requests.some((request) => request.isFinal)).toBe(true);
    expect(new Set(lives.slice(0, -1).map((life) => life.target)).size).toBe(3);
    expect(lives.at(-1)?.target).toBeUndefined();
    expect(lives).toHaveLength(26);
  });

  it('refers to earlier requests alone, and copies and replays only what has a key', () => {
    const seen = new Set<string>();
    for (const request of requests) {
      if (request.refersTo !== undefined) expect(seen).toContain(request.refersTo);
      if (request.copyAfterMs !== undefined) expect(request.idempotencyKey).toBeDefined();
      if (request.isRepeatedLater) expect(request.idempotencyKey).toBeDefined();
      seen.add(request.reference);
    }
    expect(seen.size).toBe(requests.length);
  });
});

describe('what a plan pays with', () => {
  const of = (cells: number) =>
    planOf(seededRandom('methods'), { ...options, cells }).flatMap(({ requests }) => requests);
  const requests = of(1);
  const byReference = new Map(requests.map((request) => [request.reference, request]));

  it('is everything, and mostly cards', () => {
    const firsts = requests.filter(({ refersTo }) => refersTo === undefined);
    const paidWith = firsts.map(({ instrument = 'card' }) => instrument);
    expect(new Set(paidWith)).toEqual(new Set(Object.keys(instruments)));
    const cards = paidWith.filter((instrument) => instrument === 'card');
    expect(cards.length).toBeGreaterThan(firsts.length / 2);
  });

  it('stays the same within a chain', () => {
    for (const { refersTo, instrument } of requests) {
      if (refersTo === undefined) continue;
      let first = byReference.get(refersTo);
      while (first?.refersTo !== undefined) first = byReference.get(first.refersTo);
      expect(instrument).toBe(first?.instrument);
    }
  });

  it('has no fault and no forced code where the simulator is not asked', () => {
    const atBank = requests.filter(({ instrument }) => instrument === 'directDebit');
    expect(atBank.length).toBeGreaterThan(0);
    expect(atBank.filter((each) => each.fault ?? each.forcedCode)).toEqual([]);
  });

  it('goes on with agreements that were begun before, by the same instrument', () => {
    const later = requests.filter(({ continues }) => continues !== undefined);
    expect(later.length).toBeGreaterThan(0);
    for (const { reference, continues, instrument, operation } of later) {
      const first = byReference.get(continues ?? '');
      expect(first?.begins).toBeDefined();
      expect([first?.instrument, first?.operation]).toEqual([instrument, operation]);
      expect(reference > (continues ?? '')).toBe(true);
    }
  });

  it('pays with what earlier payments have stored', () => {
    const stored = requests.flatMap(({ storedBy }) => storedBy ?? []);
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.filter((by) => byReference.get(by)?.storesCard !== true)).toEqual([]);
  });

  it('pays at its own channel with what was stored there', () => {
    const pairs = requests.flatMap(({ storedBy, instrument }) =>
      storedBy === undefined ? [] : [[byReference.get(storedBy)?.instrument, instrument]],
    );
    expect(new Set(pairs.flat())).toEqual(new Set([undefined, 'storedOnceCard']));
    expect(pairs.filter(([one, other]) => one !== other)).toEqual([]);
  });

  it('stores a card again that it has stored', () => {
    const storing = requests.filter(
      ({ instrument, storesCard }) => instrument === 'storedOnceCard' && storesCard === true,
    );
    const cards = storing.map(({ reference }) => storedOnceNumber(reference));
    expect(new Set(cards).size).toBeGreaterThan(1);
    expect(new Set(cards).size).toBeLessThan(cards.length);
  });

  it('has checkouts, some of which are clicked twice, and none of which has a key or stores', () => {
    const checkouts = requests.filter(({ clicks }) => clicks !== undefined);
    expect(new Set(checkouts.map(({ clicks }) => clicks))).toEqual(new Set([1, 2]));
    const saved = checkouts.filter(({ isSavedFirst }) => isSavedFirst === true);
    expect(saved.length).toBeGreaterThan(0);
    expect(saved.length).toBeLessThan(checkouts.length);
    const odd = checkouts.filter(
      ({ idempotencyKey, refersTo, instrument, storesCard, numberOfCaptures }) =>
        idempotencyKey ?? refersTo ?? instrument ?? storesCard ?? numberOfCaptures,
    );
    expect(odd).toEqual([]);
  });

  it('sends a token of a wallet with two payments, of what it is for', () => {
    const again = requests.filter(({ tokenOf }) => tokenOf !== undefined);
    expect(again.length).toBeGreaterThan(0);
    for (const { tokenOf, instrument, amountMinor } of again) {
      const first = byReference.get(tokenOf ?? '');
      expect([first?.instrument, first?.amountMinor]).toEqual([instrument, amountMinor]);
      expect(first?.tokenOf).toBeUndefined();
    }
  });

  it('has agreements that more is paid under than they allow', () => {
    const isOverdrawn = ({ reference, begins }: (typeof requests)[number]): boolean => {
      const count = requests.filter(({ continues }) => continues === reference).length + 1;
      return begins?.authorizationsMax !== undefined && count > begins.authorizationsMax;
    };
    expect(requests.some(isOverdrawn)).toBe(true);
  });

  it.each([
    [1, true],
    [2, false],
  ])('with %i cells, has keys under agreements with terms: %s', (cells, hasKeys) => {
    const planned = of(cells);
    const isLimited = (reference?: string): boolean =>
      planned.find((each) => each.reference === reference)?.begins?.authorizationsMax !== undefined;
    const under = planned.filter(({ begins, continues, reference }) =>
      isLimited(begins === undefined ? continues : reference),
    );
    const keyed = under.filter((each) => each.idempotencyKey ?? each.copyAfterMs);
    expect(keyed.length > 0).toBe(hasKeys);
    // The others have keys in any case: wherever they begin, they may not be refused.
    const free = planned.filter(
      ({ continues }) => continues !== undefined && !isLimited(continues),
    );
    expect(free.some(({ idempotencyKey }) => idempotencyKey !== undefined)).toBe(true);
  });
});
