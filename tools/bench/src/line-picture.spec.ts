import { describe, expect, it } from '@jest/globals';
import { linePicture } from './line-picture.js';

describe('a picture of lines', () => {
  const picture = linePicture({
    title: 'Reads & writes',
    steps: ['10', '100', '1,000'],
    lines: [
      { name: 'a < b', values: [1, 0.5, 2] },
      { name: 'flat', values: [1, 1, 1] },
    ],
  });

  it('has a line for each, from left to right, higher values higher', () => {
    const [first = '', second = ''] = [...picture.matchAll(/points="([^"]+)"/g)].map(
      ([, points]) => points ?? '',
    );
    const [left = [], middle = [], right = []] = first
      .split(' ')
      .map((point) => point.split(',').map(Number));
    expect(left[0]).toBeLessThan(middle[0] ?? 0);
    expect(middle[0]).toBeLessThan(right[0] ?? 0);
    expect(right[1]).toBeLessThan(left[1] ?? 0);
    expect(left[1]).toBeLessThan(middle[1] ?? 0);
    expect(new Set(second.split(' ').map((point) => point.split(',')[1])).size).toBe(1);
  });

  it('names lines and steps, whatever is in them', () => {
    for (const text of ['Reads &amp; writes', 'a &lt; b', '>1,000<']) {
      expect(picture).toContain(text);
    }
  });
});
