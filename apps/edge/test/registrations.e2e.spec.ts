import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RegistrationReply } from '@sluice/contracts';
import { isTransactionId } from '@sluice/identifiers';
import { bearer, call, type Parameters, post } from './http-client.js';
import {
  entityId,
  merchantEntityId,
  personalOf,
  registered,
  ScriptedEdge,
} from './scripted-edge.js';
import { registering } from './scripted-registrations.js';
import { ID, card, money } from './stored-card.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const store = (parameters: Parameters = card) => post(`${edge.url}/v1/registrations`, parameters);
const one = (method: string, path = '') =>
  call(`${edge.url}/v1/registrations/${ID}${path}?entityId=${entityId}`, {
    ...{ headers: bearer, method },
  });

describe('POST /v1/registrations', () => {
  it('stores a card and answers its id, its brand and what may be shown of it', async () => {
    const { status, body } = await store({ ...card, 'customParameters[shelf]': 'A7' });
    expect(status).toBe(200);
    expect(isTransactionId(body.id)).toBe(true);
    expect(body).toMatchObject({
      ...{ paymentBrand: 'VISA', result: { code: '000.100.110' } },
      card: {
        ...{ bin: '420000', last4Digits: '0000', holder: 'Jane Jones' },
        ...{ expiryMonth: '05', expiryYear: '2034' },
      },
      customParameters: { shelf: 'A7' },
    });
    for (const field of ['amount', 'descriptor', 'paymentType'])
      expect(body).not.toHaveProperty(field);
    const [command] = edge.registrations;
    expect(command?.data).toMatchObject({
      ...{ transactionId: body.id, merchantId: merchantEntityId },
      instrument: { kind: 'card', vaultReference: 'reference-1', last4: '0000' },
      context: { entityId, mode: 'INTERNAL' },
    });
    expect(command && personalOf(command)).toEqual({
      ...{ 'card.holder': 'Jane Jones', 'customParameters[shelf]': 'A7' },
    });
    expect(JSON.stringify(command)).not.toMatch(/4200000000000000|Jane/);
    expect(edge.commands).toEqual([]);
    expect(edge.forgotten).toEqual(['reference-1']);
  });

  it('answers the type that it was sent', async () => {
    const { body } = await store({ ...card, paymentType: 'RG' });
    expect(body['paymentType']).toBe('RG');
    expect(body).not.toHaveProperty('referencedId');
  });

  it('asks for no security code, and gives one that is sent to nobody but the vault', async () => {
    expect((await store({ ...card, 'card.cvv': '123' })).status).toBe(200);
    expect(Object.keys(edge.held[0]?.inMemory ?? {})).toEqual(['card.cvv']);
    expect(JSON.stringify(edge.registrations)).not.toContain('card.cvv');
  });

  it.each([
    ['a wrong number', { 'card.number': '4200000000000001' }, '100.100.101'],
    ['an expired card', { 'card.expiryYear': '2025' }, '100.100.303'],
    ['a brand of another card', { paymentBrand: 'MASTER' }, '100.100.700'],
    ['a security code of another length', { 'card.cvv': '1234' }, '100.100.601'],
  ])('has %s recorded as refused, and holds nothing', async (_, wrong, code) => {
    const { status, body } = await store({ ...card, ...wrong });
    expect([status, body.result.code]).toEqual([400, code]);
    expect(edge.registrations[0]?.data).toMatchObject({ rejection: code });
    expect(edge.held).toEqual([]);
  });

  it('says what it does not store yet', async () => {
    const { status, body } = await store({
      ...{ entityId, paymentBrand: 'GIROPAY', 'bankAccount.country': 'DE' },
    });
    expect([status, body.result.code]).toEqual([400, '600.200.500']);
    expect(body.result.description).toMatch(
      /storing what is paid by order at the bank is not served/,
    );
  });

  it('stores one account', async () => {
    const { status, body } = await store({ ...card, 'bankAccount.iban': 'DE89370400440532013000' });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    const named = body.result.parameterErrors?.map(({ name }) => name);
    expect(named).toContain('bankAccount.iban');
    expect(edge.registrations).toEqual([]);
  });

  it('pays nothing, and takes nothing that would say so', async () => {
    const { status, body } = await store({ ...card, ...money });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    const names = body.result.parameterErrors?.map(({ name }) => name);
    expect(names).toEqual(['amount', 'currency', 'paymentType']);
    expect([edge.registrations, edge.held]).toEqual([[], []]);
  });

  it('demands a card', async () => {
    const { status, body } = await store({ entityId });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    const names = body.result.parameterErrors?.map(({ name }) => name);
    expect(names).toEqual(['card.number', 'card.expiryMonth', 'card.expiryYear']);
    expect(edge.registrations).toEqual([]);
  });

  it('is pending until the vault keeps the details, which stay held for it', async () => {
    edge.script.register = registering({ status: 'requested' });
    const { status, body } = await store();
    expect([status, body.result.code]).toEqual([200, '000.200.000']);
    expect(edge.forgotten).toEqual([]);
  });

  it.each([
    ['busy', 400, '800.600.100'],
    ['unavailable', 503, '800.800.800'],
  ] as const)('is refused while registrations is %s', async (kind, status, code) => {
    edge.script.register = () => ({ kind: 'replied', reply: { kind } });
    const refused = await store();
    expect([refused.status, refused.body.result.code]).toEqual([status, code]);
    expect(edge.forgotten).toEqual(['reference-1']);
  });

  it('gives the first answer again under the same key, and refuses other input', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const keyed = (parameters: Parameters) =>
      call(`${edge.url}/v1/registrations`, {
        ...{ method: 'POST', headers: { ...bearer, ...headers } },
        body: new URLSearchParams(parameters as Record<string, string>),
      });
    const first = await keyed(card);
    const claim = edge.registrations[0]?.data.idempotency;
    if (claim === undefined) throw new Error('no claim');
    const { fingerprint, answer } = claim;
    const outcome = { id: answer.id, operation: 'registration', status: 'approved' } as const;
    const taken: RegistrationReply = {
      ...{ kind: 'keyTaken', fingerprint, answer },
      outcome: { ...outcome, resultCode: '000.100.110' },
    };
    edge.script.register = () => ({ kind: 'replied', reply: taken });
    expect((await keyed(card)).body).toEqual(first.body);
    const other = await keyed({ ...card, 'card.holder': 'Jim Jones' });
    expect([other.status, other.body.result.code]).toEqual([400, '200.300.405']);
  });
});

