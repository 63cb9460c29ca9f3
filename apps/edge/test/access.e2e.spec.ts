import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { codes } from '@sluice/result-codes';
import { bearer, call, debit, formText, post } from './http-client.js';
import {
  buildNumber,
  entityId,
  foreignEntityId,
  legacy,
  merchantEntityId,
  merchantToken,
  ScriptedEdge,
  siblingEntityId,
  token,
} from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const payments = () => `${edge.url}/v1/payments`;
const withHeader = (authorization: string, parameters: object = debit) =>
  post(payments(), { ...parameters }, { Authorization: authorization });
const withoutHeader = (parameters: object, query = '') =>
  call(`${payments()}${query}`, {
    method: 'POST',
    body: formText({ ...parameters }),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
const legacyParameters = {
  'authentication.userId': legacy.userId,
  'authentication.password': legacy.password,
  'authentication.entityId': entityId,
};
const { entityId: _, ...debitWithoutEntity } = debit;

describe('the Authorization header', () => {
  it.each([`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}  `, `bEaReR ${token}`])(
    '%j is accepted',
    async (authorization) => {
      expect((await withHeader(authorization)).status).toBe(200);
    },
  );

  it.each(['', 'Bearer', 'Bearer ', token, `Basic ${token}`, `Bearer ${token} x`, 'Bearer \u00e9'])(
    '%j is malformed: 401',
    async (authorization) => {
      const { status, body } = await withHeader(authorization);
      expect(status).toBe(401);
      expect(body.result.code).toBe(codes.invalidAuthentication);
    },
  );

  it('missing, with no legacy parameters either: 401 with the headers of the family', async () => {
    const { status, body, headers } = await withoutHeader(debit);
    expect(status).toBe(401);
    expect(body).toEqual({
      result: {
        code: '800.900.300',
        description: 'invalid authentication information',
      },
      buildNumber,
      timestamp: '2026-01-02 10:20:30+0000',
      ndc: expect.stringMatching(/^0{32}_[0-9a-f]{32}$/),
    });
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="sluice", error="invalid_token", ' +
        'error_description="Invalid Authorization header!"',
    );
    expect(headers.get('cache-control')).toBe('max-age=0, no-cache, no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=[0-9]+$/);
    expect(headers.get('content-type')).toBe('application/json;charset=UTF-8');
  });

  it('with a token nobody has: 403 with the same body, before the form is looked at', async () => {
    const answer = await post(payments(), 'amount=%ff&amount=1', {
      Authorization: 'Bearer nobody',
    });
    expect(answer.status).toBe(403);
    expect(answer.body.result.code).toBe('800.900.300');
    expect(answer.body.ndc).toMatch(/^0{32}_/);
    expect(answer.headers.has('www-authenticate')).toBe(false);
  });

  it('counts before legacy parameters', async () => {
    expect((await withHeader('Bearer nobody', { ...debit, ...legacyParameters })).status).toBe(403);
  });

  it('is never written to the log', async () => {
    await withHeader(`Bearer ${token}`);
    await withHeader('Bearer guessed-token');
    expect(edge.logged.length).toBeGreaterThan(1);
    expect(edge.logged.join('')).not.toMatch(/channel-token|guessed-token/);
  });
});

describe('legacy parameters', () => {
  it('are accepted in the body', async () => {
    const { status } = await withoutHeader({ ...debitWithoutEntity, ...legacyParameters });
    expect(status).toBe(200);
    expect(edge.command.data.context.entityId).toBe(entityId);
  });

  it('are accepted in the query', async () => {
    const query = `?${formText(legacyParameters)}`;
    expect((await withoutHeader(debitWithoutEntity, query)).status).toBe(200);
  });

  it('are accepted with entityId under its own name', async () => {
    const { 'authentication.entityId': _entity, ...login } = legacyParameters;
    expect((await withoutHeader({ ...debit, ...login })).status).toBe(200);
  });

  it('with a wrong password are refused: 403', async () => {
    const wrong = { ...debit, ...legacyParameters, 'authentication.password': 'guess' };
    const { status, body } = await withoutHeader(wrong);
    expect(status).toBe(403);
    expect(body.result.code).toBe('800.900.300');
  });

  it('of which one is missing are no credential: 401', async () => {
    const { 'authentication.password': _password, ...half } = legacyParameters;
    expect((await withoutHeader({ ...debit, ...half })).status).toBe(401);
  });

  it('may stand in query and body alike, with an equal entityId besides', async () => {
    const query = `?${formText(legacyParameters)}`;
    const { status } = await withoutHeader({ ...debit, ...legacyParameters }, query);
    expect(status).toBe(200);
    expect(edge.command.data.context.entityId).toBe(entityId);
  });

  it.each([
    ['authentication.password', 'guess'],
    ['authentication.userId', 'somebody'],
    ['authentication.entityId', siblingEntityId],
  ])('that differ between query and body in %s are refused', async (name, other) => {
    const query = `?${formText({ ...legacyParameters, [name]: other })}`;
    const { status, body } = await withoutHeader({ ...debit, ...legacyParameters }, query);
    expect(status).toBe(400);
    expect(body.result.parameterErrors).toEqual([
      { name, message: 'must be equal in query and body' },
    ]);
  });

  it('naming two different entities are refused', async () => {
    const { status, body } = await withoutHeader({
      ...debit,
      ...legacyParameters,
      entityId: siblingEntityId,
    });
    expect(status).toBe(400);
    expect(body.result.parameterErrors?.[0]?.name).toBe('authentication.entityId');
  });

  it('are neither stored nor echoed nor logged', async () => {
    const { text } = await withoutHeader({ ...debitWithoutEntity, ...legacyParameters });
    const traces = [text, JSON.stringify(edge.commands), ...edge.logged].join('');
    expect(traces).not.toMatch(/legacy/);
  });

  it('in a body that cannot be read are told what is wrong with it', async () => {
    const { status, body } = await call(payments(), {
      method: 'POST',
      body: `${formText(legacyParameters)}&amount=1&amount=2`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(400);
    expect(body.result.parameterErrors?.[0]?.name).toBe('amount');
  });
});

describe('the entity', () => {
  it("may be left out with a channel's token", async () => {
    const { status, body } = await post(payments(), debitWithoutEntity);
    expect(status).toBe(200);
    expect(body.ndc).toMatch(new RegExp(`^${entityId}_[0-9a-f]{32}$`));
  });

  it('may stand in query and body alike, but not differ', async () => {
    expect((await post(`${payments()}?entityId=${entityId}`, debit)).status).toBe(200);
    const { status, body } = await post(`${payments()}?entityId=${siblingEntityId}`, debit);
    expect(status).toBe(400);
    expect(body.result.parameterErrors).toEqual([
      { name: 'entityId', message: 'must be equal in query and body' },
    ]);
    expect(edge.commands).toHaveLength(1);
  });

  it("must be named with a merchant's token", async () => {
    const { status, body } = await withHeader(`Bearer ${merchantToken}`, debitWithoutEntity);
    expect(status).toBe(400);
    expect(body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name: 'entityId', message: 'may not be empty' }],
    });
  });

  it("may be any channel below a merchant's token, which is the actor", async () => {
    const sent = { ...debit, entityId: siblingEntityId };
    expect((await withHeader(`Bearer ${merchantToken}`, sent)).status).toBe(200);
    expect(edge.command.data.context).toMatchObject({
      entityId: siblingEntityId,
      channelName: 'Map Shop',
      actor: merchantEntityId,
    });
  });

  it('foreign, unknown or malformed is refused alike: 403', async () => {
    const bodies = [];
    for (const wrong of [foreignEntityId, 'f'.repeat(32), 'x', '__proto__']) {
      const { status, body } = await post(payments(), { ...debit, entityId: wrong });
      expect(status).toBe(403);
      bodies.push({ ...body, ndc: '' });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]?.result.code).toBe('800.900.100');
  });

  it('merchant without channel dispatching: 600.200.500', async () => {
    const sent = { ...debit, entityId: merchantEntityId };
    const { status, body } = await withHeader(`Bearer ${merchantToken}`, sent);
    expect(status).toBe(400);
    expect(body.result.code).toBe('600.200.500');
    expect(body.result.description).toContain('channel dispatching is not served');
  });
});

