import { describe, expect, it } from '@jest/globals';
import { eventWords } from './event-words.js';

const transactionId = '8ac7a4a18f0b1c2d018f0b1c2d3e4f50';
const metadata = { recordedAtMs: 0 };
/** Codecs check events; these need no more than what is told of them. */
const event = (type: string, data: object) =>
  ({ type, data: { transactionId, ...data }, metadata }) as unknown as Parameters<
    typeof eventWords
  >[0];

describe('the words of an event', () => {
  it('say how an authentication ended, and who bears a fraud', () => {
    const completed = (data: object) => eventWords(event('AuthenticationCompleted', data));
    expect(
      completed({
        ...{ resultCode: '000.400.110', flow: 'challenge', goesOn: true, liabilityShifts: true },
        ...{ status: 'Y', eci: '05' },
      }),
    ).toBe('000.400.110 challenge Y ECI 05 liability shifts');
    expect(
      completed({ resultCode: '000.400.109', flow: 'none', goesOn: false, liabilityShifts: false }),
    ).toBe('000.400.109 none no liability shift');
    expect(
      completed({
        ...{ resultCode: '000.400.110', flow: 'frictionless', goesOn: true, status: 'Y' },
        ...{ eci: '05', liabilityShifts: false },
        authenticated: { minor: 5_000n, currency: 'EUR' },
      }),
    ).toBe('000.400.110 frictionless Y ECI 05 no liability shift: authenticated for 50.00 EUR');
  });

  it('say whom an authentication waits for, and after which no', () => {
    const pending = (data: object) => eventWords(event('AuthenticationPending', data));
    const redirect = { url: 'https://gateway.example/redirects/1', method: 'GET' };
    expect(pending({ redirect })).toBe("waits for the shopper's browser");
    expect(pending({ appChallenge: {} })).toBe("waits for the shopper's app");
    expect(pending({})).toBe('waits for the issuer');
    expect(pending({ redirect, decline: { resultCode: '300.100.100' } })).toBe(
      "300.100.100 waits for the shopper's browser",
    );
  });

  it('say what the rules decided, and which of them spoke', () => {
    expect(eventWords(event('RiskAssessed', { decision: 'accept', score: 0 }))).toBe(
      'accept, score 0',
    );
    const review = { decision: 'review', score: 40, resultCode: '000.400.000', fired: ['a', 'b'] };
    expect(eventWords(event('RiskAssessed', review))).toBe('000.400.000 review, score 40 by a, b');
  });

  it('say how a review ended', () => {
    expect(eventWords(event('ReviewDecided', { decision: 'released' }))).toBe('released');
  });
});
