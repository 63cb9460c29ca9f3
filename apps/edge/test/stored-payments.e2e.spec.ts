import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentToStore } from '@sluice/contracts';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import { type Parameters, post } from './http-client.js';
import { entityId, personalOf, registered, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const PAYMENT_ID = '019b7d5f2c3a77c5bdcadf51af2041ca' as TransactionId;
const REGISTRATION_ID = '019b7d5f2c3a77c5bdcadf51af2041cb' as TransactionId;

const payment: PaymentToStore = {
  ...{ id: PAYMENT_ID, status: 'approved', mode: 'INTERNAL' },
  instrument: {
    ...{ kind: 'card', vaultReference: 'vault-0.1', bin: '420000', last4: '0000' },
    ...{ brand: 'VISA', expiryMonth: '05', expiryYear: '2034' },
  },
  parameters: {},
  personal: { 'card.holder': 'Jane Jones', 'customer.email': 'jane@example.com' },
};

const store = (paid: PaymentToStore | undefined = payment, more: Parameters = {}) => {
  edge.script.paid = () => paid;
  return post(`${edge.url}/v1/payments/${PAYMENT_ID}`, { entityId, paymentType: 'RG', ...more });
};

describe('RG on a payment', () => {
  it('stores what it was made with, and leaves what is held to the payment', async () => {
    const { status, body } = await store();
    expect(status).toBe(200);
    expect(isTransactionId(body.id)).toBe(true);
    expect(body).toMatchObject({
      ...{ referencedId: PAYMENT_ID, paymentType: 'RG' },
      card: { last4Digits: '0000', holder: 'Jane Jones' },
    });
    const [command] = edge.registrations;
    expect(command?.data).toMatchObject({
      ...{ transactionId: body.id, paymentId: PAYMENT_ID, isPaymentMade: true },
      instrument: { kind: 'card', vaultReference: 'vault-0.1' },
    });
    expect(command && personalOf(command)).toEqual({ 'card.holder': 'Jane Jones' });
    expect([edge.forgotten, edge.held, edge.commands]).toEqual([[], [], []]);
    expect(JSON.stringify(body)).not.toContain('vault-0.1');
  });

  it.each([
    ['amount', '92.00'],
    ['merchantTransactionId', 'order-4711'],
    ['recurringMigration.paymentType', 'DB'],
    ['customParameters[shelf]', 'A7'],
  ])('takes nothing beside: %s is refused', async (name, value) => {
    const { status, body } = await store(payment, { [name]: value });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
    expect(edge.registrations).toEqual([]);
  });

  it('has the mode of the payment, and is refused for another', async () => {
    await store({ ...payment, mode: 'EXTERNAL' });
    expect(edge.registrations[0]?.data).toMatchObject({ context: { mode: 'EXTERNAL' } });
    const { status, body } = await store(payment, { testMode: 'EXTERNAL' });
    expect([status, body.result.code]).toEqual([400, '700.100.600']);
    expect(edge.registrations[1]?.data).toMatchObject({ rejection: '700.100.600' });
    expect(JSON.stringify(edge.registrations[1])).not.toContain('vault-0.1');
  });

  it('stores what was stored before, where it was made with that', async () => {
    edge.script.registered = (query) => registered(query);
    await store({ ...payment, parameters: { registrationId: REGISTRATION_ID } });
    expect(edge.registrations[0]?.data).toMatchObject({
      instrument: { vaultReference: `kept.${REGISTRATION_ID}` },
    });
  });

  const { vaultReference: _, ...unheld } = payment.instrument as { vaultReference: string };
  it.each([
    ['is forgotten', { instrument: unheld }, '100.150.206', 'createRegistration=true'],
    ['failed', { status: 'declined' }, '100.150.203', 'the payment failed'],
    [
      'is an account at a provider',
      { instrument: { kind: 'virtualAccount', brand: 'PAYPAL' } },
      ...(['600.200.500', 'cannot be stored'] as const),
    ],
    [
      'was deleted since',
      { parameters: { registrationId: REGISTRATION_ID } },
      ...(['100.150.206', 'createRegistration=true'] as const),
    ],
  ])(
    'is refused and recorded where what it was made with %s',
    async (_name, changes, code, why) => {
      const { status, body } = await store({ ...payment, ...changes } as PaymentToStore);
      expect([status, body.result.code]).toEqual([400, code]);
      expect(body.result.description).toContain(why);
      expect(edge.registrations[0]?.data).toMatchObject({ rejection: code });
      expect(JSON.stringify(edge.registrations)).not.toContain('vault-0.1');
    },
  );

  it('knows no payment that is not there', async () => {
    edge.script.paid = () => undefined;
    const target = `${edge.url}/v1/payments/${PAYMENT_ID}`;
    const { status, body } = await post(target, { entityId, paymentType: 'RG' });
    expect([status, body.result.code]).toEqual([404, '700.400.580']);
    expect(edge.registrations).toEqual([]);
  });
});
