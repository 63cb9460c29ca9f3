import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CreateCheckout } from '@sluice/contracts';
import { newCheckoutId } from '@sluice/identifiers';
import { bearer, call, formText, type Parameters, post, type Received } from './http-client.js';
import { buildNumber, entityId, personalOf, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const money = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;
const UNKNOWN =
  'invalid or missing parameter - (opp) No payment session found for the requested id';

const create = (fields: Parameters = money, headers: Readonly<Record<string, string>> = {}) =>
  post(`${edge.url}/v1/checkouts`, fields, headers);
const read = (id: string, resource = 'payment', prefix = '/v1'): Promise<Received> =>
  call(`${edge.url}${prefix}/checkouts/${id}/${resource}?${formText({ entityId })}`, {
    headers: bearer,
  });
const namesOf = ({ body }: Received) => body.result.parameterErrors?.map(({ name }) => name);

/** The only command that was sent. */
function sent(): CreateCheckout {
  expect(edge.checkouts).toHaveLength(1);
  return edge.checkouts[0] as CreateCheckout;
}

describe('POST /v1/checkouts', () => {
  it('is answered with the id of a checkout, which is its ndc, too', async () => {
    const { status, body } = await create();
    const { checkoutId } = sent().data;
    // A version follows where the widget is built.
    expect(checkoutId).toMatch(/^[0-9A-F]{32}\.sluice(?:-[0-9a-f]{8})?$/);
    expect([status, body]).toEqual([
      200,
      {
        ...{ id: checkoutId, ndc: checkoutId, buildNumber, timestamp: '2026-01-02 10:20:30+0000' },
        result: { code: '000.200.100', description: 'successfully created checkout' },
      },
    ]);
  });

  it('sends what is to be paid, and what is personal sealed', async () => {
    const more = { merchantTransactionId: 'order-4711', 'customer.email': 'jane@example.org' };
    const name = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
    await create({ ...money, ...more, ...name });
    const { data, correlationId } = sent();
    const { amount, currency, paymentType } = money;
    expect(data).toMatchObject({
      purpose: 'payment',
      parameters: { amount, currency, paymentType, merchantTransactionId: 'order-4711' },
      context: { entityId, ndc: data.checkoutId, mode: 'INTERNAL' },
    });
    expect(correlationId).toBe(data.checkoutId);
    expect(JSON.stringify(data)).not.toContain('jane');
    expect(personalOf(sent())).toEqual({ 'customer.email': 'jane@example.org', ...name });
  });

  it('stores without a payment where only that is asked for', async () => {
    expect((await create({ entityId, createRegistration: 'true' })).status).toBe(200);
    expect(sent().data).toMatchObject({ purpose: 'registration', parameters: {} });
  });

  it('is refused with all that is wrong, and nothing is sent', async () => {
    const { status, body } = await create({ entityId, amount: '1' });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body).not.toHaveProperty('id');
    expect(edge.checkouts).toEqual([]);
  });

  it('is not made for a day that is over, which its shopper could do nothing about', async () => {
    const due = { transactionDueDate: '2025-12-31' };
    const { status, body } = await create({ ...money, ...due });
    expect([status, body.result.code]).toEqual([400, '100.500.301']);
    expect(body.result.description).toContain('transactionDueDate 2025-12-31 is over');
    expect(edge.checkouts).toEqual([]);
  });

  it('is made for installments of a payment, and of nothing else', async () => {
    const paidIn = (number: string, changes: object = {}) =>
      create({ ...money, ...changes, 'recurring.numberOfInstallments': number });
    const { status, body } = await paidIn('3', { paymentType: 'CD' });
    expect([status, body.result.code]).toEqual([400, '600.200.500']);
    expect(body.result.description).toContain('recurring.numberOfInstallments must be 0, 1 or');
    expect(edge.checkouts).toEqual([]);
    expect((await paidIn('0', { paymentType: 'CD' })).status).toBe(200);
    expect((await paidIn('3')).status).toBe(200);
    const parameters = { 'recurring.numberOfInstallments': '3' };
    expect(edge.checkouts.at(-1)?.data).toMatchObject({ parameters });
  });

  it('takes no account data', async () => {
    const card = { 'card.number': '4200000000000000', 'card.cvv': '123' };
    const refused = await create({ ...money, ...card });
    expect(namesOf(refused)?.toSorted()).toEqual(Object.keys(card).toSorted());
    expect(refused.text).not.toContain('4200000000000000');
    expect(edge.checkouts).toEqual([]);
    expect(edge.held).toEqual([]);
  });

  it('repeats its first answer under the same key, and refuses other input', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const first = await create(money, headers);
    const { idempotency } = sent().data;
    if (idempotency === undefined) throw new Error('no claim was sent');
    const { fingerprint, answer } = idempotency;
    edge.clock.advance(1_000);
    edge.script.checkOut = () => ({
      kind: 'replied',
      reply: { kind: 'keyTaken', fingerprint, answer },
    });
    expect((await create(money, headers)).text).toBe(first.text);
    const other = await create({ ...money, amount: '93.00' }, headers);
    expect(other.body.result.code).toBe('200.300.405');
  });

  it.each([
    ['busy', { kind: 'replied', reply: { kind: 'busy' } }, 400, '800.600.100'],
    ['unavailable', { kind: 'replied', reply: { kind: 'unavailable' } }, 503, '800.800.800'],
    ['unanswered', { kind: 'unanswered' }, 503, '800.800.800'],
    ['uncertain', { kind: 'uncertain' }, 503, '800.800.800'],
    ['given up', { kind: 'failed' }, 503, '800.800.800'],
  ] as const)('has no id where checkouts is %s', async (_what, result, httpStatus, code) => {
    edge.script.checkOut = () => result;
    const { status, body } = await create();
    expect([status, body.result.code]).toEqual([httpStatus, code]);
    expect(body).not.toHaveProperty('id');
  });
});

