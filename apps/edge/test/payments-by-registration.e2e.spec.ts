import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Instrument } from '@sluice/contracts';
import { chainShard, type TransactionId } from '@sluice/identifiers';
import { type Parameters, post } from './http-client.js';
import {
  entityId,
  outcomeOf,
  personalOf,
  registered,
  ScriptedEdge,
  viewOf,
} from './scripted-edge.js';
import { ID, card, money } from './stored-card.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const pay = (parameters: Parameters = money, id: string = ID) =>
  post(`${edge.url}/v1/registrations/${id}/payments`, parameters);

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

  const proof = {
    ...{ 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' },
    ...{ 'threeDSecure.version': '2.2.0' },
    'threeDSecure.dsTransactionId': 'c75f23af-9454-43f6-ba17-130ed529507e',
  };
  const saying = (eci: string, status: string) => ({
    ...{ ...money, ...proof, 'threeDSecure.eci': eci },
    'threeDSecure.authenticationStatus': status,
  });

  it.each(['02 Y', '01 Y', '06 Y', '05 A', '07 Y', '01 A'])(
    'is refused with a proof that the network of the card does not have: %s',
    async (said) => {
      const [eci = '', status = ''] = said.split(' ');
      for (const paymentBrand of [undefined, 'MASTER']) {
        const sent = { ...saying(eci, status), paymentBrand };
        const { status: answered, body } = await pay(sent);
        expect([answered, body.result]).toMatchObject([
          400,
          { code: '200.300.404', parameterErrors: [{ name: 'threeDSecure.eci' }] },
        ]);
      }
      expect(edge.commands).toEqual([]);
    },
  );

  it.each(['05 Y', '06 A'])('is made with a proof of its network: %s', async (said) => {
    const [eci = '', status = ''] = said.split(' ');
    expect((await pay(saying(eci, status))).status).toBe(200);
    expect(edge.command.data).toMatchObject({
      notAuthenticated: { kind: 'elsewhere', isProven: status === 'Y' },
    });
  });

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

  it.each(['/v1/registrations/{id}/payments', '/v1/payments'])(
    'is none by %s for more of an authorization that is not named (D-66)',
    async (path) => {
      const practice = { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' };
      const named = path === '/v1/payments' ? { registrationId: ID } : {};
      const asked = { ...money, ...named, paymentType: 'PA', ...practice };
      const { status, body } = await post(`${edge.url}${path.replace('{id}', ID)}`, asked);
      expect([status, body.result]).toMatchObject([
        400,
        {
          code: '200.300.404',
          parameterErrors: [
            { name: 'standingInstruction.industryPractice', value: 'INCREMENTAL_AUTH' },
          ],
        },
      ]);
      expect(edge.commands).toHaveLength(0);
    },
  );

  it.each(['DB', 'CD'])(
    'is answered like every reference where %s names an id that is nobody’s',
    async (paymentType) => {
      edge.script.registered = () => undefined;
      const refund = { ...money, paymentType: 'RF' };
      edge.script.reply = () => ({ kind: 'replied', reply: { kind: 'notFound' } });
      const target = `${edge.url}/v1/payments/${ID}`;
      const { status, body } = await post(target, { ...money, paymentType });
      expect([status, body.result.code]).toEqual([404, '700.400.580']);
      const ofRefund = await post(target, refund);
      expect([status, body.result]).toEqual([ofRefund.status, ofRefund.body.result]);
      expect(edge.queries).toMatchObject([{ transactionId: ID, entityId }]);
    },
  );

  it.each([
    ['DB', 'paymentType'],
    ['CD', 'paymentType'],
    ['PA', 'standingInstruction.industryPractice'],
  ])('is refused by name where %s refers to a payment', async (paymentType, name) => {
    edge.script.registered = () => undefined;
    await post(`${edge.url}/v1/payments`, { ...card, ...money });
    const paid = viewOf(edge.command);
    edge.script.find = () => paid;
    const target = `${edge.url}/v1/payments/${paid.id}`;
    const { status, body } = await post(target, { ...money, paymentType });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
  });

  it.each([
    ['was deleted', { state: 'ended' }],
    ['is not there any more', undefined],
    ['has another holder', { personal: { 'card.holder': 'Jane Doe' } }],
  ] as const)(
    'is answered again under its key as at first, though the registration %s',
    async (_, now) => {
      const keyed = () => {
        const target = `${edge.url}/v1/registrations/${ID}/payments`;
        return post(
          target,
          { ...money, merchantTransactionId: 'order-4711', 'card.cvv': '123' },
          { 'Idempotency-Key': 'one' },
        );
      };
      const first = await keyed();
      const { command } = edge;
      const claim = command.data.idempotency;
      if (claim === undefined) throw new Error('no claim');
      edge.script.registered = (query) => now && registered(query, now);
      edge.script.reply = () => ({
        kind: 'replied',
        reply: { kind: 'keyTaken', ...claim, outcome: outcomeOf(command) },
      });
      edge.script.find = ({ transactionId }) =>
        transactionId === first.body.id ? viewOf(command) : undefined;
      const again = await keyed();
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(first.body).toMatchObject({ paymentBrand: 'VISA', card: { holder: 'Jane Jones' } });
    },
  );

  it('has a security code held beside what is kept', async () => {
    expect((await pay({ ...money, 'card.cvv': '123' })).status).toBe(200);
    expect(edge.held).toMatchObject([{ kind: 'card', kept: `kept.${ID}` }]);
    expect(edge.command.data).toMatchObject({ instrument: { vaultReference: 'reference-1' } });
  });

  it('has the proofs of a stored token held beside what is kept', async () => {
    const shown = { paymentMethod: 'NT', brand: 'VISA', maskedNumber: '************0075' } as const;
    const vaultReference = `kept.${ID}`;
    const instrument = { kind: 'tokenAccount', ...shown, vaultReference } as const;
    edge.script.registered = (query) => registered(query, { instrument });
    const cryptogram = 'AgAAAAAABk4DWZ4C28yUQAAAAAA=';
    const proofs = { 'tokenAccount.cryptogram': cryptogram, 'tokenAccount.dtvc': '846' };
    expect((await pay({ ...money, ...proofs })).status).toBe(200);
    expect(edge.held).toMatchObject([{ kind: 'tokenAccount', kept: `kept.${ID}` }]);
    const [held] = edge.held;
    expect(held?.details['tokenAccount.cryptogram']?.reveal()).toBe(cryptogram);
    expect(held?.inMemory?.['tokenAccount.dtvc']?.reveal()).toBe('846');
    expect(JSON.stringify(edge.command)).not.toContain(cryptogram);
  });

  it('is due on the day that the request says', async () => {
    const shown = { paymentMethod: 'DD', brand: 'DIRECTDEBIT_SEPA' } as const;
    const instrument = { kind: 'bankAccount', ...shown, vaultReference: `kept.${ID}` } as const;
    edge.script.registered = (query) => registered(query, { instrument, personal: {} });
    const due = { transactionDueDate: '2034-12-01' };
    expect((await pay({ ...money, ...due })).status).toBe(200);
    expect(personalOf(edge.command)).toEqual(due);
  });

  it.each(['2034-12-01', '2020-01-01'])('is due on no day (%s) by a stored card', async (day) => {
    const { status, body } = await pay({ ...money, transactionDueDate: day });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    const message = 'is of direct debits: nothing else is collected on a day';
    expect(body.result.parameterErrors).toEqual([{ name: 'transactionDueDate', message }]);
    expect([edge.held, edge.commands]).toEqual([[], []]);
  });

  it.each([
    ['tokenAccount.cryptogram', 'AgAAAAAABk4DWZ4C28yUQAAAAA='],
    ['tokenAccount.dtvc', '84'],
    ['transactionDueDate', '2034-02-30'],
  ])('has no malformed %s', async (name, value) => {
    const kind = name.startsWith('token') ? 'tokenAccount' : 'bankAccount';
    const instrument = { kind, paymentMethod: 'DD', vaultReference: 'kept.1' } as Instrument;
    edge.script.registered = (query) => registered(query, { instrument, personal: {} });
    const { status, body } = await pay({ ...money, [name]: value });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
    expect([edge.held, edge.commands]).toEqual([[], []]);
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

  it('of which nobody knows now whether it is confirmed is not answered, nor recorded', async () => {
    edge.script.registered = (query) => registered(query, { state: 'requested', isBehind: true });
    const { status, body } = await pay();
    expect([status, body.result.code]).toEqual([503, '800.800.800']);
    expect(edge.commands).toEqual([]);
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

  it.each([
    ['of the merchant’s own', 'contract-17'],
    // Gateways of the family have ids of the same shape; ours begin with the time.
    ['that another gateway gave', '8ac7a4a28e5b1c3d018e5c0f2a7b4c6d'],
  ])('is where its payments are under a name %s, too', async (_, agreementId) => {
    const later = {
      type: 'RECURRING',
      mode: 'REPEATED',
      source: 'MIT',
      agreementId,
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

  it.each([
    ['bankAccount', 'bankAccount.iban', 'DE23100000001234567890', /^cannot be compared with/],
    ['tokenAccount', 'tokenAccount.number', '4200000000000000', /^cannot be compared with/],
    ['tokenAccount', 'tokenAccount.expiryYear', '2034', /^cannot be compared with/],
    ['virtualAccount', 'virtualAccount.accountId', 'jane@shop.example', /^cannot be compared with/],
    ['bankAccount', 'bankAccount.mandate.id', 'MANDATE-TWO', /^differs from what is stored/],
  ] as const)('says no more of a %s than edge knows: %s', async (kind, name, value, message) => {
    const instrument = { kind, paymentMethod: 'DD', vaultReference: 'kept.1' } as Instrument;
    const personal = { 'bankAccount.mandate.id': 'MANDATE-ONE' };
    edge.script.registered = (query) => registered(query, { instrument, personal });
    const { body } = await pay({ ...money, [name]: value });
    expect(body.result.parameterErrors).toEqual([
      { name, message: expect.stringMatching(message) },
    ]);
    expect([edge.held, edge.commands]).toEqual([[], []]);
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
