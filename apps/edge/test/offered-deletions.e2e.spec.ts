import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutToComplete } from '@sluice/contracts';
import {
  type CheckoutId,
  type EntityId,
  newCheckoutId,
  type TransactionId,
} from '@sluice/identifiers';
import { bearer, call, type Received } from './http-client.js';
import { savingIn } from './saved-form-fixture.js';
import {
  directory,
  entityId,
  foreignEntityId,
  merchantEntityId,
  registered,
  ScriptedEdge,
  siblingEntityId,
} from './scripted-edge.js';

/** One merchant allows it, but for one of its channels. */
const edge = new ScriptedEdge();
/** Nobody says anything. */
const silent = new ScriptedEdge();
beforeAll(async () => {
  edge.script.directory = { directory: allowing() };
  await edge.start({ refusalsPerSecond: 0 });
  await silent.start();
});
afterAll(async () => {
  await edge.close();
  await silent.close();
});

const [VISA, AMEX, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [
  TransactionId,
  TransactionId,
  TransactionId,
];
const UNKNOWN = '100.150.200';

function allowing() {
  const { nodes, ...rest } = directory();
  const said: Readonly<Record<string, boolean>> = {
    [merchantEntityId]: true,
    [siblingEntityId]: false,
  };
  return {
    ...rest,
    nodes: nodes.map((node) => {
      const shoppersMayDelete = said[node.id];
      return shoppersMayDelete === undefined ? node : { ...node, shoppersMayDelete };
    }),
  };
}

let id: CheckoutId;
beforeEach(() => {
  id = newCheckoutId('sluice');
  for (const each of [edge, silent]) {
    each.reset();
    each.script.registered = (query) =>
      query.entityId === entityId ? registered(query, {}) : undefined;
    open({}, each);
  }
  edge.script.directory = { directory: allowing() };
});

/** What a merchant has made. */
function open(changes: Partial<CheckoutToComplete> = {}, each = edge): void {
  const checkout: CheckoutToComplete = {
    ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL', personal: {} },
    parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    registrations: [VISA, AMEX],
    ...changes,
  };
  each.script.toComplete = ({ checkoutId }) => (checkoutId === id ? checkout : undefined);
}

interface Asking {
  readonly each?: ScriptedEdge;
  readonly checkout?: string;
  readonly query?: string;
}

/** From a browser, which has no credentials. */
const remove = (registrationId: string, { each = edge, checkout = id, query = '' }: Asking = {}) =>
  call(`${each.url}/v1/checkouts/${checkout}/registrations/${registrationId}${query}`, {
    method: 'DELETE',
  });
const form = (each = edge) => call(`${each.url}/v1/checkouts/${id}/form`);
const codeOf = ({ status, body }: Received) => [status, body.result.code];

/** Nothing was asked of registrations. */
function expectNothing(each = edge): void {
  expect(each.registrations).toEqual([]);
}

describe('a stored account that a checkout offers', () => {
  it('is deleted as its merchant would, in the name of who began the checkout', async () => {
    const { status, headers, body } = await remove(AMEX);
    expect([status, body.result.code]).toEqual([200, '000.100.110']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    // Nothing of what was stored: it is anybody's who knows the checkout's id.
    expect(Object.keys(body).toSorted()).toEqual([
      ...['buildNumber', 'id', 'ndc', 'result', 'timestamp'],
    ]);
    expect(edge.registrations).toMatchObject([
      {
        data: {
          ...{ registrationId: AMEX, operation: 'deletion' },
          context: { entityId, actor: entityId, ndc: id },
        },
      },
    ]);
  });

  it.each([
    [AMEX, 1],
    [VISA, 0],
  ])('is forgotten by the vault, too, where %s was saved of it', async (registrationId, times) => {
    const saved = savingIn(edge, { fields: { registrationId }, details: ['card.cvv'] });
    open({ saved });
    expect((await remove(AMEX)).status).toBe(200);
    expect(edge.savings.forgotten).toHaveLength(times);
    edge.savings.isAway = true;
    expect((await remove(AMEX)).status).toBe(200);
  });

  it('is told to be so by the form', async () => {
    expect((await form()).body['mayDelete']).toBe(true);
    open({ isBegun: true });
    expect((await form()).body).not.toHaveProperty('mayDelete');
    open({ registrations: [] });
    expect((await form()).body).not.toHaveProperty('mayDelete');
    expect((await form(silent)).body).not.toHaveProperty('mayDelete');
  });

  it('is deleted by pages of every origin, which browsers ask for first', async () => {
    const url = `${edge.url}/v1/checkouts/${id}/registrations/${AMEX}`;
    const { status, headers } = await fetch(url, { method: 'OPTIONS' });
    expect([status, headers.get('access-control-allow-methods')]).toEqual([204, 'DELETE']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expectNothing();
  });
});

describe('no stored account is deleted', () => {
  it('where nobody has allowed it', async () => {
    const refused = await remove(AMEX, { each: silent });
    expect(codeOf(refused)).toEqual([400, '600.200.500']);
    expect(refused.body.result.description).toContain('shoppersMayDelete');
    expectNothing(silent);
  });

  it.each<readonly [string, EntityId, string]>([
    ['a channel that says no', siblingEntityId, '600.200.500'],
    ['another merchant, who has said nothing', foreignEntityId, '600.200.500'],
  ])('of a checkout of %s', async (_whose, owner, code) => {
    open({ entityId: owner, actor: owner });
    expect(codeOf(await remove(AMEX))).toEqual([400, code]);
    expectNothing();
  });

  it('that the checkout does not offer', async () => {
    for (const other of [OTHER, AMEX.toUpperCase(), 'x', `${AMEX}x`]) {
      expect(codeOf(await remove(other))).toEqual([400, UNKNOWN]);
    }
    expectNothing();
  });

  it('that the merchant has named to be paid with', async () => {
    const parameters = { amount: '92.00', currency: 'EUR', registrationId: VISA };
    open({ parameters });
    expect(codeOf(await remove(VISA))).toEqual([400, UNKNOWN]);
    open({ parameters, registrations: [] });
    expect(codeOf(await remove(VISA))).toEqual([400, UNKNOWN]);
    expectNothing();
  });

  it('by another checkout, and by one that is over', async () => {
    const other = newCheckoutId('sluice');
    for (const refused of [
      await remove(AMEX, { checkout: other }),
      await remove(AMEX, { checkout: 'x' }),
    ]) {
      expect(codeOf(refused)).toEqual([400, '200.300.404']);
      expect(refused.body.result.description).toContain('No payment session found');
    }
    edge.script.toComplete = () => undefined;
    expect(codeOf(await remove(AMEX))).toEqual([400, '200.300.404']);
    expectNothing();
  });

  it('while the shopper pays, and afterwards', async () => {
    open({ isBegun: true });
    const refused = await remove(AMEX);
    expect(codeOf(refused)).toEqual([400, '200.300.404']);
    expect(refused.body.result.description).toContain('is completing this checkout');
    expectNothing();
  });

  it('with what a deletion does not take', async () => {
    expect((await remove(AMEX, { query: '?amount=1.00' })).status).toBe(400);
    expect((await remove(AMEX, { query: '?nothing=1' })).status).toBe(400);
    expectNothing();
  });

  it('by a merchant here: that one has a resource of its own', async () => {
    const url = `${edge.url}/v1/checkouts/${id}/registrations/${AMEX}`;
    for (const method of ['GET', 'POST', 'PUT']) {
      expect((await call(url, { method, headers: bearer })).status).toBe(404);
    }
    expectNothing();
  });
});
