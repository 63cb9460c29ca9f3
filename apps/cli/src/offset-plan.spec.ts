import { describe, expect, it } from '@jest/globals';
import { planFromCsv, planToCsv } from './offset-plan.js';

const plan = [
  { group: 'g', topic: 't', partition: 0, offset: 12n },
  { group: 'g', topic: 't', partition: 1, offset: 9_007_199_254_740_993n },
];

describe('a plan as CSV', () => {
  it('reads back as it was written, without rounding', () => {
    expect(planToCsv(plan, false)).toBe('t,0,12\nt,1,9007199254740993');
    expect(planFromCsv(planToCsv(plan, false), 'g')).toEqual(plan);
  });

  it('names groups when several are meant, whatever they are called', () => {
    const odd = plan.map((line) => ({ ...line, group: 'a "b", c' }));
    expect(planFromCsv(planToCsv(odd, true), undefined)).toEqual(odd);
  });

  it('may have comments, empty lines, quotes and the line ends of other systems', () => {
    expect(planFromCsv('# plan\r\n"t",0,12\r\n\r\n', 'g')).toEqual([plan[0]]);
  });

  it.each([
    ['t,0', /Line 1/],
    ['t,0,12\nt,x,1', /Line 2/],
    ['t,0,-1', /is no offset/],
    ['t,0,1\nt,0,2', /Line 2 .* repeats/],
    ['other,t,0,1', /for the group other, not g/],
    ['', /no lines/],
  ])('that is wrong is refused with its line: %j', (text, message) => {
    expect(() => planFromCsv(text, 'g')).toThrow(message);
  });

  it('without groups needs one', () => {
    expect(() => planFromCsv('t,0,1', undefined)).toThrow(/names no group/);
  });
});
