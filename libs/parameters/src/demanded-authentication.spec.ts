import { describe, expect, it } from '@jest/globals';
import type { Mode } from '@sluice/contracts';
import { demandedAuthentication } from './demanded-authentication.js';
import { Form } from './form.js';
import { threeDSecureTestCards } from './three-d-secure-test-cards.js';

const demanded = (parameters: Readonly<Record<string, string>>, mode: Mode = 'INTERNAL') =>
  demandedAuthentication(
    new Form(new Map(Object.entries({ 'card.number': '4200000000000000', ...parameters }))),
    mode,
  );

const indicator = (value: string) => ({ 'threeDSecure.challengeIndicator': value });

describe('an authentication', () => {
  it.each([
    { 'customParameters[3DS2_enrolled]': 'true' },
    { 'customParameters[3DS2_enrolled]': '1' },
    { 'customParameters[3DS2_flow]': 'challenge' },
    { 'customParameters[3DS2_status]': 'U' },
    { 'customParameters[3DS2_delay]': '0' },
    { 'customParameters[3DS2_fault]': 'notJson' },
    { 'threeDSecure.flow': 'challenge' },
    { 'customParameters[3DS2_flow]': 'frictionless' },
    ...['03', '04', '09', '4'].map(indicator),
    { 'threeDSecure.challengeMandatedIndicator': 'Y' },
    { 'threeDSecure.authenticationInd': 'PAYMENT' },
    { 'threeDSecure.npa': 'true' },
    { 'threeDSecure.decoupled': 'true' },
    { 'threeDSecure.deviceInfo': 'x' },
    { 'threeDSecure.channel': '3' },
    { 'threeDSecure.threeRIInd': 'RECURRING' },
  ])('is demanded by %j, live as well', (parameters) => {
    expect(demanded(parameters)).toBeDefined();
    expect(demanded(parameters, 'EXTERNAL')).toBeDefined();
    expect(demanded(parameters, 'LIVE')).toBeDefined();
  });

  it.each([
    {},
    { 'customParameters[3DS2_enrolled]': 'false' },
    { 'customParameters[3DS2_enrolled]': '' },
    ...['01', '02', '05', '06', '07', '08'].map(indicator),
    { 'threeDSecure.exemptionFlag': '01' },
    { 'threeDSecure.challengeMandatedIndicator': 'N' },
    { 'threeDSecure.npa': 'false' },
    { 'customer.browser.language': 'de' },
    { 'threeDSecure.v2.visa.requestorId': '1' },
  ])('is not demanded by %j', (parameters) => {
    expect(demanded(parameters)).toBeUndefined();
  });

  it('is demanded by each public test card for it, on a test installation', () => {
    // The last three are those of the family's older examples.
    expect(threeDSecureTestCards.size).toBe(89);
    for (const number of threeDSecureTestCards) {
      const card = { 'card.number': number };
      expect([number, demanded(card), demanded(card, 'EXTERNAL')]).toEqual([
        ...[number, 'this test card', 'this test card'],
      ]);
      expect(demanded(card, 'LIVE')).toBeUndefined();
    }
  });

  it.each([
    ...['4200000000000000', '5454545454545454', '377777777777770', '4111111111111111'],
    // Public as a plain test card too.
    ...['6799851000000032', '4917300800000000', '5105105105105100', '4464040000000007'],
  ])('is not demanded by the plain test card %s', (number) => {
    expect(demanded({ 'card.number': number })).toBeUndefined();
  });
});
