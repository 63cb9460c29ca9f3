import { describe, expect, it } from '@jest/globals';
import { outcomeOf, resultCodes } from './catalogue.js';
import { adviceOf, merchantAdvice, retryOf } from './retry.js';

describe('which rejection may be sent again', () => {
  it.each([
    ['300.100.100', 'throughThreeDSecure'],
    ['800.100.176', 'later'],
    ['800.120.100', 'later'],
    ['900.100.300', 'askFirst'],
    ['000.400.030', 'askFirst'],
    ['900.100.301', 'safe'],
    ['900.100.310', 'safe'],
    ['800.100.153', 'afterCorrection'],
    ['100.100.303', 'afterCorrection'],
    ['800.100.203', 'followAdvice'],
    ['700.600.002', 'followAdvice'],
    ['800.100.159', 'never'],
    ['800.300.401', 'never'],
    ['800.100.323', 'never'],
    ['800.100.152', 'unspecified'],
    ['no code', 'unspecified'],
  ])('%s: %s', (code, retry) => {
    expect(retryOf(code)).toBe(retry);
  });

  it('is never said of an approval or a pending payment', () => {
    const settled = resultCodes.filter(({ code }) =>
      ['success', 'pending'].includes(outcomeOf(code)),
    );
    expect(settled.map(({ code }) => retryOf(code)).every((retry) => retry === 'unspecified')).toBe(
      true,
    );
  });
});

describe('merchant advice codes', () => {
  it('say how long to wait exactly where waiting is the advice', () => {
    for (const { action, waitHours } of merchantAdvice) {
      expect(waitHours !== undefined).toBe(action === 'retryLater');
    }
  });

  it('are looked up by their two digits', () => {
    expect(adviceOf('02')?.waitHours).toBe(72);
    expect(adviceOf('03')?.action).toBe('stop');
    expect(adviceOf('99')).toBeUndefined();
  });
});
