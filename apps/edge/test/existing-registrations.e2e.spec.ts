import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QueryUnavailable } from '@sluice/messaging';
import { type Parameters, post } from './http-client.js';
import { registered, ScriptedEdge } from './scripted-edge.js';
import { registering } from './scripted-registrations.js';
import { ID, card } from './stored-card.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const store = (parameters: Parameters = card) => post(`${edge.url}/v1/registrations`, parameters);

describe('an account that is stored again (page 0060)', () => {
  it('answers the one that the account had before, in place of its own', async () => {
    edge.script.register = registering({ existingId: ID });
    expect((await store()).body).toMatchObject({ id: ID, result: { code: '000.100.110' } });
  });

  it.each([
    ['that is stored', { 'card.holder': 'Jane Jones' }, 'Jane Jones'],
    ['of nobody, where none is', {}, undefined],
  ] as const)(
    'shows the holder %s, where the account had one before',
    async (_, personal, holder) => {
      edge.script.register = registering({ existingId: ID });
      edge.script.registered = (query) => {
        const { instrument, ...view } = registered(query, { personal });
        return { ...view, instrument: { ...instrument, expiryYear: '2036' } } as typeof view;
      };
      const sent = { 'card.holder': 'Jim Doe', 'customParameters[shelf]': 'A7' };
      const { body } = await store({ ...card, ...sent, merchantTransactionId: 'order-4711' });
      const shown = body['card'] as Record<string, unknown>;
      expect([shown['holder'], shown['expiryYear']]).toEqual([holder, '2036']);
      expect(body).toMatchObject({
        ...{ id: ID, merchantTransactionId: 'order-4711', customParameters: { shelf: 'A7' } },
      });
    },
  );

  it('is no failure where the one that it had cannot be read, nor is a repetition under its key', async () => {
    edge.script.register = registering({ existingId: ID });
    edge.script.registered = () => {
      throw new QueryUnavailable('registrations.registration', 'noService');
    };
    const sent = { ...card, 'card.holder': 'Jim Doe', merchantTransactionId: 'order-4711' };
    const storeOnce = () =>
      post(`${edge.url}/v1/registrations`, sent, { 'Idempotency-Key': 'once' });
    const { status, body } = await storeOnce();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ id: ID, merchantTransactionId: 'order-4711', result: { code: '000.100.110' } },
      ...{ paymentBrand: 'VISA', card: { last4Digits: '0000', expiryYear: '2034' } },
    });
    // Nobody knows here who is stored as its holder.
    expect(body['card']).not.toHaveProperty('holder');
    const { fingerprint, answer } = edge.registrations[0]!.data.idempotency!;
    const outcome = {
      ...({ id: answer.id, operation: 'registration', status: 'approved' } as const),
      ...{ resultCode: '000.100.110', existingId: ID },
    };
    const reply = { kind: 'keyTaken', fingerprint, answer, outcome } as const;
    edge.script.register = () => ({ kind: 'replied', reply });
    expect(await storeOnce()).toMatchObject({ status, body });
  });

  it('shows no holder of one that has ended meanwhile', async () => {
    edge.script.register = registering({ existingId: ID });
    edge.script.registered = (query) => registered(query, { state: 'ended' });
    const { text } = await store({ ...card, 'card.holder': 'Jim Doe' });
    expect(text).not.toMatch(/Jane|Jim/);
  });
});
