import { describe, expect, it } from '@jest/globals';
import { deletedBy } from './account-deletion.js';

const said = (code: string) => ({ result: { code } });

describe('what became of an account that was to be deleted', () => {
  it.each([
    [200, '000.100.110', 'deleted'],
    // The answer to an earlier click was lost.
    [400, '100.150.200', 'deleted'],
    [400, '100.350.101', 'deleted'],
    [200, '000.200.000', 'unknown'],
    [400, '200.300.404', 'over'],
    [400, '600.200.500', 'unknown'],
    [503, '800.800.800', 'unknown'],
  ])('by %i and %s is %s', (status, code, deleted) => {
    expect(deletedBy(status, said(code))).toBe(deleted);
  });

  it('is unknown where the answer is none of the gateway', () => {
    expect(deletedBy(502, {})).toBe('unknown');
    expect(deletedBy(200, {})).toBe('unknown');
  });
});
