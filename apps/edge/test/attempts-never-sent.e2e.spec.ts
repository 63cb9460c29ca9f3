import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AttemptNeverAskedQuery, CheckoutToComplete } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { QueryUnavailable } from '@sluice/messaging';
import { call, formText, type Parameters } from './http-client.js';
import { entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());

const CARD = {
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', paymentBrand: 'VISA' },
} as const;
const LIFE_MS = 25_000;

let id: CheckoutId;
let told: AttemptNeverAskedQuery[];
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  told = [];
  edge.script.neverAsked = (query) => void told.push(query);
  open({});
});

function open(changes: Partial<CheckoutToComplete>): void {
  const checkout: CheckoutToComplete = {
    ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL', personal: {} },
    parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    ...changes,
  };
  edge.script.toComplete = () => checkout;
}

/** From a browser, which has no credentials. */
async function submit(fields: Parameters = CARD, resource = 'payment') {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = `${edge.url}/v1/checkouts/${id}/${resource}`;
  const { body } = await call(url, { method: 'POST', headers, body: formText(fields) });
  return body.result.code;
}

/** The attempt that checkouts has recorded. */
const attempt = () => edge.checkouts.at(-1)?.data.transactionId;

describe('an attempt whose payment has never left', () => {
  it.each([
    ['full', '800.600.100'],
    ['unavailable', '800.800.800'],
  ] as const)('holds up no other one where the bus is %s', async (reason, code) => {
    edge.script.reply = () => ({ kind: 'notSent', reason });
    expect(await submit()).toBe(code);
    expect(told).toEqual([{ checkoutId: id, transactionId: attempt() }]);
    expect(edge.forgotten).toHaveLength(1);
  });

  it('is answered all the same where checkouts cannot be told', async () => {
    edge.script.reply = () => ({ kind: 'notSent', reason: 'unavailable' });
    edge.script.neverAsked = () => {
      throw new QueryUnavailable('checkouts.neverAsked', 'noService');
    };
    expect(await submit()).toBe('800.800.800');
  });

  it('may be one that only stores', async () => {
    open({ purpose: 'registration', parameters: {} });
    edge.script.register = () => ({ kind: 'notSent', reason: 'full' });
    const { 'card.cvv': _, ...card } = CARD;
    expect(await submit(card, 'registration')).toBe('800.600.100');
    expect(told).toEqual([{ checkoutId: id, transactionId: attempt() }]);
  });
});

describe('an attempt whose payment may have left', () => {
  it.each([
    ['uncertain', { kind: 'uncertain' }],
    ['unanswered', { kind: 'unanswered' }],
    ['busy, as another copy of it makes payments', { kind: 'replied', reply: { kind: 'busy' } }],
  ] as const)('is not said to be over where it is %s', async (_what, result) => {
    edge.script.reply = () => result;
    await submit();
    expect(edge.commands).toHaveLength(1);
    expect(told).toEqual([]);
  });
});

describe('an attempt that is not recorded', () => {
  it('is none that could be over', async () => {
    edge.script.checkOut = () => ({ kind: 'notSent', reason: 'full' });
    expect(await submit()).toBe('800.600.100');
    expect(edge.commands).toEqual([]);
    expect(told).toEqual([]);
  });
});

describe('the command of an attempt', () => {
  const takes = (ms: number) => {
    edge.script.checkOut = () => {
      edge.clock.advance(ms);
      return { kind: 'replied', reply: { kind: 'recorded' } };
    };
  };

  it('lives for as long as is left of that which recorded it', async () => {
    takes(10_000);
    await submit();
    expect(edge.checkouts.at(-1)?.timeToLiveMs).toBe(LIFE_MS);
    expect(edge.command.timeToLiveMs).toBe(LIFE_MS - 10_000);
  });

  it('is sent with a life that is over where nothing is left, so that it is recorded as that', async () => {
    takes(LIFE_MS + 1);
    await submit();
    expect(edge.command.timeToLiveMs).toBe(1);
  });
});
