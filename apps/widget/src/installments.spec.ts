import { describe, expect, it } from '@jest/globals';
import { asksForInstallments } from './installments.js';

const NAME = 'recurring.numberOfInstallments';

describe('a form that is sent', () => {
  it('asks for installments by any number but one', () => {
    for (const number of ['2', '12', '0', 'x']) {
      expect([number, asksForInstallments([[NAME, number]])]).toEqual([number, true]);
    }
  });

  it('asks for none by one, by nothing, and by whatever else the page has in it', () => {
    expect(asksForInstallments([[NAME, '1']])).toBe(false);
    expect(asksForInstallments([[NAME, '']])).toBe(false);
    expect(asksForInstallments([['createRegistration', '3']])).toBe(false);
  });
});
