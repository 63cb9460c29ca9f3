import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bearer, call, debit, formText, post } from './http-client.js';
import { entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start());
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const message = 'must be sent in the body, not the URL';

describe('card data, secrets and personal data in a URL', () => {
  it('are not taken: nothing is paid, and no value is repeated', async () => {
    const url = `${edge.url}/v1/payments?${formText(debit)}`;
    for (const body of ['', formText({ merchantTransactionId: 'order-4711' })]) {
      const answer = await post(url, body);
      expect(answer.status).toBe(400);
      expect(answer.body.result.code).toBe('200.300.404');
      const names = ['number', 'holder', 'expiryMonth', 'expiryYear', 'cvv'].map(
        (field) => `card.${field}`,
      );
      expect(answer.body.result.parameterErrors).toEqual(names.map((name) => ({ name, message })));
      expect(answer.text).not.toMatch(/42000000|"123"/);
    }
    expect([edge.commands, edge.held]).toEqual([[], []]);
    expect(edge.logged.join('\n')).not.toContain('4200000000000000');
  });

  it.each([
    ...['applePay.paymentToken', 'bankAccount.iban', 'tokenAccount.number', 'giftCard.pin'],
    ...['customer.givenName', 'customer.email', 'customer.ip', 'billing.street1', 'sender.surname'],
    ...['cart.items[0].giftMessage', 'risk.parameters[user]'],
  ])('neither is %s', async (name) => {
    const url = `${edge.url}/v1/payments?${formText({ [name]: 'canary' })}`;
    const { status, body, text } = await post(url, debit);
    expect([status, body.result.parameterErrors]).toEqual([400, [{ name, message }]]);
    expect(text).not.toContain('canary');
  });

  it('are refused of a read too', async () => {
    const query = formText({ entityId, 'card.cvv': '123' });
    const answer = await call(`${edge.url}/v1/query?${query}`, { headers: bearer });
    expect(answer.body.result.parameterErrors).toEqual([{ name: 'card.cvv', message }]);
  });
});

describe('other data in a URL', () => {
  it('is taken, as libraries send it: who asks, and what is no secret', async () => {
    const { entityId: who, ...rest } = debit;
    const query = formText({ entityId: who, testMode: 'INTERNAL' });
    expect((await post(`${edge.url}/v1/payments?${query}`, rest)).status).toBe(200);
  });
});
