import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutDeletionAnswer, CheckoutDeletionQuery } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import { bearer, call, formText, type Parameters, post, type Received } from './http-client.js';
import { entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({ refusalsPerSecond: 0 }));
afterAll(() => edge.close());

let id: CheckoutId;
let asked: CheckoutDeletionQuery[];
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  asked = [];
});

function answering(
  outcome: CheckoutDeletionAnswer['outcome'],
  saved: Pick<CheckoutDeletionAnswer, 'vaultReference'> = {},
): void {
  edge.script.delete = (query) => {
    asked.push(query);
    return { outcome, ...saved };
  };
}

const deletion = (
  fields: Parameters = {},
  prefix = '/v1',
  headers: Readonly<Record<string, string>> = bearer,
): Promise<Received> =>
  call(`${edge.url}${prefix}/checkouts/${id}?${formText({ entityId, ...fields })}`, {
    ...{ method: 'DELETE', headers },
  });

describe('DELETE /v1/checkouts/{id}', () => {
  it.each([
    ['deleted', '/v1', '000.200.102', 'successfully deleted checkout'],
    ['deleted', '', '000.200.102', 'successfully deleted checkout'],
    ['pending', '/v1', '000.200.103', 'checkout is pending'],
  ] as const)('answers what is %s at prefix "%s" with %s', async (outcome, prefix, ...result) => {
    answering(outcome);
    const { status, body } = await deletion({}, prefix);
    const [code, description] = result;
    expect([status, body]).toMatchObject([200, { id, ndc: id, result: { code, description } }]);
    expect(asked).toEqual([{ checkoutId: id, entityId }]);
  });

  it('is refused where there is no such checkout any more', async () => {
    answering('gone');
    const { status, body } = await deletion();
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.description).toContain('No payment session found');
    id = 'malformed' as CheckoutId;
    expect((await deletion()).body.result.description).toContain('No payment session found');
    expect(asked).toHaveLength(1);
  });

  it('has the vault forget what was saved of its form, and is done where the vault is away', async () => {
    const vaultReference = `vault-0.s${'9'.repeat(32)}`;
    edge.savings.held.set(vaultReference, { 'card.cvv': new Detail('123') });
    answering('deleted', { vaultReference });
    expect((await deletion()).body.result.code).toBe('000.200.102');
    expect(edge.savings.held.size).toBe(0);
    edge.savings.isAway = true;
    expect((await deletion()).body.result.code).toBe('000.200.102');
  });

  it('takes nothing that has no part in it, and nobody without a token', async () => {
    answering('deleted');
    expect((await deletion({ testMode: 'INTERNAL' })).status).toBe(200);
    const { status, body } = await deletion({ amount: '1.00' });
    expect([status, body.result.parameterErrors?.map(({ name }) => name)]).toEqual([
      ...[400, ['amount']],
    ]);
    expect((await deletion({ unheardOf: '1' })).status).toBe(400);
    expect((await deletion({}, '/v1', {})).status).toBe(401);
    expect(asked).toHaveLength(1);
  });
});

describe('checkouts without /v1', () => {
  it('are made and changed as with it', async () => {
    const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
    const made = await post(`${edge.url}/checkouts`, { entityId, ...money });
    expect([made.status, made.body.result.code]).toEqual([200, '000.200.100']);
    edge.script.toComplete = () => ({
      ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL', personal: {} },
      parameters: money,
    });
    const changed = await post(`${edge.url}/checkouts/${id}`, { entityId, amount: '8.00' });
    expect([changed.status, changed.body.result.code]).toEqual([200, '000.200.101']);
  });
});
