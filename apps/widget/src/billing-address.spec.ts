import { describe, expect, it } from '@jest/globals';
import { billingFieldsOf, isBilledName, shownFields, wrongFields } from './billing-address.js';

const nothing = {
  ...{ billingAddress: undefined, showTaxNumberField: false },
  forceCardHolderEqualsBillingName: false,
};
const address = { given: {}, mandatory: {} };
const asked = { ...nothing, billingAddress: address };

describe('a billing address', () => {
  it('has what an authentication needs, unless the shop says otherwise', () => {
    expect(wrongFields({}, asked)).toEqual(['street1', 'postcode', 'city', 'country']);
    const mandatory = { state: true, postcode: false };
    expect(wrongFields({}, { ...asked, billingAddress: { ...address, mandatory } })).toEqual([
      ...['street1', 'city', 'state', 'country'],
    ]);
  });

  it('is complete with these, and not with spaces', () => {
    const whole = { street1: 'Hauptstr. 1', postcode: '10115', city: 'Berlin', country: 'DE' };
    expect(wrongFields(whole, asked)).toEqual([]);
    expect(wrongFields({ ...whole, city: '  ' }, asked)).toEqual(['city']);
  });

  it('is missed by nobody who has not asked for it', () => {
    expect(wrongFields({}, nothing)).toEqual([]);
  });

  it('is found by the names of its parameters', () => {
    const names = ['card.holder', 'billing.country', 'billing.street1', 'billing.normalized'];
    expect(billingFieldsOf([...names, 'customer.surname'])).toEqual([
      ...['surname', 'street1', 'country'],
    ]);
  });
});

describe('whoever is billed', () => {
  it('may say a tax number, of eight characters at least', () => {
    const taxes = { ...nothing, showTaxNumberField: true };
    expect(shownFields(taxes)).toEqual(['taxNumber']);
    expect(wrongFields({}, taxes)).toEqual([]);
    expect(wrongFields({ taxNumber: ' 1234567 ' }, taxes)).toEqual(['taxNumber']);
    expect(wrongFields({ taxNumber: '123.456.789-09' }, taxes)).toEqual([]);
  });

  it('has a name, where the card must be of the same', () => {
    const named = { ...nothing, forceCardHolderEqualsBillingName: true };
    expect(shownFields(named)).toEqual(['givenName', 'surname']);
    expect(wrongFields({ surname: 'García' }, named)).toEqual(['givenName']);
  });

  it('is named on the card as cards write it', () => {
    const name = { givenName: 'José María', surname: 'García' };
    expect(isBilledName(' JOSE MARIA  GARCIA ', name)).toBe(true);
    expect(isBilledName('José María García', name)).toBe(true);
    expect(isBilledName('Jose Garcia', name)).toBe(false);
    expect(isBilledName('', name)).toBe(false);
  });
});
