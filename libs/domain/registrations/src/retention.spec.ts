import { describe, expect, it } from '@jest/globals';
import { extendedUntil, keptUntil } from './retention.js';
import { card, NOON_MS, token } from './registration-fixture.js';

describe('details are kept', () => {
  it.each([
    ['05', '2034', Date.UTC(2035, 7)],
    ['12', '2030', Date.UTC(2032, 2)],
    ['10', '2030', Date.UTC(2032, 0)],
    ['11', '2030', Date.UTC(2032, 1)],
  ])('to the end of the 14th month after %s/%s', (expiryMonth, expiryYear, untilMs) => {
    expect(keptUntil({ ...card, expiryMonth, expiryYear }, NOON_MS)).toBe(untilMs);
  });

  it("to the end of the 14th month after a token's expiry, as a card", () => {
    expect(keptUntil({ ...token, expiryMonth: '11', expiryYear: '2034' }, NOON_MS)).toBe(
      Date.UTC(2036, 1),
    );
  });

  it('to the end of the 14th month after the request, of a token without an expiry', () => {
    expect(keptUntil(token, NOON_MS)).toBe(Date.UTC(2027, 3));
  });

  it('to the end of the 14th month after the request, of what never expires', () => {
    expect(keptUntil(undefined, NOON_MS)).toBe(Date.UTC(2027, 3));
  });

  it('longer by an extension: to the end of the 24th month after it', () => {
    expect(extendedUntil(0, NOON_MS)).toBe(Date.UTC(2028, 1));
    expect(extendedUntil(Date.UTC(2030, 0), NOON_MS)).toBe(Date.UTC(2030, 0));
  });
});
