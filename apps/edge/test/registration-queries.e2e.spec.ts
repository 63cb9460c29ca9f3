import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RegistrationTransaction } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { bearer, call } from './http-client.js';
import { entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start());
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const ID = '019b7d5f2c3a77c5bdcadf51af2041ca' as TransactionId;
const UPDATE_ID = '019b7d5f2c3a77c5bdcadf51af2041cb' as TransactionId;

const made: RegistrationTransaction = {
  ...{ id: ID, operation: 'registration', status: 'approved', resultCode: '000.100.110' },
  ...{ entityId: entityId, channelName: 'Book Shop', mode: 'INTERNAL', ndc: 'ndc-1' },
  recordedAtMs: 1,
  instrument: {
    ...{ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' },
    ...{ expiryMonth: '05', expiryYear: '2034' },
  },
  parameters: { merchantTransactionId: 'order-4711' },
  personal: { 'card.holder': 'Jane Jones' },
};
const { instrument: _, ...ofRequest } = made;
const changed: RegistrationTransaction = {
  ...{ ...ofRequest, id: UPDATE_ID, referencedId: ID, operation: 'update', personal: {} },
};

const get = (path: string) =>
  call(`${edge.url}${path}?entityId=${entityId}&merchantTransactionId=order-4711`, {
    headers: bearer,
  });
const getOne = (path: string) =>
  call(`${edge.url}${path}?entityId=${entityId}`, { headers: bearer });

describe('a registration that queries find', () => {
  it('has its type, its method, and what may be shown of it', async () => {
    edge.script.search = () => ({ transactions: [changed, made], total: 2 });
    const { status, body } = await get('/v3/query');
    expect(status).toBe(200);
    const [update, registration] = body['records'] as readonly Record<string, unknown>[];
    expect(registration).toMatchObject({
      ...{ id: ID, paymentType: 'RG', paymentMethod: 'CC', paymentBrand: 'VISA', ndc: 'ndc-1' },
      ...{ result: { code: '000.100.110' }, merchantTransactionId: 'order-4711' },
      card: { last4Digits: '0000', holder: 'Jane Jones' },
    });
    expect(update).toMatchObject({ id: UPDATE_ID, referencedId: ID, paymentType: 'RR' });
    expect(update).not.toHaveProperty('card');
    for (const field of ['amount', 'currency', 'descriptor']) {
      expect(registration).not.toHaveProperty(field);
    }
  });

  it('is found by its id where no payment has it', async () => {
    edge.script.findOfRegistration = ({ transactionId }) =>
      transactionId === ID ? made : undefined;
    expect((await getOne(`/v1/query/${ID}`)).body).toMatchObject({ id: ID, paymentType: 'RG' });
    const { body } = await getOne(`/v3/query/${ID}`);
    expect(body['records']).toMatchObject([{ id: ID, paymentType: 'RG' }]);
    const other = await getOne(`/v1/query/${UPDATE_ID}`);
    expect([other.status, other.body.result.code]).toEqual([404, '700.400.580']);
  });

  it('is asked for by its types', async () => {
    edge.script.search = () => ({ transactions: [made], total: 1 });
    await call(
      `${edge.url}/v3/query?entityId=${entityId}&merchantTransactionId=order-4711&paymentTypes=RG,RR,TE,DR`,
      { headers: bearer },
    );
    expect(edge.searches[0]?.operations).toEqual([
      'registration',
      'update',
      'extension',
      'deletion',
    ]);
  });
});
