import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionView } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { QueryUnavailable } from '@sluice/messaging';
import { resultCodes } from '@sluice/result-codes';
import { bearer, call, debit, formText, legacyQuery, post } from './http-client.js';
import { buildNumber, entityId, ScriptedEdge, startMs, viewOf } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const MINUTE_MS = 60_000;
const oldId = newTransactionId(startMs - 10 * MINUTE_MS);
const get = (id: string, query = `?entityId=${entityId}`, init: RequestInit = {}) =>
  call(`${edge.url}/v1/payments/${id}${query}`, { headers: bearer, ...init });

describe('GET /v1/payments/{id}', () => {
  it('shows what the payment answered, with its own time and ndc', async () => {
    const created = await post(`${edge.url}/v1/payments`, {
      ...debit,
      merchantTransactionId: 'order-0001',
      'customParameters[till]': '7',
    });
    const view = viewOf(edge.command);
    edge.script.find = ({ transactionId }) => (transactionId === view.id ? view : undefined);
    const read = await get(created.body.id);
    expect(read.status).toBe(200);
    const { ndc, ...rest } = read.body;
    const { ndc: createdNdc, ...createdRest } = created.body;
    expect(rest).toEqual(createdRest);
    expect(ndc).not.toBe(createdNdc);
    expect(edge.queries).toEqual([{ transactionId: view.id, entityId }]);
  });

  it.each([
    ['declined', '800.100.152'],
    ['rejected', '700.400.200'],
    ['notPerformed', '900.100.310'],
  ] as const)('of a %s transaction is HTTP 200', async (outcomeStatus, resultCode) => {
    await post(`${edge.url}/v1/payments`, debit);
    edge.script.find = () => viewOf(edge.command, { status: outcomeStatus, resultCode });
    const { status, body } = await get(oldId);
    expect(status).toBe(200);
    expect(body.result.code).toBe(resultCode);
  });

  it('of one that a schedule has made says so', async () => {
    await post(`${edge.url}/v1/payments`, debit);
    edge.script.find = () => ({ ...viewOf(edge.command), source: 'SCHEDULER' });
    expect((await get(oldId)).body).toMatchObject({ source: 'SCHEDULER' });
  });

  it('of a referencing transaction names what it refers to', async () => {
    await post(`${edge.url}/v1/payments/${oldId}`, { entityId, paymentType: 'RV' });
    edge.script.find = (): TransactionView => viewOf(edge.command);
    const { body } = await get(oldId);
    expect(body).toMatchObject({ referencedId: oldId, paymentType: 'RV' });
    expect(body).not.toHaveProperty('card');
  });

  it('of an unknown id is 404 without an id', async () => {
    const { status, body } = await get(oldId);
    expect(status).toBe(404);
    expect(body).toMatchObject({ result: { code: '700.400.580' }, buildNumber });
    expect(body).not.toHaveProperty('id');
  });

  it.each(['registration', 'update', 'extension', 'deletion'] as const)(
    'of a %s says that no payment has it, and does not call it pending',
    async (operation) => {
      const id = newTransactionId(startMs);
      const done = { id, operation, status: 'approved', resultCode: '000.100.110' } as const;
      edge.script.findOfRegistration = (query) =>
        query.entityId !== entityId || query.transactionId !== id
          ? undefined
          : {
              ...{ ...done, entityId, channelName: 'Book Shop', mode: 'INTERNAL', ndc: 'ndc' },
              ...{ recordedAtMs: startMs, parameters: {}, personal: { 'card.holder': 'Jane' } },
            };
      const { status, body, text } = await get(id);
      expect([status, body.result.code]).toEqual([404, '700.400.580']);
      expect(body.result.description).toContain('/v1/registrations/{id}');
      expect(text).not.toContain('Jane');
    },
  );

  it.each(['x', oldId.slice(1), oldId.toUpperCase(), `${oldId};a=1`, '%F0%9F%98%80'])(
    'of the malformed id %s is 404 without asking anybody',
    async (id) => {
      expect((await get(id)).status).toBe(404);
      expect(edge.queries).toHaveLength(0);
    },
  );

  it('of an unknown id is 404 at once where edge knows all that is in flight (D-72)', async () => {
    const only = await new ScriptedEdge().start({}, undefined, { sendsEveryCommand: true });
    const read = (id: string) =>
      call(`${only.url}/v1/payments/${id}?entityId=${entityId}`, { headers: bearer });
    try {
      expect((await read(newTransactionId(startMs))).status).toBe(404);
      const approve = only.script.reply;
      const whileSent: number[] = [];
      only.script.reply = async (command) => {
        whileSent.push((await read(command.data.transactionId)).status);
        return approve(command);
      };
      const { body } = await post(`${only.url}/v1/payments`, debit);
      expect(whileSent).toEqual([200]);
      expect((await read(body.id)).status).toBe(404);
    } finally {
      await only.close();
    }
  });

  it.each([
    ['just now', 0, 200],
    ['84 s ago', -84_000, 200],
    ['86 s ago', -86_000, 404],
    ['on a machine 30 s ahead', 30_000, 200],
    ['in a future that nobody has seen', 10 * MINUTE_MS, 404],
  ])('of an unknown id minted %s is HTTP %s', async (_, offsetMs, expected) => {
    const id = newTransactionId(startMs + offsetMs);
    const { status, body } = await get(id);
    expect(status).toBe(expected);
    expect(body.result.code).toBe(expected === 200 ? '000.200.000' : '700.400.580');
    expect(body['id']).toBe(expected === 200 ? id : undefined);
  });

  it('with payments away is 503', async () => {
    edge.script.find = () => {
      throw new QueryUnavailable('payments.transaction', 'deadline');
    };
    const { status, body } = await get(oldId);
    expect(status).toBe(503);
    expect(body.result.code).toBe('800.800.800');
  });
});

