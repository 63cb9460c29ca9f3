import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutToComplete } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { bearer, call, formText, type Parameters, type Received } from './http-client.js';
import {
  directory,
  entityId,
  foreignEntityId,
  legacy,
  ScriptedEdge,
  siblingEntityId,
} from './scripted-edge.js';

/** One channel lets others read; its siblings do not. */
const edge = new ScriptedEdge();
/** None does. */
const strict = new ScriptedEdge();
beforeAll(async () => {
  edge.script.directory = { directory: lenientFor(entityId) };
  await edge.start({ refusalsPerSecond: 0 });
  await strict.start();
});
afterAll(async () => {
  await edge.close();
  await strict.close();
});

const UNKNOWN = '(opp) No payment session found for the requested id';

function lenientFor(channel: string) {
  const { nodes, ...rest } = directory();
  const compatibility = { statusWithoutAccess: true };
  return {
    ...rest,
    nodes: nodes.map((node) => (node.id === channel ? { ...node, compatibility } : node)),
  };
}

let id: CheckoutId;
beforeEach(() => {
  id = newCheckoutId('sluice');
  for (const each of [edge, strict]) {
    each.reset();
    of(entityId, each);
    each.script.checkout = () => ({ status: 'pending' });
  }
  edge.script.directory = { directory: lenientFor(entityId) };
});

/** The checkout is this channel's. */
function of(channel: CheckoutToComplete['entityId'], each = edge): void {
  const checkout: CheckoutToComplete = {
    ...{ purpose: 'payment', entityId: channel, actor: entityId, mode: 'INTERNAL', personal: {} },
    parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
  };
  each.script.toComplete = ({ checkoutId }) => (checkoutId === id ? checkout : undefined);
}

const read = (query: Parameters = {}, headers = {}, each = edge): Promise<Received> =>
  call(`${each.url}/v1/checkouts/${id}/payment?${formText(query)}`, { headers });
const said = ({ status, body }: Received) => [status, body.result.code];

describe('a status that is read without credentials', () => {
  it.each([{}, { entityId }])('is told where the channel has the switch (%j)', async (query) => {
    const asked: unknown[] = [];
    edge.script.checkout = (query) => {
      asked.push(query);
      return { status: 'pending' };
    };
    const received = await read(query);
    expect(said(received)).toEqual([200, '000.200.000']);
    expect(received.body.ndc).toBe(id);
    expect(asked).toEqual([{ checkoutId: id, entityId, purpose: 'payment' }]);
  });

  it('is refused where none has it, and nobody is asked whose it is', async () => {
    strict.script.toComplete = () => {
      throw new Error('is not to be asked');
    };
    expect(said(await read({ entityId }, {}, strict))).toEqual([401, '800.900.300']);
  });

  it('is refused of another channel, and where another one is named', async () => {
    of(siblingEntityId);
    expect(said(await read())).toEqual([401, '800.900.300']);
    of(entityId);
    const named = await read({ entityId: foreignEntityId });
    expect([named.status, named.body.result.description]).toEqual([
      ...[400, expect.stringContaining(UNKNOWN)],
    ]);
  });

  it('of a checkout that there is not is refused in the words that clients look for', async () => {
    id = newCheckoutId('sluice');
    edge.script.toComplete = () => undefined;
    const { status, body } = await read();
    expect([status, body.result.description]).toEqual([400, expect.stringContaining(UNKNOWN)]);
  });

  it('is told twice a minute, too', async () => {
    for (const _read of [1, 2]) expect((await read()).status).toBe(200);
    expect(said(await read())).toEqual([400, '800.120.100']);
  });

  it('allows nothing else that a token is for', async () => {
    const others = [`/v1/payments/${'8'.repeat(32)}`, `/v1/query/${'8'.repeat(32)}`];
    for (const path of others) {
      const target = `${edge.url}${path}?${formText({ entityId })}`;
      expect(said(await call(target, {}))).toEqual([401, '800.900.300']);
    }
  });
});

describe('a status that is read with credentials', () => {
  it('needs the right ones, with the switch as without', async () => {
    const wrong = { authorization: 'Bearer somebody-elses-token' };
    expect(said(await read({ entityId }, wrong))).toEqual([403, '800.900.300']);
    const { userId } = legacy;
    const guessed = { 'authentication.userId': userId, 'authentication.password': 'guessed' };
    expect(said(await read({ entityId, ...guessed }))).toEqual([403, '800.900.300']);
    expect(said(await read({ entityId }, bearer))).toEqual([200, '000.200.000']);
  });
});
