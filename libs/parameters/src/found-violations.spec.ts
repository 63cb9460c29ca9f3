import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byIndex, errorOfMore, FoundViolations } from './found-violations.js';
import { PARAMETER_ERRORS_MAX } from './limits.js';

describe('names in order', () => {
  it.each([
    ['cart.items[2].name', 'cart.items[10].name'],
    ['cart.items[9]', 'cart.items[10]'],
    ['cart.items[19]', 'cart.items[20]'],
    ['foo9', 'foo10'],
    ['foo', 'foo0'],
    ['foo.a', 'foo0'],
    ['a', 'b'],
    ['', 'a'],
    ['a7', 'a07'],
  ])('"%s" stands before "%s"', (left, right) => {
    expect(byIndex(left, right)).toBeLessThan(0);
    expect(byIndex(right, left)).toBeGreaterThan(0);
    expect(byIndex(left, left)).toBe(0);
  });

  it('are in one order: of any three, if two follow, the third does', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '0', '1', '9', '.', 'b'), maxLength: 6 });
    fc.assert(
      fc.property(name, name, name, (one, two, three) => {
        const follows = byIndex(one, two) <= 0 && byIndex(two, three) <= 0;
        return (
          Math.sign(byIndex(one, two)) === -Math.sign(byIndex(two, one)) &&
          (byIndex(one, two) === 0) === (one === two) &&
          (!follows || byIndex(one, three) <= 0)
        );
      }),
      { numRuns: 20_000, seed: 20_261_121 },
    );
  });
});

describe('violations that are found', () => {
  const listOf = (names: readonly string[]) => {
    const found = new FoundViolations();
    for (const name of names) found.add({ order: Number(name.startsWith('x')), name });
    return { names: found.first.map(({ name }) => name), more: found.more };
  };

  it('are the first of all, whatever the order in which they come', () => {
    const names = fc.uniqueArray(fc.string({ unit: fc.constantFrom('x', 'a', '1', '7') }), {
      maxLength: 400,
      minLength: 150,
      size: 'max',
    });
    fc.assert(
      fc.property(names, (some) => {
        const sorted = some.toSorted(
          (left, right) =>
            Number(left.startsWith('x')) - Number(right.startsWith('x')) || byIndex(left, right),
        );
        const first = sorted.slice(0, PARAMETER_ERRORS_MAX);
        const more = some.length - first.length;
        for (const each of [some, sorted, sorted.toReversed()]) {
          expect(listOf(each)).toEqual({ names: first, more });
        }
      }),
      { numRuns: 50, seed: 20_261_121 },
    );
  });

  it('leave nothing out up to the limit', () => {
    expect(listOf(['b', 'a'])).toEqual({ names: ['a', 'b'], more: 0 });
    expect(errorOfMore(0)).toBeUndefined();
    expect(errorOfMore(2)).toEqual({ name: 'body', message: 'has 2 more errors' });
  });
});
