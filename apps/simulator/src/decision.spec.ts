import { describe, expect, it } from '@jest/globals';
import { decide, type OriginalState } from './decision.js';
import type { TransactionRequest } from './transaction-request.js';

function request(more: Partial<TransactionRequest> = {}): TransactionRequest {
  return {
    reference: 'ref-1',
    operation: 'debit',
    amount: '92.00',
    currency: 'EUR',
    mode: 'INTERNAL',
    ...more,
  };
}

const approved = (resultCode: string) => ({ status: 'approved', resultCode });
const declined = (resultCode: string) => ({ status: 'declined', resultCode });
const pending = (resultCode: string) => ({ status: 'pending', resultCode });

describe('a request without wishes', () => {
  it('is approved with the code of its mode (D-41)', () => {
    expect(decide(request(), 'none')).toEqual(approved('000.100.110'));
    expect(decide(request({ mode: 'EXTERNAL' }), 'none')).toEqual(approved('000.100.112'));
  });
});

describe('a cryptogram that proves nothing', () => {
  it.each(['otherCard', 'otherOutcome', 'usedBefore'] as const)(
    'is declined where it is %s, unless the test forces something else',
    (finding) => {
      expect(decide(request(), 'none', finding)).toEqual(declined('800.100.158'));
      const forced = request({ forceResultCode: '000.100.110' });
      expect(decide(forced, 'none', finding)).toEqual(approved('000.100.110'));
    },
  );
});

describe('an issuer that wants the shopper authenticated', () => {
  const holder = '300.100.100';

  it.each([undefined, 'otherCard', 'otherOutcome', 'usedBefore'] as const)(
    'declines where the proof is %s',
    (finding) => {
      expect(decide(request({ holder }), 'none', finding)).toEqual(declined(holder));
    },
  );

  it.each(['fits', 'otherAmount'] as const)('has none more to want of one that %s', (finding) => {
    expect(decide(request({ holder }), 'none', finding)).toEqual(approved('000.100.110'));
    const other = request({ holder: '800.100.151' });
    expect(decide(other, 'none', finding)).toEqual(declined('800.100.151'));
  });

  it('declines whatever the proof where the test forces it', () => {
    const forced = request({ forceResultCode: holder });
    expect(decide(forced, 'none', 'fits')).toEqual(declined(holder));
  });
});

describe('a wrong PIN of a gift card', () => {
  it('is declined, unless the test forces something else', () => {
    expect(decide(request({ isPinWrong: true }), 'none')).toEqual(declined('800.100.166'));
    const forced = request({ isPinWrong: true, forceResultCode: '000.100.110' });
    expect(decide(forced, 'none')).toEqual(approved('000.100.110'));
  });
});

describe('forceResultCode', () => {
  it.each([
    ['000.100.110', approved('000.100.110')],
    ['000.000.000', approved('000.000.000')],
    ['000.400.000', approved('000.400.000')],
    ['000.200.000', pending('000.200.000')],
    ['800.400.500', pending('800.400.500')],
    ['800.100.151', declined('800.100.151')],
    ['600.200.100', declined('600.200.100')],
    ['900.100.300', declined('900.100.300')],
    ['000.100.200', declined('600.200.810')],
    ['000.100.299', declined('600.200.810')],
    ['123.456.789', declined('600.200.810')],
    ['000.500.000', declined('600.200.810')],
    ['nonsense', declined('600.200.810')],
    ['__proto__', declined('600.200.810')],
  ])('%s', (forceResultCode, decision) => {
    expect(decide(request({ forceResultCode }), 'none')).toEqual(decision);
  });

  it('beats the card holder (D-48)', () => {
    const both = request({ forceResultCode: '800.100.151', holder: '800.100.152' });
    expect(decide(both, 'none')).toEqual(declined('800.100.151'));
  });
});

describe('a card holder', () => {
  it.each([
    ['800.100.152', declined('800.100.152')],
    ['999.999.998', declined('600.200.810')],
    ['000.400.000', approved('000.100.110')],
    ['Jane Jones', approved('000.100.110')],
    ['Jane 800.100.152', approved('000.100.110')],
  ])('"%s"', (holder, decision) => {
    expect(decide(request({ holder }), 'none')).toEqual(decision);
  });
});

describe('a transaction that refers to another', () => {
  it.each<[OriginalState, object]>([
    ['approved', approved('000.100.110')],
    ['pending', declined('700.400.570')],
    ['missing', declined('700.400.580')],
    ['closed', declined('700.400.580')],
  ])('%s', (original, decision) => {
    const capture = request({ operation: 'capture', originalReference: 'ref-0' });
    expect(decide(capture, original)).toEqual(decision);
  });

  it('cannot be forced past a missing original', () => {
    const capture = request({ operation: 'capture', forceResultCode: '000.100.110' });
    expect(decide(capture, 'missing')).toEqual(declined('700.400.580'));
  });
});
