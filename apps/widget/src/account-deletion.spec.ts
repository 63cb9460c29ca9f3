import { describe, expect, it } from '@jest/globals';
import { deletedBy } from './account-deletion.js';

const said = (code: string, description?: string) => ({ result: { code, description } });

describe('what became of an account that was to be deleted', () => {
  it.each([
    [200, '000.100.110', 'deleted'],
    // The answer to an earlier click was lost.
    [400, '100.150.200', 'deleted'],
    [400, '100.350.101', 'deleted'],
    [200, '000.200.000', 'unknown'],
    [400, '200.300.404', 'unknown'],
    [400, '600.200.500', 'unknown'],
    [503, '800.800.800', 'unknown'],
  ])('by %i and %s is %s', (status, code, deleted) => {
    expect(deletedBy(status, said(code))).toBe(deleted);
  });

  it('is nothing any more where the checkout is over, and not yet while it is being paid', () => {
    const over =
      'invalid or missing parameter - (opp) No payment session found for the requested id';
    expect(deletedBy(400, said('200.300.404', over))).toBe('over');
    const underWay = 'invalid or missing parameter - the shopper is completing this checkout';
    expect(deletedBy(400, said('200.300.404', underWay))).toBe('unknown');
  });

  it('is unknown where the answer is none of the gateway', () => {
    expect(deletedBy(502, {})).toBe('unknown');
    expect(deletedBy(200, {})).toBe('unknown');
  });
});
