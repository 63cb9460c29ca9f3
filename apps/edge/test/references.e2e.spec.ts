import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReferToPaymentData } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { bearer, call, debit, type Parameters, post } from './http-client.js';
import {
  buildNumber,
  entityId,
  foreignEntityId,
  merchantToken,
  replying,
  ScriptedEdge,
  siblingEntityId,
  startMs,
  viewOf,
} from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const referencedId = newTransactionId(startMs - 5_000);
const refer = (parameters: Parameters, id: string = referencedId, headers = {}) =>
  post(`${edge.url}/v1/payments/${id}`, { entityId, ...parameters }, headers);
const money = { amount: '10.00', currency: 'EUR' };
const data = () => edge.command.data as ReferToPaymentData;
/** PA on a transaction says what it asks for; nothing else may say that. */
const practiceOf = (paymentType: string): Parameters =>
  paymentType === 'PA' ? { [PRACTICE]: 'INCREMENTAL_AUTH' } : {};
const PRACTICE = 'standingInstruction.industryPractice';

describe('POST /v1/payments/{id}', () => {
  it('takes an empty amount for a mistake: left out, it would reverse everything', async () => {
    const { status, body } = await refer({ paymentType: 'RV', amount: '', currency: 'EUR' });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors).toEqual([{ name: 'amount', message: 'may not be empty' }]);
    expect(edge.commands).toEqual([]);
    expect((await refer({ paymentType: 'RV', currency: '' })).status).toBe(200);
  });

  it.each([
    ['CP', 'capture', undefined],
    ['RV', 'reversal', undefined],
    ['RF', 'refund', undefined],
    ['RB', 'rebill', undefined],
    ['RC', 'receipt', undefined],
    ['CB', 'chargeback', undefined],
    ['CR', 'chargebackReversal', undefined],
    ['PA', 'incrementalAuthorization', 'INCREMENTAL_AUTH'],
    ['PA', 'reauthorization', 'REAUTHORIZATION'],
  ])('%s is the operation %s', async (paymentType, operation, practice) => {
    const request = { paymentType, ...money, [PRACTICE]: practice };
    // It would have stored nothing.
    const storing = await refer({ ...request, createRegistration: 'true' });
    expect(storing.body.result.parameterErrors?.map(({ name }) => name)).toEqual([
      'createRegistration',
    ]);
    const { status, body } = await refer({ ...request, createRegistration: 'false' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ paymentType, referencedId });
    expect(edge.command).toMatchObject({
      type: 'ReferToPayment',
      key: referencedId.slice(12, 16),
      data: { operation, referencedId, amount: { minor: '1000', currency: 'EUR' }, final: false },
    });
  });

  it('answers the fields of a referencing response and no card', async () => {
    const { body } = await refer({ paymentType: 'RF', ...money });
    expect(Object.keys(body)).toEqual([
      'id',
      'referencedId',
      'paymentType',
      'amount',
      'currency',
      'shortId',
      'descriptor',
      'result',
      'resultDetails',
      'buildNumber',
      'timestamp',
      'ndc',
    ]);
    expect(body).toMatchObject({ buildNumber, amount: '10.00', currency: 'EUR' });
    expect(edge.held).toHaveLength(0);
  });

  it('mints an id of the same chain', async () => {
    const { body } = await refer({ paymentType: 'CP', ...money });
    expect(body.id).not.toBe(referencedId);
    expect(body.id.slice(12, 16)).toBe(referencedId.slice(12, 16));
  });

  it('takes a reversal without amount and answers what it released', async () => {
    edge.script.reply = replying({ amount: { minor: '4200', currency: 'EUR' } });
    const { status, body } = await refer({ paymentType: 'RV' });
    expect(status).toBe(200);
    expect(data()).not.toHaveProperty('amount');
    expect(body).toMatchObject({ amount: '42.00', currency: 'EUR' });
  });

  it('passes on the currency that a reversal without amount names (D-29)', async () => {
    await refer({ paymentType: 'RV', currency: 'USD' });
    expect(data()).toMatchObject({ currency: 'USD' });
    expect(data()).not.toHaveProperty('amount');
  });

  it.each(['CP', 'RF', 'RB', 'RC', 'CB', 'CR', 'PA'])(
    '%s needs amount and currency',
    async (type) => {
      const { status, body } = await refer({ paymentType: type, ...practiceOf(type) });
      expect(status).toBe(400);
      expect(body.result.code).toBe('200.300.404');
      expect(body.result.parameterErrors?.map(({ name }) => name)).toEqual(['amount', 'currency']);
      expect(edge.commands).toHaveLength(0);
    },
  );

  it.each(['CP', 'RB', 'RC'])('%s of a card is due on no day', async (paymentType) => {
    await post(`${edge.url}/v1/payments`, debit);
    const [paid] = edge.commands;
    if (paid === undefined) throw new Error('nothing was paid');
    // By its capture as well.
    edge.script.find = ({ transactionId }) =>
      transactionId === referencedId
        ? viewOf(paid, {
            id: transactionId,
            operation: 'capture',
            referencedId: paid.data.transactionId,
          })
        : viewOf(paid);
    const due = { paymentType, ...money, transactionDueDate: '2034-12-01' };
    const { status, body } = await refer(due);
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    const message = 'is of direct debits: nothing else is collected on a day';
    expect(body.result.parameterErrors).toEqual([{ name: 'transactionDueDate', message }]);
    expect(edge.commands).toHaveLength(1);
    expect(edge.queries.map(({ transactionId }) => transactionId)).toEqual([
      ...[referencedId, paid.data.transactionId],
    ]);
  });

  it('a day is asked about of what collects alone, and may be of what nobody here knows', async () => {
    const due = { ...money, transactionDueDate: '2034-12-01' };
    for (const paymentType of ['CP', 'RF'])
      expect((await refer({ paymentType, ...due })).status).toBe(200);
    expect((await refer({ paymentType: 'CP', ...money })).status).toBe(200);
    expect(edge.queries).toHaveLength(1);
  });

  it.each([
    ['FINAL', true],
    [undefined, false],
  ])('with sequence %j is final: %s', async (sequence, final) => {
    await refer({ paymentType: 'CP', ...money, sequence });
    expect(data().final).toBe(final);
  });

  it.each(['CP', 'RV', 'RF', 'RB', 'RC', 'CB', 'CR', 'PA'])(
    '%s with another sequence than FINAL is refused by its name',
    async (paymentType) => {
      const wrong = { sequence: 'final', ...practiceOf(paymentType) };
      const { status, body } = await refer({ paymentType, ...money, ...wrong });
      expect(status).toBe(400);
      expect(body.result).toMatchObject({
        code: '200.300.404',
        parameterErrors: [{ name: 'sequence', value: 'final', message: 'must be FINAL' }],
      });
      expect(edge.commands).toHaveLength(0);
    },
  );

  it.each([
    ['the collection', '/v1/payments', { referenceUuid: referencedId }],
    ['a transaction', `/v1/payments/${referencedId}`, {}],
  ])('on %s has the mode that it says, or leaves it to what it refers to (D-64)', async (...to) => {
    const [, path, more] = to;
    const asked = { entityId, paymentType: 'PA', ...money, ...more, [PRACTICE]: 'REAUTHORIZATION' };
    await post(`${edge.url}${path}`, asked);
    expect(data().context).not.toHaveProperty('mode');
    for (const testMode of ['INTERNAL', 'EXTERNAL']) {
      await post(`${edge.url}${path}`, { ...asked, testMode });
      expect(data().context.mode).toBe(testMode);
    }
  });

  it('passes a chargeback reason on', async () => {
    const chargebackResultCode = '000.100.206';
    edge.script.reply = replying({ resultCode: chargebackResultCode });
    const { status, body } = await refer({ paymentType: 'CB', ...money, chargebackResultCode });
    expect(status).toBe(200);
    expect(body.result.code).toBe(chargebackResultCode);
    expect(data().chargebackResultCode).toBe(chargebackResultCode);
  });

  it.each([undefined, 'XX'])('paymentType %j refers to nothing', async (paymentType) => {
    const { status, body } = await refer({ paymentType, ...money });
    expect(status).toBe(400);
    expect(body.result.parameterErrors?.map(({ name }) => name)).toEqual(['paymentType']);
  });

  it('with a zero amount is recorded as refused', async () => {
    await refer({ paymentType: 'RF', amount: '0', currency: 'EUR' });
    expect(data().rejection).toBe('100.550.300');
  });

  it('to a payment without room is refused under an id that names nothing (D-09)', async () => {
    edge.script.reply = () => ({ kind: 'replied', reply: { kind: 'full' } });
    const { status, body } = await refer({ paymentType: 'RF', ...money });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      referencedId,
      paymentType: 'RF',
      amount: '10.00',
      result: { code: '700.500.001' },
    });
    // Nothing was recorded under the id, so reading it must not look pending.
    const read = await call(`${edge.url}/v1/payments/${body.id}`, { headers: bearer });
    expect(read.status).toBe(404);
  });

  it('refused by the rules is HTTP 400 with its id', async () => {
    edge.script.reply = replying({ status: 'rejected', resultCode: '700.400.200' });
    const { status, body } = await refer({ paymentType: 'RF', ...money });
    expect(status).toBe(400);
    expect(body).toMatchObject({ id: data().transactionId, result: { code: '700.400.200' } });
  });
});

