import { describe, expect, it } from '@jest/globals';
import {
  defaultTermsOf,
  legacyRecurringTypes,
  standingInstructions,
} from './standing-instructions.js';

describe('standing instructions', () => {
  const { INITIAL, REPEATED } = standingInstructions;

  it('begin with the shopper, and give what later payments name', () => {
    expect(INITIAL.MIT).toBe('impossible');
    expect(INITIAL.CIT).toEqual({
      demands: [],
      gives: ['initialTransactionId', 'agreementId'],
      practices: [],
      securityCode: 'asked',
    });
  });

  it('go on with the shopper without naming anything', () => {
    expect(REPEATED.CIT).toEqual({
      ...{ demands: [], gives: [], practices: [] },
      securityCode: 'notAsked',
    });
  });

  it('go on without the shopper only by naming the first payment, for a reason if there is one', () => {
    expect(REPEATED.MIT).toEqual({
      demands: ['initialTransactionId', 'agreementId'],
      gives: [],
      practices: [
        ...['INCREMENTAL_AUTH', 'RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'],
      ],
      securityCode: 'notAsked',
    });
  });

  it('exist for every legacy word', () => {
    for (const { mode, source } of Object.values(legacyRecurringTypes)) {
      expect(standingInstructions[mode][source]).not.toBe('impossible');
    }
  });

  it.each([
    ['MASTER', { frequency: '0001', expiry: '9999-12-31' }],
    ['VISA', { frequency: '0001' }],
    [undefined, { frequency: '0001' }],
  ])('of %s have terms by default', (brand, terms) => {
    expect(defaultTermsOf(brand)).toEqual(terms);
  });
});
