import { describe, expect, it } from '@jest/globals';
import { billingFieldsOf, missingFields } from './billing-address.js';

const asked = { given: {}, mandatory: {} };

describe('a billing address', () => {
  it('has what an authentication needs, unless the shop says otherwise', () => {
    expect(missingFields({}, asked)).toEqual(['street1', 'postcode', 'city', 'country']);
    const mandatory = { state: true, postcode: false };
    expect(missingFields({}, { ...asked, mandatory })).toEqual([
      ...['street1', 'city', 'state', 'country'],
    ]);
  });

  it('is complete with these, and not with spaces', () => {
    const address = { street1: 'Hauptstr. 1', postcode: '10115', city: 'Berlin', country: 'DE' };
    expect(missingFields(address, asked)).toEqual([]);
    expect(missingFields({ ...address, city: '  ' }, asked)).toEqual(['city']);
  });

  it('is missed by nobody who has not asked for it', () => {
    expect(missingFields({}, undefined)).toEqual([]);
  });

  it('is found by the names of its parameters', () => {
    const names = ['card.holder', 'billing.country', 'billing.street1', 'billing.normalized'];
    expect(billingFieldsOf(names)).toEqual(['street1', 'country']);
  });
});
