import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutToComplete, TakenBrandsQuery } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { call, type Received } from './http-client.js';
import { entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start({ refusalsPerSecond: 0 });
});
afterAll(() => edge.close());

let id: CheckoutId;
let asked: TakenBrandsQuery[];
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  asked = [];
  edge.script.taken = (query) => {
    asked.push(query);
    return { brands: ['VISA', 'KLARNA_*'] };
  };
});

/** What the merchant has made. */
function open(changes: Partial<CheckoutToComplete> = {}): void {
  const checkout: CheckoutToComplete = {
    ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL', personal: {} },
    parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    ...changes,
  };
  const made = id;
  edge.script.toComplete = ({ checkoutId }) => (checkoutId === made ? checkout : undefined);
}

const brands = (query = ''): Promise<Received> =>
  call(`${edge.url}/v1/checkouts/${id}/brands${query}`);

describe('the brands of a checkout', () => {
  it("are those that its channel's routes take with its amount, told to any browser", async () => {
    open();
    const { status, body, headers } = await brands();
    expect([status, body['brands']]).toEqual([200, ['VISA', 'KLARNA_*']]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const amount = { minor: '9200', currency: 'EUR' };
    expect(asked).toEqual([{ entityId, mode: 'INTERNAL', amount }]);
  });

  it('are not said where nothing is paid, or nobody knows', async () => {
    open({ purpose: 'registration', parameters: { createRegistration: 'true' } });
    expect((await brands()).body).not.toHaveProperty('brands');
    expect(asked).toEqual([]);
    open();
    edge.script.taken = () => ({});
    expect((await brands()).body).not.toHaveProperty('brands');
  });

  it('of an unknown checkout are none, and nothing but the id is taken', async () => {
    edge.script.toComplete = () => undefined;
    expect((await brands()).status).toBe(400);
    open();
    expect((await brands('?nothing=1')).status).toBe(400);
    expect(asked).toEqual([]);
  });
});
