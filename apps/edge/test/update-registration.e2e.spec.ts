import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionId } from '@sluice/identifiers';
import { bearer, type Parameters, post } from './http-client.js';
import { entityId, personalOf, registered, ScriptedEdge } from './scripted-edge.js';
import { registering } from './scripted-registrations.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => {
  edge.reset();
  edge.script.registered = (query) => registered(query);
});

const ID = '019b7d5f2c3a77c5bdcadf51af2041ca' as TransactionId;
const expiry = { 'card.expiryMonth': '07', 'card.expiryYear': '2036' } as const;

const update = (
  parameters: Parameters = expiry,
  headers: Readonly<Record<string, string>> = {},
  id: string = ID,
) =>
  post(
    `${edge.url}/v1/registrations/${id}`,
    { entityId, ...parameters },
    { ...bearer, ...headers },
  );

describe('POST /v1/registrations/{id}', () => {
  it('changes the expiry and answers the registration as it is then', async () => {
    const { status, body } = await update({ ...expiry, merchantTransactionId: 'change-4711' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ id: ID, paymentType: 'RR', paymentBrand: 'VISA', result: { code: '000.100.110' } },
      ...{ merchantTransactionId: 'change-4711' },
      card: {
        ...{ last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '07', expiryYear: '2036' },
      },
    });
    expect(body).not.toHaveProperty('referencedId');
    const [command] = edge.registrations;
    expect(command).toMatchObject({
      type: 'UpdateRegistration',
      data: { registrationId: ID, expiry: { month: '07', year: '2036' } },
    });
    expect(JSON.stringify(body)).not.toContain('kept.');
  });

  it('changes the holder and the address, which the command has sealed', async () => {
    const address = { 'billing.city': 'Berlin', 'customer.givenName': 'Jane' };
    const { body } = await update({
      ...{ 'card.holder': 'Jane Doe', ...address, 'customer.surname': 'Doe', paymentType: 'RR' },
    });
    expect(body).toMatchObject({
      ...{ card: { holder: 'Jane Doe', expiryYear: '2034' }, billing: { city: 'Berlin' } },
    });
    const [command] = edge.registrations;
    expect(command && personalOf(command)).toMatchObject({ 'card.holder': 'Jane Doe' });
    expect(command?.data).not.toHaveProperty('expiry');
    expect(JSON.stringify(command)).not.toMatch(/Jane|Berlin/);
  });

  it.each([
    ['the number', { 'card.number': '4200000000000000' }, 'card.number'],
    ['the security code', { 'card.cvv': '123' }, 'card.cvv'],
    ['what was agreed', { 'standingInstruction.type': 'RECURRING' }, 'standingInstruction.type'],
    ['an amount', { amount: '1.00' }, 'amount'],
  ])('cannot change %s, and says so', async (_, more, name) => {
    const { status, body } = await update({ ...expiry, ...more });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors).toEqual([
      expect.objectContaining({ name, message: 'cannot be changed in a registration' }),
    ]);
    expect(edge.registrations).toEqual([]);
    expect(JSON.stringify(body)).not.toContain('4200000000000000');
  });

  it.each([
    ['half an expiry', { 'card.expiryMonth': '07' }, 'card.expiryYear'],
    ['nothing', {}, 'body'],
    ['nothing but a reference', { merchantTransactionId: 'change-4711' }, 'body'],
    ['another brand', { ...expiry, paymentBrand: 'MASTER' }, 'paymentBrand'],
    ['another account', { 'bankAccount.holder': 'Jane Doe' }, 'bankAccount.holder'],
    ['another type', { ...expiry, paymentType: 'RG' }, 'paymentType'],
  ])('refuses %s by name', async (_, sent, name) => {
    const { status, body } = await update(sent);
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors?.map((each) => each.name)).toEqual([name]);
    expect(edge.registrations).toEqual([]);
  });

  it('refuses an expiry that is over', async () => {
    const { status, body } = await update({ ...expiry, 'card.expiryYear': '2020' });
    expect([status, body.result.code]).toEqual([400, '100.100.303']);
    expect(edge.registrations).toEqual([]);
  });

  it('does not know what is not there, and no id that is none', async () => {
    edge.script.registered = () => undefined;
    for (const id of [ID, 'nonsense']) {
      const { status, body } = await update(expiry, {}, id);
      expect([status, body.result.code]).toEqual([400, '100.150.200']);
    }
  });

  it('shows nothing of what cannot be used, and its code', async () => {
    edge.script.registered = (query) => registered(query, { state: 'ended' });
    edge.script.register = registering({ status: 'rejected', resultCode: '100.350.101' });
    const { status, body } = await update({ ...expiry, 'card.holder': 'Jim Doe' });
    expect([status, body.result.code]).toEqual([400, '100.350.101']);
    expect(body).not.toHaveProperty('card');
  });

  it.each([
    ['of another mode', 'rejected', '700.100.600'],
    ['that the end of the registration overtook', 'notPerformed', '900.100.310'],
  ] as const)('that is refused, %s, shows what is stored', async (_, outcome, resultCode) => {
    edge.script.register = registering({ status: outcome, resultCode });
    const asked = { ...expiry, 'card.holder': 'Jim Doe', 'customer.email': 'jim@example.com' };
    const more = { 'customer.givenName': 'Jim', 'customer.surname': 'Doe' };
    const { status, body } = await update({
      ...{ ...asked, ...more, merchantTransactionId: 'change-4711' },
    });
    expect([status, body.id, body.result.code]).toEqual([400, ID, resultCode]);
    expect(body).toMatchObject({
      ...{ merchantTransactionId: 'change-4711', paymentType: 'RR' },
      card: { holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034', last4Digits: '0000' },
    });
    expect(JSON.stringify(body)).not.toMatch(/Jim|jim|2036/);
  });

  it('is pending while the vault has not changed it', async () => {
    edge.script.register = registering({ status: 'requested', resultCode: '000.200.000' });
    const { status, body } = await update();
    expect([status, body.id, body.result.code]).toEqual([200, ID, '000.200.000']);
  });

  it('knows another expiry under the same key as another request', async () => {
    const key = { 'Idempotency-Key': 'change-1' };
    await update(expiry, key);
    await update({ ...expiry, 'card.expiryYear': '2037' }, key);
    await update(expiry, key);
    const claims = edge.registrations.map(({ data }) => data.idempotency?.fingerprint);
    expect([claims[0] === claims[1], claims[0] === claims[2]]).toEqual([false, true]);
  });
});

