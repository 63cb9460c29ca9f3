import { describe, expect, it } from '@jest/globals';
import { figuresOf } from './form-loads.js';

describe('the figures of a form that was loaded again and again', () => {
  it('are the middle, the worst but one in twenty, and the most that has moved', () => {
    const loads = Array.from({ length: 20 }, (_, at) => ({
      usableAfterMs: 20 - at,
      shifted: at === 3 ? 0.02 : 0,
    }));
    expect(figuresOf(loads)).toEqual({ medianMs: 10, p95Ms: 19, shifted: 0.02 });
    expect(figuresOf(loads.slice(0, 1))).toEqual({ medianMs: 20, p95Ms: 20, shifted: 0 });
  });
});
