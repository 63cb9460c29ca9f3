import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RegistrationReply } from '@sluice/contracts';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import { bearer, debit, type Parameters, post } from './http-client.js';
import {
  entityId,
  merchantEntityId,
  personalOf,
  registered,
  registering,
  replying,
  ScriptedEdge,
} from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const pay = (more: Parameters = {}, headers: Readonly<Record<string, string>> = {}) =>
  post(
    `${edge.url}/v1/payments`,
    { ...debit, createRegistration: 'true', 'card.holder': 'Jane Jones', ...more },
    { ...bearer, ...headers },
  );

describe('a payment with createRegistration', () => {
  it('stores the card before it is made, and answers both ids', async () => {
    const { status, body } = await pay({ 'customParameters[shelf]': 'A7' });
    expect(status).toBe(200);
    const { registrationId } = body;
    expect(isTransactionId(String(registrationId))).toBe(true);
    expect(registrationId).not.toBe(body.id);
    const [command] = edge.registrations;
    expect(command?.data).toMatchObject({
      ...{ transactionId: registrationId, paymentId: body.id, merchantId: merchantEntityId },
      instrument: { kind: 'card', vaultReference: 'reference-1', last4: '0000' },
      context: { entityId, mode: 'INTERNAL' },
    });
    expect(command && personalOf(command)).toEqual({
      ...{ 'card.holder': 'Jane Jones', 'customParameters[shelf]': 'A7' },
    });
    expect(command?.data).not.toHaveProperty('amount');
    expect(edge.command.data.parameters).toMatchObject({
      createRegistration: 'true',
      registrationId,
    });
    expect(edge.command.data).toMatchObject({ instrument: { vaultReference: 'reference-1' } });
    expect(edge.forgotten).toEqual([]);
  });

  it.each(['pending', 'unknown', 'requested'] as const)(
    'names the registration while it is %s',
    async (status) => {
      edge.script.reply = replying({ status, resultCode: '000.200.000' });
      expect((await pay()).body).toHaveProperty('registrationId');
    },
  );

  it.each(['declined', 'notPerformed', 'reversedAfterUnknown'] as const)(
    'names none when it was %s',
    async (status) => {
      edge.script.reply = replying({ status, resultCode: '800.100.152' });
      expect((await pay()).body).not.toHaveProperty('registrationId');
      expect(edge.registrations).toHaveLength(1);
    },
  );

  it.each([
    ['a wrong number', { 'card.number': '4200000000000001' }],
    ['an amount of nothing', { amount: '0.00' }],
    ['a gift card beside it', { 'giftCard.pin': '1234' }],
    ['an unknown brand', { paymentBrand: 'BOOKCARD' }],
    ['another method', { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane' }],
  ])('stores nothing where it is refused: %s', async (_, wrong) => {
    const { status, body } = await pay(wrong);
    expect(status).toBe(400);
    expect(body).not.toHaveProperty('registrationId');
    expect(edge.registrations).toEqual([]);
  });

  it.each(['false', ''])('stores nothing where that is %j', async (createRegistration) => {
    const { status, body } = await pay({ createRegistration });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('registrationId');
    expect(edge.registrations).toEqual([]);
  });

  it('that is made with what is stored names this one, and stores nothing again', async () => {
    const registrationId = '019b7d5f2c3a77c5bdcadf51af2041ca';
    const { 'card.number': _number, ...rest } = debit;
    edge.script.registered = (query) => registered(query);
    const money = { ...rest, createRegistration: 'true', registrationId };
    const paid = await post(`${edge.url}/v1/payments`, money);
    expect(paid.body).toMatchObject({ registrationId, result: { code: '000.100.110' } });
    expect(edge.registrations).toEqual([]);
    edge.script.reply = replying({ status: 'declined', resultCode: '800.100.152' });
    const declined = await post(`${edge.url}/v1/payments`, money);
    expect(declined.body).toMatchObject({ registrationId, result: { code: '800.100.152' } });
  });
});

describe('a card that is stored already', () => {
  const existingId = '019b7d5f2c3a77c5bdcadf51af2041cb' as TransactionId;

  it('is not asked for where no node of the tree says so', async () => {
    await pay();
    expect(edge.registrations[0]?.data).not.toHaveProperty('mayBeExisting');
  });

  it('is named in place of a new one, in the payment as in its answer', async () => {
    edge.script.register = registering({ existingId });
    const { body } = await pay();
    expect(body['registrationId']).toBe(existingId);
    expect(edge.command.data.parameters).toHaveProperty('registrationId', existingId);
  });
});

describe('a card that cannot be stored now', () => {
  const replied = (reply: RegistrationReply) => () => ({ kind: 'replied', reply }) as const;

  it.each([
    ['the vault is away', registering({ status: 'requested', resultCode: '000.200.000' })],
    ['the vault has lost it', registering({ status: 'notPerformed', resultCode: '900.100.310' })],
    ['the database is away', replied({ kind: 'unavailable' })],
    ['nobody replies', () => ({ kind: 'unanswered' }) as const],
    ['it is given up', () => ({ kind: 'failed' }) as const],
    ['nothing is known', () => ({ kind: 'uncertain' }) as const],
    ['Kafka is away', () => ({ kind: 'notSent', reason: 'unavailable' }) as const],
  ])('charges nothing: %s', async (_, register) => {
    edge.script.register = register;
    const { status, body } = await pay();
    expect([status, body.result.code]).toEqual([503, '800.800.800']);
    expect(edge.commands).toEqual([]);
  });

  it('is worth another try where registrations is busy', async () => {
    edge.script.register = replied({ kind: 'busy' });
    const { status, body } = await pay();
    expect([status, body.result.code]).toEqual([400, '800.600.100']);
    expect(edge.commands).toEqual([]);
    expect(edge.forgotten).toEqual(['reference-1']);
  });
});

describe('a repetition under its key', () => {
  it('names the registration of the first one', async () => {
    const key = { 'Idempotency-Key': 'order-4711' };
    const first = await pay({}, key);
    const claim = edge.command.data.idempotency;
    expect(claim?.answer).toEqual({
      ...{ id: first.body.id, registrationId: first.body['registrationId'] },
      ...{ ndc: first.body.ndc, timestamp: first.body.timestamp },
      buildNumber: first.body.buildNumber,
    });
    edge.script.reply = ({ data }) => {
      const { fingerprint, answer } = claim!;
      expect(data.idempotency?.fingerprint).toBe(fingerprint);
      const made = { operation: 'debit', status: 'approved', resultCode: '000.100.110' } as const;
      const outcome = { id: answer.id, ...made, amount: data.amount! };
      return { kind: 'replied', reply: { kind: 'keyTaken', fingerprint, answer, outcome } };
    };
    const again = await pay({}, key);
    expect(again.body['registrationId']).toBe(first.body['registrationId']);
    expect(again.body.id).toBe(first.body.id);
  });
});