describe('GET /v1/registrations/{id}', () => {
  it('answers what was stored', async () => {
    edge.script.registered = registered;
    const { status, body } = await one('GET');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ id: ID, paymentBrand: 'VISA', card: { holder: 'Jane Jones', last4Digits: '0000' } },
      result: { code: '000.100.110' },
    });
    expect(JSON.stringify(body)).not.toContain('kept.');
  });

  it.each([
    ['was never there', undefined],
    ['was deleted', 'ended'],
  ] as const)('refuses one that %s alike', async (_, state) => {
    edge.script.registered = (query) =>
      state === undefined ? undefined : registered(query, { state });
    const { status, body } = await one('GET');
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.description).toMatch(/no registration has this id/);
  });

  it('refuses what is no id', async () => {
    const { status, body } = await call(
      `${edge.url}/v1/registrations/nonsense?entityId=${entityId}`,
      { headers: bearer },
    );
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
  });
});

describe('DELETE /v1/registrations/{id} and POST …/extendlife', () => {
  it.each([
    ['DELETE', '', 'deletion', 'DR'],
    ['POST', '/extendlife', 'extension', 'TE'],
  ] as const)(
    '%s%s asks registrations for the %s',
    async (method, path, operation, paymentType) => {
      const { status, body } = await one(method, path);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        referencedId: ID,
        paymentType,
        result: { code: '000.100.110' },
      });
      expect(edge.registrations[0]?.data).toMatchObject({ registrationId: ID, operation });
      expect(edge.registrations[0]?.data.transactionId).toBe(body.id);
    },
  );

  it.each([
    ['paymentType', 'DB'],
    ['amount', '92.00'],
    ['currency', 'EUR'],
    ['merchantTransactionId', 'order-4711'],
  ])('extends by no more than is said nowhere: %s is refused', async (name, value) => {
    const target = `${edge.url}/v1/registrations/${ID}/extendlife`;
    const { status, body } = await post(target, { entityId, [name]: value });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
    expect(edge.registrations).toEqual([]);
    expect((await post(target, { entityId, paymentType: 'TE' })).status).toBe(200);
  });

  it.each([
    ['paymentType', 'RG'],
    ['amount', '92.00'],
    ['merchantTransactionId', 'order-4711'],
  ])('deletes by its id and nothing else: %s is refused', async (name, value) => {
    const remove = (parameters: Record<string, string>) => {
      const query = new URLSearchParams({ entityId, ...parameters }).toString();
      const headers = { headers: bearer, method: 'DELETE' };
      return call(`${edge.url}/v1/registrations/${ID}?${query}`, headers);
    };
    const { status, body } = await remove({ [name]: value });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
    expect(edge.registrations).toEqual([]);
    expect((await remove({ testMode: 'INTERNAL', paymentType: 'DR' })).status).toBe(200);
  });

  it('says that a second deletion is done already', async () => {
    edge.script.register = registering({ status: 'rejected', resultCode: '100.350.101' });
    const { status, body } = await one('DELETE');
    expect([status, body.result.code]).toEqual([400, '100.350.101']);
    expect(body).toMatchObject({ referencedId: ID, paymentType: 'DR' });
  });

  it('does not know what is not there, and no id that is none', async () => {
    edge.script.register = () => ({ kind: 'replied', reply: { kind: 'notFound' } });
    for (const id of [ID, 'nonsense']) {
      const { status, body } = await call(
        `${edge.url}/v1/registrations/${id}?entityId=${entityId}`,
        { headers: bearer, method: 'DELETE' },
      );
      expect([status, body.result.code]).toEqual([400, '100.150.200']);
    }
  });
});
