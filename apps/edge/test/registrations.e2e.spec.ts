import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RegistrationReply } from '@sluice/contracts';
import { chainShard, isTransactionId, type TransactionId } from '@sluice/identifiers';
import { bearer, call, type Parameters, post } from './http-client.js';
import {
  entityId,
  merchantEntityId,
  personalOf,
  registered,
  registering,
  ScriptedEdge,
} from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const ID = '019b7d5f2c3a77c5bdcadf51af2041ca' as TransactionId;
const card: Parameters = {
  ...{ entityId, paymentBrand: 'VISA', 'card.number': '4200000000000000' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const money = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;

const store = (parameters: Parameters = card) => post(`${edge.url}/v1/registrations`, parameters);
const one = (method: string, path = '') =>
  call(`${edge.url}/v1/registrations/${ID}${path}?entityId=${entityId}`, {
    ...{ headers: bearer, method },
  });
const pay = (parameters: Parameters = money, id: string = ID) =>
  post(`${edge.url}/v1/registrations/${id}/payments`, parameters);

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
    ['DELETE', '', 'deletion'],
    ['POST', '/extendlife', 'extension'],
  ] as const)('%s%s asks registrations for the %s', async (method, path, operation) => {
    const { status, body } = await one(method, path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ referencedId: ID, result: { code: '000.100.110' } });
    expect(edge.registrations[0]?.data).toMatchObject({ registrationId: ID, operation });
    expect(edge.registrations[0]?.data.transactionId).toBe(body.id);
  });

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

  it('says that a second deletion is done already', async () => {
    edge.script.register = registering({ status: 'rejected', resultCode: '100.350.101' });
    const { status, body } = await one('DELETE');
    expect([status, body.result.code]).toEqual([400, '100.350.101']);
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

describe('a payment by registration', () => {
  beforeEach(() => {
    edge.script.registered = registered;
  });

  it('is made with the card that was stored, without holding it again', async () => {
    const { status, body } = await pay();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ registrationId: ID, paymentBrand: 'VISA', amount: '92.00', paymentType: 'DB' },
      card: { last4Digits: '0000', holder: 'Jane Jones', expiryYear: '2034' },
    });
    expect(edge.held).toEqual([]);
    expect(edge.command.data).toMatchObject({
      instrument: { kind: 'card', vaultReference: `kept.${ID}` },
      parameters: { registrationId: ID },
    });
    expect(personalOf(edge.command)).toEqual({ 'card.holder': 'Jane Jones' });
  });

  it('is the same with the id as a parameter', async () => {
    const { body } = await post(`${edge.url}/v1/payments`, { ...money, registrationId: ID });
    expect(body).toMatchObject({ registrationId: ID, card: { last4Digits: '0000' } });
  });

  it.each(['PA', 'DB', 'CD'])(
    'is the same for %s to its id among payments',
    async (paymentType) => {
      const target = `${edge.url}/v1/payments/${ID}`;
      const { status, body } = await post(target, { ...money, paymentType });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        registrationId: ID,
        paymentType,
        card: { last4Digits: '0000' },
      });
      expect(body).not.toHaveProperty('referencedId');
      expect(edge.command).toMatchObject({
        type: 'InitiatePayment',
        data: { parameters: { registrationId: ID } },
      });
    },
  );

  it('is none for what refers to a transaction', async () => {
    edge.script.registered = () => {
      throw new Error('nobody asks for a registration');
    };
    const target = `${edge.url}/v1/payments/${ID}`;
    const practice = { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' };
    for (const more of [{ paymentType: 'RF' }, { paymentType: 'PA', ...practice }]) {
      expect((await post(target, { ...money, ...more })).body.referencedId).toBe(ID);
    }
  });

  it('is refused like any wrong type where the id is no registration', async () => {
    edge.script.registered = () => undefined;
    const { status, body } = await post(`${edge.url}/v1/payments/${ID}`, money);
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors?.[0]).toMatchObject({ name: 'paymentType' });
  });

  it('has a security code held beside what is kept', async () => {
    expect((await pay({ ...money, 'card.cvv': '123' })).status).toBe(200);
    expect(edge.held).toMatchObject([{ kind: 'card', kept: `kept.${ID}` }]);
    expect(edge.command.data).toMatchObject({ instrument: { vaultReference: 'reference-1' } });
  });

  it.each([
    ['the one that was stored', {}, { 'card.holder': 'Jane Jones' }, 'Jane Jones'],
    ['the one that is sent, where none was stored and it is to override', {}, {}, 'Jim Jones'],
    ['nobody, where it is not to', { overrideHolder: 'false' }, {}, undefined],
  ] as const)('has as holder %s', async (_, sent, personal, holder) => {
    edge.script.registered = (query) => registered(query, { personal });
    const { body } = await pay({
      ...{ ...money, 'card.holder': 'Jim Jones', overrideHolder: 'true', ...sent },
    });
    expect((body['card'] as Record<string, unknown>)['holder']).toBe(holder);
  });

  it.each([
    ['that is not there', () => undefined, '100.150.200'],
    ['that was deleted', 'ended', '100.150.203'],
    ['that was refused', 'never', '100.150.203'],
    ['that is still being stored', 'requested', '100.150.201'],
  ] as const)('%s is refused and recorded', async (_, state, code) => {
    edge.script.registered = (query) =>
      typeof state === 'string' ? registered(query, { state }) : undefined;
    const { status, body } = await pay();
    expect([status, body.result.code]).toEqual([400, code]);
    expect(edge.command.data).toMatchObject({
      rejection: code,
      instrument: { kind: 'registration' },
    });
    expect(body).not.toHaveProperty('card');
    expect(JSON.stringify(edge.command)).not.toContain('kept.');
  });

  it.each([
    ['whose card has expired', { expiryYear: '2025' }, {}, '100.100.303'],
    ['of another brand than is sent', {}, { paymentBrand: 'MASTER' }, '100.100.700'],
    ['with a security code of another length', {}, { 'card.cvv': '1234' }, '100.100.601'],
  ])('%s is refused', async (_, stored, sent, code) => {
    edge.script.registered = (query) => {
      const { instrument, ...view } = registered(query);
      return { ...view, instrument: { ...instrument, ...stored } } as typeof view;
    };
    const { status, body } = await pay({ ...money, ...sent });
    expect([status, body.result.code]).toEqual([400, code]);
    expect(edge.held).toEqual([]);
  });

  it('tells payments of the account that is kept, and of the payment that it was stored with', async () => {
    const paymentId = '019b7d5f2c3a77c5bdcadf51af2041cb' as TransactionId;
    edge.script.registered = (query) =>
      registered(query, { accountFingerprint: 'account-of-card', paymentId });
    const { text } = await pay();
    const known = { accountFingerprint: 'account-of-card', storedByPaymentId: paymentId };
    expect(edge.command.data).toMatchObject(known);
    expect([text, ...edge.logged].join('')).not.toContain('account-of-card');
  });

  it('tells payments what was agreed when it was stored, and is where its payments are', async () => {
    const terms = { 'standingInstruction.numberOfInstallments': '2' };
    const parameters = { 'standingInstruction.mode': 'INITIAL', ...terms };
    edge.script.registered = (query) => registered(query, { parameters });
    await pay();
    expect(edge.command.data).toMatchObject({ storedTerms: terms });
    const { registrationId = '', ...kept } = edge.command.data.parameters;
    expect(kept).not.toMatchObject(terms);
    const { transactionId } = edge.command.data;
    expect(chainShard(transactionId)).toBe(chainShard(registrationId as TransactionId));
  });

  it('is where its payments are under a name of the merchant’s own, too', async () => {
    const later = {
      type: 'RECURRING',
      mode: 'REPEATED',
      source: 'MIT',
      agreementId: 'contract-17',
    };
    const said = Object.entries(later).map(([name, value]) => [
      `standingInstruction.${name}`,
      value,
    ]);
    const mine = Object.fromEntries(said) as Parameters;
    await pay({ ...money, ...mine });
    const { transactionId, parameters } = edge.command.data;
    expect(parameters).toMatchObject(mine);
    expect(chainShard(transactionId)).toBe(
      chainShard(parameters['registrationId'] as TransactionId),
    );
  });

  it.each(['card.cvv', 'card.holder'])('with a bank account has no %s', async (name) => {
    const instrument = {
      kind: 'bankAccount',
      paymentMethod: 'DD',
      vaultReference: 'kept.1',
    } as const;
    edge.script.registered = (query) => registered(query, { instrument });
    const value = name === 'card.cvv' ? '123' : 'Jane Jones';
    const { status, body } = await pay({ ...money, [name]: value });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors?.[0]).toMatchObject({ name });
    expect([edge.held, edge.commands]).toEqual([[], []]);
    expect((await pay()).status).toBe(200);
  });

  it.each([
    ['bankAccount.iban', 'DE23100000001234567890'],
    ['virtualAccount.accountId', 'jane@example.com'],
    ['tokenAccount.number', '4200000000000000'],
    ['applePay.paymentToken', '{}'],
    ['card.expiryYear', '2035'],
    ['card.expiryMonth', '06'],
  ])('with a card is made with no other account: %s is refused', async (name, value) => {
    for (const target of [`registrations/${ID}/payments`, `payments/${ID}`]) {
      const { status, body } = await post(`${edge.url}/v1/${target}`, { ...money, [name]: value });
      expect([status, body.result.code]).toEqual([400, '200.300.404']);
      expect(body.result.parameterErrors).toMatchObject([{ name }]);
    }
    expect([edge.held, edge.commands]).toEqual([[], []]);
  });

  it('may repeat what is stored', async () => {
    const repeated = { 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
    expect((await pay({ ...money, ...repeated })).status).toBe(200);
  });

  it.each([
    ['bankAccount.iban', 'DE23100000001234567890', 400],
    ['bankAccount.mandate.id', 'MANDATE-TWO', 400],
    ['bankAccount.mandate.id', 'MANDATE-ONE', 200],
  ])('with a bank account is made with it and its mandate: %s=%s', async (name, value, wanted) => {
    const instrument = {
      kind: 'bankAccount',
      paymentMethod: 'DD',
      vaultReference: 'kept.1',
    } as const;
    const personal = { 'bankAccount.mandate.id': 'MANDATE-ONE' };
    edge.script.registered = (query) => registered(query, { instrument, personal });
    const { status } = await pay({ ...money, [name]: value });
    expect(status).toBe(wanted);
  });

  it('is made with one account, which the path names', async () => {
    const beside = await pay({ ...money, ...card });
    expect([beside.status, beside.body.result.code]).toEqual([400, '200.300.404']);
    const other = await pay({ ...money, registrationId: ID.replace('0', 'f') });
    expect(other.body.result.parameterErrors?.[0]).toMatchObject({ name: 'registrationId' });
    const reference = await pay({ ...money, referenceUuid: ID, paymentType: 'PA' });
    expect(reference.status).toBe(400);
    expect(edge.commands).toEqual([]);
  });
});
