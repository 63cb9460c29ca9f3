import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedTransactions, TransactionView } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { QueryUnavailable } from '@sluice/messaging';
import {
  bearer,
  call,
  debit,
  formText,
  legacyQuery,
  type Parameters,
  post,
} from './http-client.js';
import { buildNumber, entityId, foreignEntityId, ScriptedEdge, viewOf } from './scripted-edge.js';

const edge = new ScriptedEdge();
const oldId = newTransactionId(Date.UTC(2025, 5, 1));
const byOrder = { entityId, merchantTransactionId: 'order-4711' };
const frame = { 'date.from': '2026-01-01 00:00:00', 'date.to': '2026-01-31 00:00:00' };

beforeAll(() => edge.start());
beforeEach(() => {
  edge.reset();
});
afterAll(() => edge.close());

const get = (
  path: string,
  parameters: Parameters = byOrder,
  init: RequestInit = { headers: bearer },
) => call(`${edge.url}${path}?${formText(parameters)}`, init);

/** What reporting has of payments that were made through this edge. */
async function paid(
  ...outcomes: readonly Parameters[]
): Promise<{ created: Awaited<ReturnType<typeof post>>[]; views: TransactionView[] }> {
  const created = [];
  const views: TransactionView[] = [];
  for (const outcome of outcomes) {
    created.push(
      await post(`${edge.url}/v1/payments`, { ...debit, merchantTransactionId: 'order-4711' }),
    );
    views.push(viewOf(edge.command, outcome));
  }
  edge.script.search = (): RecordedTransactions => ({ transactions: views, total: views.length });
  return { created, views };
}

describe('GET /v1/query', () => {
  it('lists payments as their own answers had them, timestamp and ndc included', async () => {
    const { created } = await paid({}, {});
    edge.clock.advance(3_600_000);
    const { status, body } = await get('/v1/query');
    expect(status).toBe(200);
    expect(body.result).toEqual({ code: '000.000.100', description: 'successful request' });
    expect(body['payments']).toEqual(created.map((each) => each.body));
    expect(body.ndc).not.toBe(created[0]?.body.ndc);
    expect(body.buildNumber).toBe(buildNumber);
    expect(body).not.toHaveProperty('records');
    expect(body).not.toHaveProperty('pages');
    expect(body).not.toHaveProperty('id');
    expect(edge.searches).toEqual([
      {
        ...{ by: { merchantTransactionId: 'order-4711' }, limit: 100, pageNo: 1 },
        ...{ entityId, includeLinked: false },
      },
    ]);
  });

  it.each([
    ['declined', '800.100.152', false],
    ['rejected', '700.400.200', false],
    ['notPerformed', '900.100.310', false],
    ['unknown', '000.200.000', true],
    ['approved', '000.100.110', true],
  ])('has an amount of a %s payment: %s %s', async (outcomeStatus, resultCode, hasAmount) => {
    const { views } = await paid({ status: outcomeStatus, resultCode });
    const { body } = await get('/v1/query');
    const [payment] = body['payments'] as Record<string, unknown>[];
    expect(payment).toMatchObject({ currency: 'EUR', result: { code: resultCode } });
    expect('amount' in (payment ?? {})).toBe(hasAmount);
    edge.script.find = () => views[0];
    const { body: alone } = await get(`/v1/query/${oldId}`, { entityId });
    expect([alone['currency'], 'amount' in alone]).toEqual(['EUR', hasAmount]);
  });

  it.each([
    ['/v1/query', byOrder],
    ['/v3/query', byOrder],
    [`/v1/query/${oldId}`, { entityId }],
    [`/v3/query/${oldId}`, { entityId }],
  ])('that finds nothing is 404 700.400.580: %s', async (path, parameters) => {
    const { status, body } = await get(path, parameters);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      result: { code: '700.400.580', description: 'cannot find transaction' },
      buildNumber,
    });
    expect(body).not.toHaveProperty('id');
  });

  it.each([
    ['both ways to look', { ...byOrder, ...frame }, 'merchantTransactionId'],
    ['half a frame', { entityId, 'date.to': frame['date.to'] }, 'date.from'],
    ['no way to look', { entityId }, 'merchantTransactionId'],
    ['a limit too many', { ...byOrder, limit: '501' }, 'limit'],
    ['an unknown name', { ...byOrder, colour: 'red' }, 'colour'],
  ])('with %s is 400 and names it', async (_, parameters, name) => {
    const { status, body } = await get('/v1/query', parameters);
    expect(status).toBe(400);
    expect(body.result.code).toBe('200.300.404');
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
    expect(edge.searches).toHaveLength(0);
  });

  it.each(['+', '%20'])('takes dates with %s for the space (wire contract 6)', async (space) => {
    await paid({});
    const query = `entityId=${entityId}&date.from=2026-01-01${space}00:00:00&date.to=2026-01-31${space}00:00:00`;
    const { status } = await call(`${edge.url}/v1/query?${query}`, { headers: bearer });
    expect(status).toBe(200);
    expect(edge.searches).toMatchObject([
      { by: { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 31) } },
    ]);
  });

  it('takes the legacy credentials', async () => {
    await paid({});
    const url = `${edge.url}/v1/query${legacyQuery}&merchantTransactionId=order-4711`;
    expect((await call(url)).status).toBe(200);
  });

  it.each([
    ['no credentials', { headers: {} }, byOrder, 401],
    ['a foreign entity', { headers: bearer }, { ...byOrder, entityId: foreignEntityId }, 403],
  ])('with %s is refused before anybody is asked', async (_, init, parameters, expected) => {
    expect((await get('/v1/query', parameters, init)).status).toBe(expected);
    expect(edge.searches).toHaveLength(0);
  });

  it('with reporting away is 503', async () => {
    edge.script.search = () => {
      throw new QueryUnavailable('reporting.transactions', 'deadline');
    };
    const { status, body } = await get('/v1/query');
    expect(status).toBe(503);
    expect(body.result.code).toBe('800.800.800');
  });

  it('by another method is 404, as anywhere', async () => {
    const { status, body } = await post(`${edge.url}/v1/query`, byOrder);
    expect(status).toBe(404);
    expect(body.result.code).toBe('200.300.403');
  });
});

