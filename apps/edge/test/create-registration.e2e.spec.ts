import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  RegistrationCommandMessage,
  RegistrationOutcome,
  RegistrationReply,
} from '@sluice/contracts';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import { bearer, debit, type Parameters, post } from './http-client.js';
import {
  entityId,
  merchantEntityId,
  personalOf,
  registered,
  replying,
  type Script,
  ScriptedEdge,
} from './scripted-edge.js';
import { registering } from './scripted-registrations.js';

const APPROVED = '000.100.110';
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
  const key = { 'Idempotency-Key': 'order-4711' };
  type Claim = NonNullable<RegistrationCommandMessage['data']['idempotency']>;

  /** Registrations answering that the key is taken, by a first request whose registration stands so. */
  const taken =
    (claim: Claim, outcome: Partial<RegistrationOutcome> = {}): Script['register'] =>
    () => {
      const { fingerprint, answer } = claim;
      const first: RegistrationOutcome = {
        ...{ id: answer.id, operation: 'registration', status: 'awaitsPayment' },
        ...{ resultCode: '000.200.000', ...outcome },
      };
      const reply = { kind: 'keyTaken', fingerprint, answer, outcome: first } as const;
      return { kind: 'replied', reply };
    };

  /** What the first request stored, and what it claimed. */
  async function paidOnce() {
    const first = await pay({}, key);
    const claim = edge.registrations[0]!.data.idempotency!;
    return { first, claim, registrationId: first.body['registrationId'] };
  }

  it('has one registration, which is stored under a key of its own', async () => {
    const { claim, registrationId } = await paidOnce();
    const ofPayment = edge.command.data.idempotency;
    expect(claim.answer.id).toBe(registrationId);
    expect(claim.fingerprint).toBe(ofPayment?.fingerprint);
    expect(claim.key).toMatch(/^[0-9a-f]{64}$/);
    expect(claim.key).not.toBe(ofPayment?.key);
    await pay({}, key);
    await pay({}, { 'Idempotency-Key': 'order-4712' });
    await pay();
    const keys = edge.registrations.map(({ data }) => data.idempotency?.key);
    expect(keys[1]).toBe(claim.key);
    expect(keys[2]).not.toBe(claim.key);
    expect(keys[3]).toBeUndefined();
  });

  it('names the registration of the first one', async () => {
    const { first, claim: ofRegistration } = await paidOnce();
    const claim = edge.command.data.idempotency;
    expect(claim?.answer).toEqual({
      ...{ id: first.body.id, registrationId: first.body['registrationId'] },
      ...{ ndc: first.body.ndc, timestamp: first.body.timestamp },
      buildNumber: first.body.buildNumber,
    });
    edge.script.register = taken(ofRegistration, { status: 'approved', resultCode: APPROVED });
    edge.script.reply = ({ data }) => {
      const { fingerprint, answer } = claim!;
      expect(data.idempotency?.fingerprint).toBe(fingerprint);
      const made = { operation: 'debit', status: 'approved', resultCode: APPROVED } as const;
      const outcome = { id: answer.id, ...made, amount: data.amount! };
      return { kind: 'replied', reply: { kind: 'keyTaken', fingerprint, answer, outcome } };
    };
    const { body } = await pay({}, key);
    expect(body['registrationId']).toBe(first.body['registrationId']);
    expect(body.id).toBe(first.body.id);
    expect(edge.forgotten).toEqual(['reference-2']);
  });

  it('is made with what the first one stored, where that one was never made', async () => {
    const { claim, registrationId } = await paidOnce();
    edge.script.register = taken(claim);
    const { status, body } = await pay({}, key);
    expect([status, body.result.code]).toEqual([200, APPROVED]);
    expect(body['registrationId']).toBe(registrationId);
    expect(edge.command.data.idempotency?.answer).toMatchObject({ id: body.id, registrationId });
    expect(edge.command.data).toMatchObject({
      ...{ parameters: { registrationId }, instrument: { vaultReference: 'reference-2' } },
    });
    expect(edge.forgotten).toEqual([]);
  });

  it('names the one that the account had before the first one', async () => {
    const { claim } = await paidOnce();
    const existingId = '019b7d5f2c3a77c5bdcadf51af2041cb' as TransactionId;
    edge.script.register = taken(claim, { existingId });
    expect((await pay({}, key)).body['registrationId']).toBe(existingId);
  });

  it('is left to payments where what the first one stored is over', async () => {
    const { claim } = await paidOnce();
    edge.script.register = taken(claim, { status: 'rejected', resultCode: '800.100.152' });
    await pay({}, key);
    expect(edge.commands).toHaveLength(2);
  });

  it('stores and charges nothing where it is another card', async () => {
    const { claim } = await paidOnce();
    edge.script.register = taken({ ...claim, fingerprint: 'of another card' });
    const { status, body } = await pay({}, key);
    expect([status, body.result.code]).toEqual([400, '200.300.405']);
    expect(edge.commands).toHaveLength(1);
    expect(edge.forgotten).toEqual(['reference-2']);
  });

  it('charges nothing while what the first one stores is not kept yet', async () => {
    const { claim } = await paidOnce();
    edge.script.register = taken(claim, { status: 'requested' });
    const { status, body } = await pay({}, key);
    expect([status, body.result.code]).toEqual([503, '800.800.800']);
    expect(edge.commands).toHaveLength(1);
    expect(edge.forgotten).toEqual(['reference-2']);
  });
});