describe('a change that comes again under its key', () => {
  it('was made, also after the registration was deleted, whose card is told no more', async () => {
    const key = { 'Idempotency-Key': 'change-2' };
    const asked = { ...expiry, merchantTransactionId: 'change-4711' };
    const first = await update(asked, key);
    const [command] = edge.registrations;
    const claim = command?.data.idempotency;
    if (claim === undefined) throw new Error('no claim');
    const done = { status: 'approved', resultCode: '000.100.110' } as const;
    edge.script.registered = (query) => registered(query, { state: 'ended' });
    edge.script.register = () => ({
      kind: 'replied',
      reply: {
        ...{ kind: 'keyTaken', ...claim },
        outcome: { id: claim.answer.id, referencedId: ID, operation: 'update', ...done },
      },
    });
    const again = await update(asked, key);
    const { card: _, paymentBrand: __, ...shown } = first.body;
    expect([again.status, again.body]).toEqual([200, shown]);
    const other = await update({ ...asked, 'card.expiryYear': '2037' }, key);
    expect([other.status, other.body.result.code]).toEqual([400, '200.300.405']);
  });
});

describe('a payment by a registration with a first payment from elsewhere', () => {
  const pay = (more: Parameters) =>
    post(`${edge.url}/v1/registrations/${ID}/payments`, {
      ...{ entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB', ...more },
    });

  it.each([
    ['MIT', { 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' }],
    ['the legacy REPEATED', { recurringType: 'REPEATED' }],
  ])('names that one with %s', async (_, sent) => {
    const parameters = { 'recurringMigration.connectorTxId1': '8819462043' };
    edge.script.registered = (query) => registered(query, { parameters });
    const { status, body } = await pay(sent);
    expect([status, body['standingInstruction']]).toMatchObject([
      ...[200, { source: 'MIT', initialTransactionId: '8819462043' }],
    ]);
    expect(edge.command.data.parameters).toMatchObject({
      'standingInstruction.initialTransactionId': '8819462043',
    });
  });
});
