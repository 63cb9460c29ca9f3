import { beforeAll, describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { PlainShopper, untilDecided } from './authentication-fixture.js';
import { APPROVED, type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';

const sandbox = testSandbox();
const shopper = new PlainShopper(() => sandbox);

const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2044', 'card.cvv': '123' },
};
const PENDING = '000.200.000';
const TOO_LATE_TO_REVERSE = '700.300.700';
const TERMS_BROKEN = '600.200.501';
/** Of a card whose issuer asks. */
const ASKED = { brand: 'VISA', number: '4200000000000018' } as const;
const CHALLENGED = { 'customParameters[3DS2_flow]': 'challenge', 'card.expiryYear': '2044' };
const DAY_MS = 86_400_000;

interface Clock {
  readonly aheadMs: number;
  readonly isThere: boolean;
}
const clockOf = (body: Body): Clock => body['clock'] as Clock;

/** Moves the clock of the demo channel. */
async function daysOn(days: number): Promise<void> {
  const { aheadMs } = clockOf(await send(sandbox, ['GET', '/sandbox/v1/clock']));
  const to = new Date(Date.now() + aheadMs + days * DAY_MS).toISOString();
  for (;;) {
    const body = await send(sandbox, ['POST', '/sandbox/v1/clock'], { to });
    if (clockOf(body).isThere) return;
  }
}

const post = (path: string, fields: Fields): Promise<Body> => send(sandbox, ['POST', path], fields);
const codeOf = async (answer: Promise<Body>): Promise<string> => (await answer).result.code;

describe('a payment of a channel whose clock is ahead', () => {
  beforeAll(() => daysOn(10));

  it('is reversed on its day, and only refunded from the next on', async () => {
    const reversal = { paymentType: 'RV' };
    const refund = { ...MONEY, paymentType: 'RF' };
    const [first, second] = [
      await post('/v1/payments', { ...CARD, ...MONEY }),
      await post('/v1/payments', { ...CARD, ...MONEY }),
    ];
    expect(await codeOf(post(`/v1/payments/${first.id}`, reversal))).toBe(APPROVED);
    await daysOn(1);
    expect(await codeOf(post(`/v1/payments/${second.id}`, reversal))).toBe(TOO_LATE_TO_REVERSE);
    expect(await codeOf(post(`/v1/payments/${second.id}`, refund))).toBe(APPROVED);
  });

  it('is followed by one of its agreement once the days between are over', async () => {
    const terms = {
      ...{ 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' },
      ...{ 'standingInstruction.type': 'RECURRING', 'standingInstruction.frequency': '0030' },
    };
    const { id } = await post('/v1/payments', { ...CARD, ...MONEY, ...terms });
    const rebill = () => codeOf(post(`/v1/payments/${id}`, { ...MONEY, paymentType: 'RB' }));
    await daysOn(29);
    expect(await rebill()).toBe(TERMS_BROKEN);
    await daysOn(1);
    expect(await rebill()).toBe(APPROVED);
  });
});

describe('a shopper whose bank asks, of a channel whose clock is ahead', () => {
  beforeAll(() => daysOn(1));
  const pay = () => shopper.pay(ASKED, CHALLENGED);

  it('pays as ever', async () => {
    const asked = await pay();
    expect(asked.result.code).toBe(PENDING);
    await shopper.prepare(asked);
    await shopper.act(await shopper.go(asked), 'code');
    const paid = await untilDecided(await shopper.read(asked.id), () => shopper.read(asked.id));
    expect(paid).toMatchObject({
      ...{ result: { code: APPROVED }, threeDSecure: { authenticationStatus: 'Y' } },
    });
  });

  it('is waited for a day longer than he has, and not for ever', async () => {
    const asked = await pay();
    expect((await shopper.read(asked.id)).result.code).toBe(PENDING);
    await daysOn(3);
    expect((await shopper.read(asked.id)).result.code).not.toBe(PENDING);
  }, 60_000);
});