describe('a referenced transaction that is not there', () => {
  it.each(['x', referencedId.toUpperCase(), `${referencedId}0`, '%00', '__proto__'])(
    'malformed id %s: 404 without asking anybody',
    async (id) => {
      const { status, body } = await refer({ paymentType: 'RF', ...money }, id);
      expect(status).toBe(404);
      expect(body.result.code).toBe('700.400.580');
      expect(edge.commands).toHaveLength(0);
    },
  );

  it('unknown id and foreign id look alike: 404', async () => {
    edge.script.reply = () => ({ kind: 'replied', reply: { kind: 'notFound' } });
    const unknown = await refer({ paymentType: 'RF', ...money });
    const reply = { kind: 'foreignEntity', entityId: foreignEntityId } as const;
    edge.script.reply = () => ({ kind: 'replied', reply });
    const foreign = await refer({ paymentType: 'RF', ...money });
    expect(unknown.status).toBe(404);
    expect(unknown.body.result.code).toBe('700.400.580');
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, ndc: '' }).toEqual({ ...unknown.body, ndc: '' });
  });

  it('of a sibling channel is 700.400.700 for a token that may use both, else 404', async () => {
    const reply = { kind: 'foreignEntity', entityId: siblingEntityId } as const;
    edge.script.reply = () => ({ kind: 'replied', reply });
    const parameters = { paymentType: 'RF', ...money };
    const both = { Authorization: `Bearer ${merchantToken}` };
    const allowed = await refer(parameters, referencedId, both);
    expect(allowed.status).toBe(400);
    expect(allowed.body.result.code).toBe('700.400.700');
    expect((await refer(parameters)).status).toBe(404);
  });
});