describe('the status of a checkout', () => {
  const id = (): string => newCheckoutId('sluice');

  it.each([
    ['payment', '/v1', 'payment'],
    ['payment', '', 'payment'],
    ['registration', '/v1', 'registration'],
    ['registration', '', 'registration'],
  ])('is pending at %s with prefix "%s", without an id', async (resource, prefix, purpose) => {
    const checkoutId = id();
    edge.script.checkout = (query) => {
      expect(query).toEqual({ checkoutId, entityId, purpose });
      return { status: 'pending' };
    };
    const { status, body } = await read(checkoutId, resource, prefix);
    expect([status, body]).toEqual([
      200,
      {
        ...{ ndc: checkoutId, buildNumber, timestamp: expect.any(String) },
        result: { code: '000.200.000', description: 'transaction pending' },
      },
    ]);
  });

  it.each(['0123', 'a'.repeat(49), `${'A'.repeat(32)}_x`, id()])(
    'of %s is refused in the words that clients look for',
    async (unknown) => {
      const { status, body } = await read(unknown);
      expect([status, body.result]).toEqual([400, { code: '200.300.404', description: UNKNOWN }]);
      expect(body.ndc).toMatch(new RegExp(`^${entityId}_[0-9a-f]{32}$`));
      expect(body).not.toHaveProperty('id');
    },
  );

  it('is read twice a minute, each checkout for itself', async () => {
    edge.script.checkout = () => ({ status: 'pending' });
    const [one, other] = [id(), id()];
    for (const _read of [1, 2]) expect((await read(one)).status).toBe(200);
    const third = await read(one, 'registration');
    expect([third.status, third.body.result.code]).toEqual([400, '800.120.100']);
    expect(third.body.id).toMatch(/^[0-9a-f]{32}$/);
    expect((await read(other)).status).toBe(200);
    edge.clock.advance(30_000);
    expect((await read(one)).status).toBe(200);
    expect((await read(one)).status).toBe(400);
  });
});

describe('a limit of none', () => {
  const unlimited = new ScriptedEdge();
  beforeAll(() => unlimited.start({ checkoutReadsPerMinute: 0, checkoutLabel: 'shop-1' }));
  afterAll(() => unlimited.close());

  it('lets every read pass, and ids end as they are told', async () => {
    unlimited.script.checkout = () => ({ status: 'pending' });
    const { body } = await post(`${unlimited.url}/v1/checkouts`, money);
    expect(body.id).toMatch(/^[0-9A-F]{32}\.shop-1(?:-[0-9a-f]{8})?$/);
    const target = `${unlimited.url}/v1/checkouts/${body.id}/payment?${formText({ entityId })}`;
    for (let reads = 0; reads < 5; reads += 1) {
      expect((await call(target, { headers: bearer })).status).toBe(200);
    }
  });
});