describe('a query whose newest transactions may be missing', () => {
  it('says so beside what there is', async () => {
    const { created, views } = await paid({});
    edge.script.search = () => ({ transactions: views, total: 1, isBehind: true });
    const { status, body } = await get('/v1/query');
    expect([status, body['payments']]).toEqual([200, created.map((each) => each.body)]);
    expect(body.result).toEqual({
      code: '000.000.100',
      description: 'successful request - the newest transactions may be missing: ask again',
    });
  });

  it('is refused, to be asked again, rather than "not found"', async () => {
    edge.script.search = () => ({ transactions: [], total: 0, isBehind: true });
    const { status, body } = await get('/v1/query');
    expect([status, body.result.code]).toEqual([503, '800.800.800']);
  });
});

describe('GET /v1/query/{id}', () => {
  it('is the payment itself, not wrapped', async () => {
    const { created, views } = await paid({});
    edge.script.find = () => views[0];
    const { status, body } = await get(`/v1/query/${views[0]!.id}`, { entityId });
    expect(status).toBe(200);
    const { ndc, timestamp: _now, ...rest } = body;
    const { ndc: createdNdc, timestamp: _then, ...createdRest } = created[0]!.body;
    expect(rest).toEqual(createdRest);
    expect(ndc).not.toBe(createdNdc);
    expect(edge.queries).toEqual([{ transactionId: views[0]!.id, entityId }]);
    expect(edge.searches).toHaveLength(0);
  });

  it.each(['includeLinkedTransactions=true', 'limit=100', 'paymentTypes=DB', 'shortId=1234'])(
    'refuses %s, which would do nothing',
    async (parameter) => {
      const [name = '', value = ''] = parameter.split('=');
      const { status, body } = await get(`/v1/query/${oldId}`, { entityId, [name]: value });
      expect(status).toBe(400);
      expect(body.result.parameterErrors).toMatchObject([{ name }]);
      expect(edge.queries).toHaveLength(0);
    },
  );

  it('with payments away is 503', async () => {
    edge.script.find = () => {
      throw new QueryUnavailable('payments.transaction', 'noService');
    };
    const { status, body } = await get(`/v1/query/${oldId}`, { entityId });
    expect([status, body.result.code]).toEqual([503, '800.800.800']);
  });

  it('of a malformed id is 404 without asking anybody', async () => {
    expect((await get('/v1/query/x', { entityId })).status).toBe(404);
    expect(edge.searches).toHaveLength(0);
  });
});