describe('test mode', () => {
  it.each([
    [undefined, 'INTERNAL'],
    ['INTERNAL', 'INTERNAL'],
    ['EXTERNAL', 'EXTERNAL'],
  ])('%s on a test installation is %s', async (testMode, mode) => {
    expect((await post(payments(), { ...debit, testMode })).status).toBe(200);
    expect(edge.command.data.context.mode).toBe(mode);
  });

  it('of another kind is refused', async () => {
    const { status, body } = await post(payments(), { ...debit, testMode: 'LIVE' });
    expect(status).toBe(400);
    expect(body.result.parameterErrors?.[0]?.name).toBe('testMode');
  });
});

describe('a live installation', () => {
  const live = new ScriptedEdge();
  beforeAll(async () => {
    await live.start({ gatewayEnvironment: 'live' });
  });
  afterAll(() => live.close());

  it('is never lenient as a whole', async () => {
    const lenient = new ScriptedEdge().start({ gatewayEnvironment: 'live', isLenient: true });
    await expect(lenient).rejects.toThrow('EDGE_LENIENT must be false on a live installation.');
  });

  it('takes references in mode LIVE', async () => {
    const refund = { entityId: debit.entityId, paymentType: 'RF', amount: '1.00', currency: 'EUR' };
    const { status } = await post(`${live.url}/v1/payments/${'f'.repeat(32)}`, refund);
    expect(status).toBe(200);
    expect(live.command.data.context.mode).toBe('LIVE');
  });

  it('takes payments in mode LIVE and ignores what is meant for the simulator', async () => {
    const { status } = await post(`${live.url}/v1/payments`, {
      ...debit,
      'customParameters[forceResultCode]': '800.100.151',
      'customParameters[simulator.fault]': 'no fault at all',
      'customParameters[simulator.avs]': 'F',
    });
    expect(status).toBe(200);
    expect(live.command.data.context.mode).toBe('LIVE');
    expect(live.command.data).not.toHaveProperty('testDirectives');
  });

  it.each(['INTERNAL', 'EXTERNAL'])('refuses testMode %j', async (testMode) => {
    const { status, body } = await post(`${live.url}/v1/payments`, { ...debit, testMode });
    expect(status).toBe(400);
    expect(body.result.code).toBe('600.200.701');
  });
});

