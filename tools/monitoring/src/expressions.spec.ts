import { describe, expect, it } from '@jest/globals';
import { groupingsIn, selectorsIn } from './expressions.js';

describe('an expression', () => {
  it('names metrics with the labels they are narrowed by, whatever is around them', () => {
    const text = `# a comment about nothing_at_all
      sum by (a, b) (rate(one_total{x="y, {z}", status=~"5.."}[5m])) / 1e9 > 0.5 * 86400
      and on (namespace) max(two) unless three offset 10m or absent(four{q!="r"})`;
    expect(selectorsIn(text)).toEqual([
      { metric: 'one_total', labels: ['x', 'status'] },
      { metric: 'two', labels: [] },
      { metric: 'three', labels: [] },
      { metric: 'four', labels: ['q'] },
    ]);
    expect(groupingsIn(text)).toEqual(['a', 'b', 'namespace']);
  });

  it('knows recorded values by their colons', () => {
    expect(selectorsIn('0.8 * sluice:approval:ratio6h{connector="a"}')).toEqual([
      { metric: 'sluice:approval:ratio6h', labels: ['connector'] },
    ]);
  });
});