describe('GET /v3/query', () => {
  it('calls the list records, and counts pages when there are more than one', async () => {
    const { created } = await paid({});
    const all = edge.script.search;
    expect((await get('/v3/query')).body['records']).toEqual(created.map((each) => each.body));
    expect((await get('/v3/query')).body).not.toHaveProperty('pages');
    edge.script.search = (query) => ({ ...all(query), total: 301 });
    expect((await get('/v3/query')).body['pages']).toBe(4);
    expect((await get('/v3/query', { ...byOrder, limit: '300' })).body['pages']).toBe(2);
  });

  it('counts pages when one was asked for by number', async () => {
    await paid({});
    expect((await get('/v3/query', { ...byOrder, pageNo: '1' })).body['pages']).toBe(1);
  });

  it('passes every filter on', async () => {
    await paid({});
    await get('/v3/query', {
      ...{ entityId, ...frame, paymentTypes: 'DB,RF', paymentMethods: 'CC', limit: '200' },
      ...{ shortId: '1234.5678.9012', pageNo: '2', includeLinkedTransactions: 'true' },
    });
    expect(edge.searches).toEqual([
      {
        ...{ entityId, by: { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 31) } },
        ...{ operations: ['debit', 'refund'], paymentMethods: ['CC'], limit: 200, pageNo: 2 },
        ...{ shortId: '1234.5678.9012', includeLinked: true },
      },
    ]);
  });

  it('by id is a list too, with linked ones on demand', async () => {
    const { views } = await paid({}, {});
    const { body } = await get(`/v3/query/${views[0]!.id}`, {
      ...{ entityId, includeLinkedTransactions: 'true' },
    });
    expect(body['records']).toHaveLength(2);
    expect(body).not.toHaveProperty('pages');
    expect(edge.searches).toEqual([
      { transactionId: views[0]!.id, entityId, includeLinked: true, limit: 100, pageNo: 1 },
    ]);
  });

  it('by id has what others have to do with it behind its own, and fills its page with that', async () => {
    const { views } = await paid({}, {}, {});
    const [own, before, linked] = [[views[0]!], [views[1]!], [views[2]!]];
    const asked: object[] = [];
    edge.script.search = () => ({ transactions: own, total: 1 });
    edge.script.linked = (query) => {
      asked.push(query);
      return { transactions: [...before, ...linked], total: 150 };
    };
    const wanted = { entityId, includeLinkedTransactions: 'true', paymentTypes: 'DB,RG' };
    const { body } = await get(`/v3/query/${views[0]!.id}`, wanted);
    expect((body['records'] as { id: string }[]).map(({ id }) => id)).toEqual(
      views.map(({ id }) => id),
    );
    expect(body['pages']).toBe(2);
    edge.script.search = () => ({ transactions: [], total: 1 });
    await get(`/v3/query/${views[0]!.id}`, { ...wanted, pageNo: '2' });
    const filters = {
      operations: ['debit', 'registration'],
      transactionId: views[0]!.id,
      entityId,
    };
    expect(asked).toEqual([
      { ...filters, limit: 99, offset: 0 },
      { ...filters, limit: 100, offset: 99 },
    ]);
  });

  it('by id says that something may be missing without reporting', async () => {
    const { views } = await paid({});
    edge.script.linked = () => {
      throw new QueryUnavailable('reporting.linkedTransactions', 'deadline');
    };
    const wanted = { entityId, includeLinkedTransactions: 'true' };
    const { status, body } = await get(`/v3/query/${views[0]!.id}`, wanted);
    expect(status).toBe(200);
    expect(body['records']).toHaveLength(1);
    expect(body.result.description).toContain('the newest transactions may be missing');
  });

  it('by id is filtered and paged through', async () => {
    const { views } = await paid({});
    const all = edge.script.search;
    edge.script.search = (query) => ({ ...all(query), total: 1_000 });
    const { body } = await get(`/v3/query/${views[0]!.id}`, {
      ...{ entityId, includeLinkedTransactions: 'true', limit: '200', pageNo: '2' },
      ...{ paymentTypes: 'RF', paymentMethods: 'CC,DD' },
    });
    expect(body['pages']).toBe(5);
    expect(edge.searches).toMatchObject([
      { operations: ['refund'], paymentMethods: ['CC', 'DD'], limit: 200, pageNo: 2 },
    ]);
  });
});