describe('throttling', () => {
  const throttled = new ScriptedEdge();
  beforeAll(async () => {
    await throttled.start({
      ...{ throttlePerSecond: 1, throttleBurst: 2 },
      ...{ throttleReadsPerSecond: 1, throttleReadsBurst: 4 },
    });
  });
  afterAll(() => throttled.close());

  it('refuses what is too much with its own code and an id, for this token and entity', async () => {
    const url = `${throttled.url}/v1/payments`;
    expect((await post(url, debit)).status).toBe(200);
    expect((await post(url, debit)).status).toBe(200);
    const { status, body } = await post(url, debit);
    expect(status).toBe(400);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      result: {
        code: '800.120.100',
        description: expect.stringMatching(/too many requests.*try again later/i),
      },
      buildNumber,
      timestamp: expect.any(String),
      ndc: expect.stringMatching(new RegExp(`^${entityId}_`)),
    });
    expect(throttled.commands).toHaveLength(2);
    const other = { Authorization: `Bearer ${merchantToken}` };
    expect((await post(url, debit, other)).status).toBe(200);
  });

  it('gives an id that says when it is read what became of its request', async () => {
    const url = `${throttled.url}/v1/payments`;
    const { body: refused } = await post(url, debit);
    expect(refused.result.code).toBe('800.120.100');
    // Reading has a limit of its own.
    const { status, body } = await call(`${url}/${refused.id}`, { headers: bearer });
    expect([status, body.id, body.result]).toEqual([400, refused.id, refused.result]);
    // A query by id says what a read says (D-65).
    for (const version of ['v1', 'v3']) {
      const query = `${throttled.url}/${version}/query/${refused.id}`;
      expect((await call(query, { headers: bearer })).body.result).toEqual(refused.result);
    }
    throttled.clock.advance(3_600_000);
    const later = await call(`${url}/${refused.id}`, { headers: bearer });
    expect(later.body.result).toEqual(refused.result);
    // To another entity, and with any other digit, it is an id of nothing.
    const other = { Authorization: `Bearer ${merchantToken}` };
    const foreign = `${url}/${refused.id}?entityId=${siblingEntityId}`;
    expect((await call(foreign, { headers: other })).status).toBe(404);
    const [last] = refused.id.slice(-1);
    const unlike = refused.id.slice(0, -1) + (last === '0' ? '1' : '0');
    expect((await call(`${url}/${unlike}`, { headers: bearer })).status).toBe(404);
  });

  it('counts reads for themselves, so that reading stops no payment, and never the open list of result codes', async () => {
    const url = `${throttled.url}/v1/payments/${'0'.repeat(32)}`;
    throttled.clock.advance(60_000);
    const codesSeen = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      codesSeen.push((await call(url, { headers: bearer })).body.result.code);
    }
    const found = Array.from({ length: 4 }, () => '700.400.580');
    expect(codesSeen).toEqual([...found, '800.120.100']);
    expect((await post(`${throttled.url}/v1/payments`, debit)).status).toBe(200);
    expect((await call(`${throttled.url}/v1/resultcodes`)).status).toBe(200);
  });
});

describe('without a directory', () => {
  const early = new ScriptedEdge();
  afterEach(() => early.close());

  it('nobody can be let in: 503 with the common body', async () => {
    early.script.directory = 'unavailable';
    await early.start();
    const { status, body } = await post(`${early.url}/v1/payments`, debit);
    expect(status).toBe(503);
    expect(body.result.code).toBe('800.800.800');
    expect(body.ndc).toMatch(/^0{32}_/);
    expect(early.commands).toHaveLength(0);
  });
});