describe('what known clients send with a GET', () => {
  beforeEach(async () => {
    await post(`${edge.url}/v1/payments`, debit);
    edge.script.find = () => viewOf(edge.command);
  });

  it.each([
    ['legacy access in the query', legacyQuery, {}],
    ['testMode', `?entityId=${entityId}&testMode=INTERNAL`, bearer],
    ['a JSON content type without a body', '', { ...bearer, 'Content-Type': 'application/json' }],
    ['nothing but the token', '', bearer],
  ])('%s', async (_, query, headers) => {
    expect((await get(oldId, query, { headers })).status).toBe(200);
  });

  it.each([
    ['a form', formText({ entityId }), ''],
    ['a form that repeats the query', formText({ entityId }), `?entityId=${entityId}`],
  ])('%s as the body', async (_, body, query) => {
    const { status } = await getWithBody(`${edge.url}/v1/payments/${oldId}${query}`, body);
    expect(status).toBe(200);
  });

  it('but not another value in the body than in the query', async () => {
    const url = `${edge.url}/v1/payments/${oldId}?testMode=INTERNAL`;
    expect((await getWithBody(url, 'testMode=EXTERNAL')).status).toBe(400);
  });

  it('and not an unknown parameter', async () => {
    const { status, body } = await get(oldId, '?cacheBuster=1');
    expect(status).toBe(400);
    expect(body.result.parameterErrors).toEqual([
      { name: 'cacheBuster', message: 'is not an allowed parameter' },
    ]);
  });
});

describe('GET /v1/resultcodes', () => {
  it('is open to everybody and lists the whole table', async () => {
    const { status, body } = await call(`${edge.url}/v1/resultcodes`);
    expect(status).toBe(200);
    expect(body['resultCodes']).toEqual(
      resultCodes.map(({ code, description }) => ({ code, description })),
    );
    expect(body).toMatchObject({ result: { code: '000.000.100' }, buildNumber });
    expect(body.ndc).toMatch(/^0{32}_[0-9a-f]{32}$/);
  });
});

/** `fetch` refuses to send a body with GET; some clients do not. */
async function getWithBody(url: string, body: string): Promise<{ status: number }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const headers = { ...bearer, 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = request(url, {
      method: 'GET',
      headers: { ...headers, 'Content-Length': body.length },
    });
    sent.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
