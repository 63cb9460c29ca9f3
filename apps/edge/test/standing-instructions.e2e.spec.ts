import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chainShard, type TransactionId } from '@sluice/identifiers';
import { bearer, call, debit, type Parameters, post } from './http-client.js';
import { entityId, replying, ScriptedEdge, viewOf } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const pay = (parameters: Parameters = {}) =>
  post(`${edge.url}/v1/payments`, { ...debit, ...parameters });

const agreed = (fields: Readonly<Record<string, string>>): Parameters =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]),
  );

const first = { type: 'RECURRING', mode: 'INITIAL', source: 'CIT' };
const byMerchant = { type: 'RECURRING', mode: 'REPEATED', source: 'MIT' };

describe('the first payment of an agreement', () => {
  it('is answered with its own id as that of the agreement, and its terms', async () => {
    const { body } = await pay(agreed(first));
    expect(body['standingInstruction']).toEqual({
      ...first,
      frequency: '0001',
      initialTransactionId: 'acquirer-1',
      agreementId: body.id,
    });
  });

  it('is named as the acquirer behind another gateway names it', async () => {
    const resultDetails = { CardholderInitiatedTransactionID: 'S000000000079' };
    edge.script.reply = replying({ resultDetails });
    const { body } = await pay(agreed(first));
    expect(body['standingInstruction']).toMatchObject({ initialTransactionId: 'S000000000079' });
    expect(body['resultDetails']).toMatchObject({ ...resultDetails, ConnectorTxID1: 'acquirer-1' });
  });

  it('keeps the terms and the agreement that it said', async () => {
    const said = {
      ...first,
      ...{ frequency: '30', expiry: '2030-12-31', agreementId: 'AGREEMENT-2026-0042' },
    };
    const { body } = await pay(agreed(said));
    expect(body['standingInstruction']).toEqual({ ...said, initialTransactionId: 'acquirer-1' });
  });

  it('is not named by an earlier one, whose name its answer would not have', async () => {
    const { status, body } = await pay(agreed({ ...first, initialTransactionId: 'acquirer-0' }));
    expect([status, body.result.code]).toEqual([400, '100.900.500']);
    expect(body.result.description).toContain('initialTransactionId is of REPEATED');
    expect(edge.command.data.rejection).toBe('100.900.500');
  });

  it('by MASTER has no end by default', async () => {
    const master = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' };
    const { body } = await pay({ ...agreed(first), ...master });
    expect(body['standingInstruction']).toMatchObject({ frequency: '0001', expiry: '9999-12-31' });
  });

  it('gives nothing to name while it is pending, or when it was declined', async () => {
    for (const status of ['pending', 'declined'] as const) {
      const resultCode = status === 'pending' ? '000.200.000' : '800.100.152';
      edge.script.reply = replying({ status, resultCode });
      const { body } = await pay(agreed(first));
      expect(body['standingInstruction']).toEqual({ ...first, frequency: '0001' });
    }
  });

  it('is read and found with the same', async () => {
    const { body } = await pay(agreed(first));
    const view = viewOf(edge.command);
    edge.script.find = () => view;
    for (const path of ['/v1/payments', '/v1/query']) {
      const read = await call(`${edge.url}${path}/${view.id}?entityId=${entityId}`, {
        headers: bearer,
      });
      expect(read.body['standingInstruction']).toEqual(body['standingInstruction']);
    }
  });

  it('is not of the merchant: recorded as refused', async () => {
    await pay(agreed({ ...first, source: 'MIT', agreementId: 'A-1' }));
    expect(edge.command.data.rejection).toBe('100.900.500');
    expect(edge.command.data.rejectionDescription).toContain('a CIT');
  });
});

describe('a later payment', () => {
  it('of the merchant that names no first payment is refused by name, and not recorded', async () => {
    const { status, body } = await pay(agreed(byMerchant));
    expect(status).toBe(400);
    expect(body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name: 'standingInstruction.initialTransactionId' }],
    });
    expect(edge.commands).toHaveLength(0);
  });

  it.each(['initialTransactionId', 'agreementId'])(
    'of the merchant names it by %s, and needs no security code',
    async (name) => {
      const said = { ...byMerchant, [name]: 'first-1' };
      const { body } = await pay({ ...agreed(said), 'card.cvv': undefined });
      expect(body.result.code).toBe('000.100.110');
      expect(body['standingInstruction']).toEqual(said);
      expect(edge.command.data.rejection).toBeUndefined();
    },
  );

  it('is begun where its first payment is, unless a key says where', async () => {
    const firstId = '019b7d5f2c3a77c5bdcadf51af2041ca' as TransactionId;
    const said = agreed({ ...byMerchant, agreementId: firstId });
    const shards = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      await pay(said);
      shards.add(chainShard(edge.command.data.transactionId));
    }
    expect([...shards]).toEqual([chainShard(firstId)]);
    const headers = { 'idempotency-key': 'later-1' };
    await post(`${edge.url}/v1/payments`, { ...debit, ...said }, headers);
    const { transactionId, idempotency } = edge.command.data;
    expect(chainShard(transactionId)).toBe(idempotency?.key.slice(0, 4));
  });

  it("that says why the merchant charges is the merchant's, and names the first one", async () => {
    const { body: refused } = await pay(agreed({ industryPractice: 'NO_SHOW' }));
    expect(refused.result.parameterErrors?.map(({ name }) => name)).toEqual([
      'standingInstruction.initialTransactionId',
    ]);
    const said = { industryPractice: 'NO_SHOW', agreementId: 'A-1' };
    const { body } = await pay(agreed(said));
    expect(body['standingInstruction']).toEqual({ ...said, mode: 'REPEATED', source: 'MIT' });
  });

  it('of the shopper has no reason of a merchant', async () => {
    await pay(agreed({ mode: 'REPEATED', source: 'CIT', industryPractice: 'NO_SHOW' }));
    expect(edge.command.data.rejection).toBe('100.900.500');
  });

  it('is not made after the end that it says', async () => {
    await pay(agreed({ ...byMerchant, agreementId: 'A-1', expiry: '2025-12-31' }));
    expect(edge.command.data.rejection).toBe('600.200.501');
    expect(edge.command.data.rejectionDescription).toContain('2025-12-31');
  });
});

describe('the legacy recurringType', () => {
  it('INITIAL begins an agreement', async () => {
    const { body } = await pay({ recurringType: 'INITIAL' });
    expect(body['standingInstruction']).toEqual({
      ...first,
      frequency: '0001',
      initialTransactionId: 'acquirer-1',
      agreementId: body.id,
    });
    expect(body['resultDetails']).toMatchObject({ CardholderInitiatedTransactionID: 'acquirer-1' });
  });

  it('REPEATED is of the merchant, names nothing and needs no security code', async () => {
    const { body } = await pay({ recurringType: 'REPEATED', 'card.cvv': undefined });
    expect(body['standingInstruction']).toEqual(byMerchant);
    expect(edge.command.data.rejection).toBeUndefined();
  });

  it('REGISTRATION_BASED is of the shopper', async () => {
    const { body } = await pay({ recurringType: 'REGISTRATION_BASED', 'card.cvv': undefined });
    const repeated = { type: 'UNSCHEDULED', mode: 'REPEATED', source: 'CIT' };
    expect(body['standingInstruction']).toEqual(repeated);
  });
});
