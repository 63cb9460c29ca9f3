import { describe, expect, it } from '@jest/globals';
import { parseInstances } from './instances.js';

describe('the number of instances', () => {
  it('is one of each unless told', () => {
    const one = parseInstances('');
    expect(one).toMatchObject({ edge: 1, payments: 1, relay: 1, vault: 1, reporting: 1 });
    expect(new Set(Object.values(one))).toEqual(new Set([1]));
    expect(parseInstances('payments=3,vault=2')).toEqual({ ...one, payments: 3, vault: 2 });
  });

  it.each(['payments', 'payments=0', 'payments=9', 'simulator=2', 'payments=3;vault=2', '=2'])(
    'is not "%s"',
    (text) => {
      expect(() => parseInstances(text)).toThrow(
        /^must be like payments=3,vault=2, with edge, payments, .*reporting.* and 1 to 8/,
      );
    },
  );
});