describe('PA with referenceUuid', () => {
  const raise = (parameters: Parameters = {}) =>
    post(`${edge.url}/v1/payments`, {
      entityId,
      paymentType: 'PA',
      ...money,
      referenceUuid: referencedId,
      'standingInstruction.industryPractice': 'INCREMENTAL_AUTH',
      ...parameters,
    });

  it.each([
    ['INCREMENTAL_AUTH', 'incrementalAuthorization'],
    ['REAUTHORIZATION', 'reauthorization'],
  ])('and %s is the operation %s, without a card', async (practice, operation) => {
    const { status, body } = await raise({ 'standingInstruction.industryPractice': practice });
    expect(status).toBe(200);
    expect(body).toMatchObject({ paymentType: 'PA', referencedId });
    expect(data()).toMatchObject({ operation, referencedId });
    expect(edge.held).toHaveLength(0);
  });

  it('holds no card even if one was sent', async () => {
    const { entityId: _, paymentType: _type, ...card } = debit;
    expect((await raise(card)).status).toBe(200);
    expect(edge.held).toHaveLength(0);
    expect(JSON.stringify(edge.command)).not.toContain(debit['card.number']);
  });

  it.each([undefined, 'RESUBMISSION', 'DELAYED_CHARGES'])(
    'needs a practice; %j is none',
    async (practice) => {
      const { status, body } = await raise({ 'standingInstruction.industryPractice': practice });
      expect(status).toBe(400);
      expect(body.result.parameterErrors?.map(({ name }) => name)).toContain(
        'standingInstruction.industryPractice',
      );
    },
  );

  it.each([['x'], ['f'.repeat(31)]])('of %s is a validation error', async (referenceUuid) => {
    const { status, body } = await raise({ referenceUuid });
    expect(status).toBe(400);
    expect(body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name: 'referenceUuid' }],
    });
  });

  it('that matches nothing is a validation error', async () => {
    edge.script.reply = () => ({ kind: 'replied', reply: { kind: 'notFound' } });
    const { status, body } = await raise();
    expect(status).toBe(400);
    expect(body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name: 'referenceUuid' }],
    });
  });

  it.each([undefined, 'NO_SHOW', ''])(
    'on a transaction in the path must be asked for; %j does not (D-66)',
    async (practice) => {
      const { status, body } = await refer({ paymentType: 'PA', ...money, [PRACTICE]: practice });
      expect(status).toBe(400);
      expect(body.result).toMatchObject({
        code: '200.300.404',
        parameterErrors: [{ name: PRACTICE }],
      });
      expect(edge.commands).toHaveLength(0);
    },
  );
});
