import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutToComplete, InitiatePayment, SavedForm } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId, type TransactionId } from '@sluice/identifiers';
import { call, formText, type Parameters } from './http-client.js';
import { navigateTo, payingCheckout, savingIn, SHOP } from './saved-form-fixture.js';
import { entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({ refusalsPerSecond: 0 }));
afterAll(() => edge.close());

let id: CheckoutId;
let saved: SavedForm;
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  saved = savingIn(edge);
  open({ saved });
});

const open = (changes: Partial<CheckoutToComplete>) => payingCheckout(edge, id, changes);
const url = () => `${edge.url}/v1/checkouts/${id}/payment`;
const pay = (fields: Parameters) =>
  call(url(), {
    ...{ method: 'POST', body: formText(fields) },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const shown = () => ({ amount: '92.00', currency: 'EUR', saved: saved.id });

describe('a summary that says what it has shown', () => {
  it('pays that, also where it says whose checkout it is', async () => {
    const { body } = await pay({ ...shown(), entityId });
    expect(body.result.code).toBe('000.100.110');
    const { data } = edge.command as InitiatePayment;
    expect(data).toMatchObject({
      ...{ amount: { minor: '9200', currency: 'EUR' } },
      instrument: { kind: 'card', last4: '0000' },
    });
    expect(edge.checkouts[0]?.data).toMatchObject({ saved: saved.id, isOfSaved: true });
  });

  it.each([
    [{ amount: '150.00' }, 'is not what this checkout charges'],
    [{ currency: 'USD' }, 'is not what this checkout charges'],
    [{ saved: 'd'.repeat(32) }, 'is not what is saved by now'],
    [{ entityId: 'f'.repeat(32) }, 'is not the channel of this checkout'],
    [{ submit: 'Pay' }, 'only what was saved is paid here: send no other field'],
    [{ merchantTransactionId: '1' }, 'only what was saved is paid here: send no other field'],
  ])('pays nothing with %j, by name', async (fields: Parameters, message) => {
    const { status, body } = await pay({ ...shown(), ...fields });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    const [name] = Object.keys(fields);
    expect(body.result.parameterErrors).toEqual([
      { name, message: expect.stringContaining(message) },
    ]);
    expect([edge.checkouts, edge.commands]).toEqual([[], []]);
  });

  it('pays nothing where nothing is saved, or something else was paid with', async () => {
    open({});
    const { body } = await pay({ saved: saved.id });
    expect(body.result.parameterErrors).toMatchObject([{ name: 'saved' }]);
    expect(edge.commands).toEqual([]);
  });

  it('is told what became of it where it was paid with already', async () => {
    open({ spent: { id: saved.id } });
    const attempt = { transactionId: 'f'.repeat(32) as TransactionId, resultCode: '000.100.110' };
    edge.script.checkOut = () => ({ kind: 'replied', reply: { kind: 'underWay', attempt } });
    expect((await pay(shown())).body.id).toBe(attempt.transactionId);
    const { body } = await pay({ saved: 'd'.repeat(32) });
    expect(body.result.parameterErrors).toMatchObject([{ name: 'saved' }]);
  });

  it('pays nothing else that was saved between two looks', async () => {
    const later = { ...saved, id: 'd'.repeat(32) as TransactionId };
    const looks = [open({ saved: { ...saved, vaultReference: 'vault-0.s' } })];
    const after = open({ saved: later });
    edge.script.toComplete = () => looks.shift() ?? after;
    const { body } = await pay(shown());
    expect(body.result.parameterErrors).toMatchObject([{ name: 'saved' }]);
    expect(edge.commands).toEqual([]);
  });

  it('pays the amount that was shown, also where it is changed while it is paid', async () => {
    const before = open({ saved, revision: 0 });
    const changed = { ...before.parameters, amount: '150.00' };
    const after = open({ saved, revision: 1, parameters: changed });
    let looks = 0;
    edge.script.toComplete = () => ((looks += 1) === 1 ? before : after);
    edge.script.checkOut = () => ({ kind: 'replied', reply: { kind: 'changed' } });
    const { body } = await pay(shown());
    expect(body.result.parameterErrors).toMatchObject([{ name: 'amount' }]);
    expect([looks, edge.commands]).toEqual([2, []]);
  });
});

describe("a browser's window", () => {
  it('is told that something else would be paid', async () => {
    const { status, text } = await navigateTo(url(), { fields: { ...shown(), amount: '9.00' } });
    expect(status).toBe(400);
    expect(text).toContain('Your order has changed');
  });

  it.each([
    ['nothing saved', () => open({})],
    ['a vault that is away', () => (edge.savings.isAway = true)],
    [
      'an address that the form has said',
      () => open({ personal: {}, saved: { ...saved, fields: { shopperResultUrl: SHOP } } }),
    ],
    [
      'one that the form has said which was paid with',
      () => open({ personal: {}, spent: { id: saved.id, shopperResultUrl: SHOP } }),
    ],
  ])('leads back to the shop with %s', async (_, prepare) => {
    prepare();
    const { text, location } = await navigateTo(url(), { fields: { amount: '1.00' } });
    expect(location).toBeUndefined();
    const resourcePath = `%2Fv1%2Fcheckouts%2F${id}%2Fpayment`;
    expect(text).toContain(`href="${SHOP}?id=${id}&amp;resourcePath=${resourcePath}"`);
  });

  it('leads nowhere where nobody has said where the shop is', async () => {
    open({ personal: {} });
    const { text } = await navigateTo(url());
    expect(text).toContain('Go back to the shop');
    expect(text).not.toContain('href="http');
  });

  it('says again what was shown where it tries again', async () => {
    edge.savings.isAway = true;
    const sent = { ...shown(), entityId: entityId as string };
    const { status, text } = await navigateTo(url(), { fields: sent });
    expect(status).toBe(503);
    const fields = [...text.matchAll(/name="(\w+)"\s+value="([^"]*)"/g)];
    expect(Object.fromEntries(fields.map(([, name, value]) => [name, value]))).toEqual(sent);
  });
});
