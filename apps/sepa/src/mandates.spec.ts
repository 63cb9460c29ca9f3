import { describe, expect, it } from '@jest/globals';
import { verdictOn } from './mandates.js';

const marks = { id: 'id', terms: 'as signed' };
const once = { terms: 'as signed', sequence: 'OOFF' } as const;
const several = { terms: 'as signed', sequence: 'RCUR' } as const;

describe('a mandate by which nothing was collected', () => {
  it.each(['OOFF', 'RCUR'] as const)('is collected as asked for, %s', (sequence) => {
    expect(verdictOn(sequence, marks, [])).toEqual({ kind: 'collectable', sequence });
  });
});

describe('a mandate for several collections', () => {
  it.each(['OOFF', 'RCUR'] as const)('stays one, asked for as %s', (wanted) => {
    const verdict = verdictOn(wanted, marks, [several]);
    expect(verdict).toEqual({ kind: 'collectable', sequence: 'RCUR' });
  });
});

describe('a mandate that was collected as the only one', () => {
  it.each(['OOFF', 'RCUR'] as const)('is over, asked for as %s', (wanted) => {
    const verdict = verdictOn(wanted, marks, [once]);
    expect(verdict).toEqual({ kind: 'refused', reason: 'mandateIsUsed' });
  });
});

describe('a mandate that says something else than before', () => {
  it.each([[once], [several], [several, { ...several, terms: 'others' }]])(
    'is refused after %j',
    (...earlier) => {
      const verdict = verdictOn('RCUR', { ...marks, terms: 'changed' }, earlier);
      expect(verdict).toEqual({ kind: 'refused', reason: 'mandateDiffers' });
    },
  );
});
