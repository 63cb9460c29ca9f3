import { describe, expect, it } from '@jest/globals';
import type { MerchantRequest, RecordedTransaction } from '@sluice/kill-test';
import { openPayments } from './open-payments.js';

const answered = (id: string, code: string) =>
  ({ attempts: [{ kind: 'answered', id, code }] }) as unknown as MerchantRequest;
const recorded = (id: string, outcome: string, reference = 'drill-1-7') =>
  ({ id, outcome, reference }) as unknown as RecordedTransaction;

describe('what of a drill has no end yet', () => {
  it('is what is recorded as open, and not what is another one’s', () => {
    const events = [
      recorded('a', 'approved'),
      recorded('b', 'unknown'),
      recorded('c', 'requested'),
      recorded('d', 'pending', 'somebody'),
    ];
    expect(openPayments([], events, 'drill-1').recorded).toBe(2);
  });

  it('is what was answered as pending and is not recorded', () => {
    const requests = [
      answered('a', '000.100.110'),
      answered('b', '000.200.000'),
      answered('c', '000.200.000'),
      answered('c', '000.200.000'),
    ];
    const events = [recorded('b', 'approved')];
    expect(openPayments(requests, events, 'drill-1').answeredAsPending).toEqual(['c']);
  });
});
