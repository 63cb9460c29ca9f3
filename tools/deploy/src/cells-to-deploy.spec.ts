import { describe, expect, it } from '@jest/globals';
import { cellsToDeploy, releaseOf } from './cells-to-deploy.js';

const one = [{ metadata: { name: 'payments' } }];
const two = [...one, { metadata: { name: 'payments-2' } }];

describe('the cells of payments that are deployed', () => {
  it('are as many as somebody asks for, else as there are', () => {
    expect(cellsToDeploy([], undefined)).toBe(1);
    expect(cellsToDeploy(one, undefined)).toBe(1);
    expect(cellsToDeploy(one, 2)).toBe(2);
    expect(cellsToDeploy(two, undefined)).toBe(2);
    expect(cellsToDeploy(two, 2)).toBe(2);
  });

  it('are never fewer than there are, because payments lie in them', () => {
    expect(() => cellsToDeploy(two, 1)).toThrow('The cluster has 2 cells of payments');
  });
});

describe('the name of a release', () => {
  it('is that of its image, and another one with a second cell, whose jobs do more', () => {
    expect(releaseOf('c13821804b60', 1)).toBe('c13821804b60');
    expect(releaseOf('c13821804b60', 2)).toBe('c13821804b60-cells-2');
  });
});
