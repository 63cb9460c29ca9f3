import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Attempt, Merchant, PlannedRequest } from '@sluice/kill-test';
import { APPROVED, DECLINED, PaymentFlow, paymentOf } from './payment-flow.js';

const answer: Attempt = { kind: 'answered', status: 200, code: APPROVED };

describe('a payment of a drill', () => {
  it('has a reference of its own, and every tenth is to be declined', () => {
    expect(paymentOf('drill-1', 7)).toMatchObject({ reference: 'drill-1-000007', operation: 'DB' });
    expect(paymentOf('drill-1', 7).forcedCode).toBeUndefined();
    expect(paymentOf('drill-1', 10).forcedCode).toBe(DECLINED);
    expect(paymentOf('drill-1', 7)).not.toHaveProperty('registrationId');
    expect(paymentOf('drill-1', 7).amountMinor).not.toBe(paymentOf('drill-1', 8).amountMinor);
  });
});

describe('every third payment of a drill', () => {
  it('is paid with what was stored, each in turn, some of them to be declined', () => {
    const stored = ['one', 'two'];
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const payments = numbers.map((number) => paymentOf('drill-1', number, stored));
    const paidWith = payments.map(({ registrationId }) => registrationId);
    expect(paidWith.slice(0, 9).map((id) => id ?? 'card')).toEqual([
      ...['card', 'card', 'two', 'card', 'card', 'one', 'card', 'card', 'two'],
    ]);
    const isDeclined = payments.some((each) => each.registrationId && each.forcedCode);
    expect(isDeclined).toBe(true);
  });
});

describe('a flow', () => {
  let nowMs = 0;

  beforeEach(() => {
    nowMs = 0;
    jest.useFakeTimers({ doNotFake: ['performance'] });
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  async function pass(ms: number): Promise<void> {
    for (const end = nowMs + ms; nowMs < end;) {
      nowMs += 2;
      await jest.advanceTimersByTimeAsync(2);
    }
  }

  it('comes at its pace whatever the answers take, and stops', async () => {
    const sent: PlannedRequest[] = [];
    const merchant = {
      send: (_url: string, planned: PlannedRequest) => {
        sent.push(planned);
        return sent.length % 2 === 0 ? Promise.resolve(answer) : new Promise<Attempt>(() => {});
      },
      settle: () => Promise.resolve(),
    } as unknown as Merchant;
    const flow = new PaymentFlow(merchant, 'http://edge', 'drill-1');
    flow.pace(30);
    await pass(10_000);
    expect(flow.sent).toBeGreaterThan(240);
    expect(flow.sent).toBeLessThan(360);
    expect(flow.samples.length).toBe(Math.floor(flow.sent / 2));
    const before = flow.sent;
    flow.pace(100);
    await pass(1_000);
    expect(flow.sent - before).toBeGreaterThan(60);
    await flow.stop();
    const atStop = flow.sent;
    await pass(1_000);
    expect(flow.sent).toBe(atStop);
    expect(new Set(sent.map(({ reference }) => reference)).size).toBe(atStop);
  });
});
