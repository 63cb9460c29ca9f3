import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { debit, type Parameters, post } from './http-client.js';
import { outcomeOf, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const pay = (parameters: Parameters = {}) =>
  post(`${edge.url}/v1/payments`, { ...debit, ...parameters });

describe('parameters that are missing or malformed', () => {
  it('are all listed; nothing is recorded, nothing held, there is no id', async () => {
    const { status, body } = await pay({
      amount: '1.5',
      currency: 'eur',
      'card.expiryMonth': undefined,
      elsewhere: '1',
    });
    expect(status).toBe(400);
    expect(body.result).toMatchObject({
      code: '200.300.404',
      description: 'invalid or missing parameter',
    });
    expect(body.result.parameterErrors?.map(({ name }) => name)).toEqual([
      'amount',
      'currency',
      'card.expiryMonth',
      'elsewhere',
    ]);
    expect(body.result.parameterErrors?.every(({ message }) => message.length > 0)).toBe(true);
    expect(body).not.toHaveProperty('id');
    expect(edge.commands).toHaveLength(0);
    expect(edge.held).toHaveLength(0);
  });

  it.each([undefined, '', 'XX', 'RF', 'pa', 'PA.CP'])(
    'paymentType %j is one',
    async (paymentType) => {
      const { status, body } = await pay({ paymentType });
      expect(status).toBe(400);
      expect(body.result.parameterErrors?.map(({ name }) => name)).toEqual(['paymentType']);
    },
  );

  it('never repeat card data', async () => {
    const { text: answer, body } = await pay({
      'card.number': '42000000 00000000',
      'card.cvv': '98765',
      'card.expiryYear': '1234',
    });
    expect(body.result.parameterErrors).toHaveLength(3);
    expect(answer).not.toMatch(/42000000|98765|1234"/);
  });
});

describe('well-formed input that cannot be paid', () => {
  it.each([
    [{ amount: '0.00' }, '100.550.300'],
    [{ currency: 'JPY', amount: '10.50' }, '100.550.303'],
    [{ 'card.number': '4200000000000001' }, '100.100.101'],
    [{ paymentBrand: 'MASTER' }, '100.100.700'],
    [{ 'card.expiryYear': '2025' }, '100.100.303'],
    [{ 'card.cvv': undefined }, '100.100.600'],
    [{ 'card.cvv': '1234' }, '100.100.601'],
  ] as [Parameters, string][])('%j is recorded with %s and an id', async (parameters, code) => {
    edge.script.reply = (command) => ({
      kind: 'replied',
      reply: {
        kind: 'transaction',
        outcome: outcomeOf(command, {
          status: 'rejected',
          resultCode: command.data.rejection ?? '',
        }),
      },
    });
    const { status, body } = await pay(parameters);
    expect(status).toBe(400);
    expect(body.result.code).toBe(code);
    expect(body.id).toBe(edge.command.data.transactionId);
    expect(edge.command.data.rejection).toBe(code);
    expect(new Set(edge.forgotten)).toEqual(new Set(['reference-1']));
    expect('amount' in body).toBe(!code.startsWith('100.550'));
  });

  it('names the first reason in the order amount, number, brand, expiry, security code', async () => {
    await pay({ amount: '0', 'card.number': '4200000000000001', 'card.cvv': undefined });
    expect(edge.command.data.rejection).toBe('100.550.300');
    await pay({ 'card.number': '4200000000000001', 'card.expiryYear': '2025' });
    expect(edge.command.data.rejection).toBe('100.100.101');
  });
});
