import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentToStore, RegistrationQuery, RegistrationView } from '@sluice/contracts';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import { bearer, call, type Parameters, post } from './http-client.js';
import { entityId, personalOf, registered, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const ID = '019b7d5f2c3a77c5bdcadf51af2041ca' as TransactionId;
const PAYMENT_ID = '019b7d5f2c3a77c5bdcadf51af2041cb' as TransactionId;
const ACCOUNT = 'jane.jones@example.org';
const money = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;
const account = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': ACCOUNT } as const;
const shopperResultUrl = 'https://shop.example/result';
const BY_MERCHANT = { 'standingInstruction.source': 'MIT' } as const;
const FIRST = { 'standingInstruction.initialTransactionId': '4711' } as const;

/** An account at a provider that was stored, as registrations answers it. */
function storedAccount(query: RegistrationQuery): RegistrationView {
  const vaultReference = `kept.${query.registrationId}`;
  const instrument = { kind: 'virtualAccount', brand: 'PAYPAL', vaultReference } as const;
  return registered(query, { instrument, personal: {} });
}

const payNew = (more: Parameters = {}) =>
  post(`${edge.url}/v1/payments`, { ...money, ...account, ...more });
const payStored = (more: Parameters = {}) =>
  post(`${edge.url}/v1/registrations/${ID}/payments`, { ...money, ...more });

describe('an account at a provider', () => {
  it('goes to the vault, and stands in no command and no answer', async () => {
    const { status, text } = await payNew({ shopperResultUrl });
    expect(status).toBe(200);
    expect(edge.held).toMatchObject([{ kind: 'virtualAccount' }]);
    expect(edge.held[0]?.details['virtualAccount.accountId']?.reveal()).toBe(ACCOUNT);
    expect(edge.command.data).toMatchObject({
      instrument: { kind: 'virtualAccount', brand: 'PAYPAL', vaultReference: 'reference-1' },
      returnUrl: expect.stringContaining('/redirects/'),
    });
    expect(personalOf(edge.command)).toEqual({ shopperResultUrl });
    expect(JSON.stringify(edge.command) + text).not.toContain('jane');
  });

  it('is stored by itself, without the shopper', async () => {
    const { status, body, text } = await post(`${edge.url}/v1/registrations`, {
      ...{ entityId, ...account },
    });
    expect(status).toBe(200);
    expect(isTransactionId(body.id)).toBe(true);
    expect(body).toMatchObject({ paymentBrand: 'PAYPAL', result: { code: '000.100.110' } });
    expect(edge.registrations[0]?.data).toMatchObject({
      instrument: { kind: 'virtualAccount', brand: 'PAYPAL', vaultReference: 'reference-1' },
    });
    expect(JSON.stringify(edge.registrations) + text).not.toContain('jane');
  });

  it('is stored with its payment, for which the shopper is asked', async () => {
    const { body } = await payNew({ shopperResultUrl, createRegistration: 'true' });
    expect(edge.registrations[0]?.data).toMatchObject({
      ...{ transactionId: body['registrationId'], paymentId: body.id },
      instrument: { kind: 'virtualAccount', vaultReference: 'reference-1' },
    });
    expect(edge.command.data).toHaveProperty('returnUrl');
  });

  it.each([
    ['by itself', '/v1/registrations', { entityId }],
    ['with a payment', '/v1/payments', { ...money, shopperResultUrl, createRegistration: 'true' }],
  ])('cannot be stored %s where nobody names it', async (_, path, sent) => {
    const { status, body } = await post(`${edge.url}${path}`, { ...sent, paymentBrand: 'PAYPAL' });
    expect([status, body.result.code]).toEqual([400, '600.200.500']);
    expect(body.result.description).toContain(
      'storing what is paid by virtual account needs virtualAccount.accountId',
    );
    expect(edge.held).toEqual([]);
  });

  it('pays without the shopper what the merchant initiates', async () => {
    const { status } = await payNew({ ...BY_MERCHANT, ...FIRST });
    expect(status).toBe(200);
    expect(edge.command.data).not.toHaveProperty('returnUrl');
  });
});

describe('an account at a provider that was stored', () => {
  beforeEach(() => {
    edge.script.registered = storedAccount;
  });

  it('is read by its brand, and the account is told to nobody', async () => {
    const url = `${edge.url}/v1/registrations/${ID}?entityId=${entityId}`;
    const { status, body, text } = await call(url, { headers: bearer });
    expect([status, body['paymentBrand'], body.result.code]).toEqual([
      ...[200, 'PAYPAL', '000.100.110'],
    ]);
    expect(text).not.toMatch(/kept\.|jane/);
  });

  it.each([
    ['nobody says who initiates', {}],
    ['the shopper initiates', { 'standingInstruction.source': 'CIT' }],
    ['it is the first of an agreement', { recurringType: 'INITIAL' }],
  ])('asks the shopper at the provider where %s', async (_, said) => {
    const { body } = await payStored({ ...said, shopperResultUrl });
    expect(edge.command.data).toMatchObject({
      instrument: { kind: 'virtualAccount', vaultReference: `kept.${ID}` },
      returnUrl: `${edge.url}/redirects/${body.id}/return`,
    });
    expect(edge.held).toEqual([]);
    const refused = await payStored(said);
    expect([refused.status, refused.body.result.code]).toEqual([400, '200.300.404']);
    expect(refused.body.result.parameterErrors).toMatchObject([{ name: 'shopperResultUrl' }]);
    expect(edge.commands).toHaveLength(1);
  });

  it.each([
    ['the merchant initiates', BY_MERCHANT],
    ['the merchant initiates in the legacy word', { recurringType: 'REPEATED' }],
    [
      'the merchant initiates and says where the shopper would go',
      {
        ...{ ...BY_MERCHANT, shopperResultUrl },
      },
    ],
    ['it is paid out', { paymentType: 'CD' }],
  ])('asks nobody where %s', async (_, said) => {
    expect((await payStored(said)).status).toBe(200);
    expect(edge.command.data).toMatchObject({ instrument: { vaultReference: `kept.${ID}` } });
    expect(edge.command.data).not.toHaveProperty('returnUrl');
  });

  it.each([
    ['of another brand than is sent', { paymentBrand: 'KLARNA_ACCOUNT' }, '100.100.700'],
    ['beside a card', { 'card.cvv': '123' }, '200.300.404'],
  ])('%s is refused', async (_, sent, code) => {
    const { status, body } = await payStored({ ...BY_MERCHANT, ...sent });
    expect([status, body.result.code]).toEqual([400, code]);
    expect(edge.held).toEqual([]);
  });
});

describe('RG on a payment at a provider or bank', () => {
  const store = (paid: Partial<PaymentToStore>) => {
    const payment = {
      ...({ id: PAYMENT_ID, status: 'approved', mode: 'INTERNAL' } as const),
      ...{ parameters: {}, personal: {} },
    };
    edge.script.paid = () => ({ ...payment, ...paid }) as PaymentToStore;
    return post(`${edge.url}/v1/payments/${PAYMENT_ID}`, { entityId, paymentType: 'RG' });
  };
  const vaultReference = 'vault-0.1';

  it('stores what was stored before', async () => {
    edge.script.registered = storedAccount;
    const instrument = { kind: 'virtualAccount', brand: 'PAYPAL' } as const;
    await store({ instrument, parameters: { registrationId: ID } });
    expect(edge.registrations[0]?.data).toMatchObject({
      instrument: { kind: 'virtualAccount', vaultReference: `kept.${ID}` },
    });
  });

  it.each([
    { kind: 'virtualAccount', brand: 'PAYPAL', vaultReference } as const,
    { kind: 'bankAccount', brand: 'GIROPAY', paymentMethod: 'OT', vaultReference } as const,
  ])('is refused and recorded for %j', async (instrument) => {
    const { status, body } = await store({ instrument });
    expect([status, body.result.code]).toEqual([400, '600.200.500']);
    expect(edge.registrations[0]?.data).toMatchObject({ rejection: '600.200.500' });
    expect(JSON.stringify(edge.registrations)).not.toContain(vaultReference);
  });
});
