import { describe, expect, it } from '@jest/globals';
import { merchantSession } from './merchant-session.js';

const asked = {
  ...{ merchantIdentifier: 'merchant.example', displayName: 'Shop' },
  ...{ initiative: 'web', initiativeContext: 'shop.example' },
};
const nowMs = Date.parse('2026-11-24T12:00:00Z');
const session = (changes: object = {}) =>
  merchantSession(JSON.stringify({ ...asked, ...changes }), nowMs);

describe('a session for the page of a merchant', () => {
  it('is of that page, for five minutes, and another one each time', () => {
    const [one, other] = [session(), session()];
    expect(one).toMatchObject({
      ...{ merchantIdentifier: 'merchant.example', displayName: 'Shop' },
      ...{ domainName: 'shop.example', epochTimestamp: nowMs, expiresAt: nowMs + 300_000 },
      merchantSessionIdentifier: expect.stringMatching(/^[0-9A-F]{64}$/),
    });
    expect(other?.merchantSessionIdentifier).not.toBe(one?.merchantSessionIdentifier);
  });

  it.each([
    [{ merchantIdentifier: '' }],
    [{ displayName: '' }],
    [{ displayName: 'x'.repeat(65) }],
    [{ initiative: 'messaging' }],
    [{ initiativeContext: 'https://shop.example' }],
    [{ initiativeContext: undefined }],
    [{ merchantIdentifier: 1 }],
  ])('is none of what is incomplete: %j', (changes) => {
    expect(session(changes)).toBeUndefined();
  });

  it.each(['', 'null', '{', '[]'])('is none of what is no request: %s', (body) => {
    expect(merchantSession(body, nowMs)).toBeUndefined();
  });
});
