import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newTransactionId } from '@sluice/identifiers';
import { bearer, call, debit, formText, post } from './http-client.js';
import { buildNumber, entityId, replying, ScriptedEdge, startMs } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const id = newTransactionId(startMs - 3_600_000);
const commonBody = (code: string) => ({
  result: expect.objectContaining({ code }),
  buildNumber,
  timestamp: '2026-01-02 10:20:30+0000',
  ndc: expect.stringMatching(/^0{32}_[0-9a-f]{32}$/),
});

describe('what is not there', () => {
  it.each([
    '/v1',
    '/v1/payment',
    '/v2/payments',
    '/V1/payments',
    `/v1/payments/${id}/x`,
    '/v1/paymentWidgets',
    '/metrics',
    '/%',
    '/%zz',
    '/v1/payments/%ff',
    `/v1/payments/${'a'.repeat(101)}`,
    `/${'a/'.repeat(3_000)}`,
  ])('%s is 404 with the common body', async (path) => {
    const { status, body, headers } = await call(`${edge.url}${path}`, { headers: bearer });
    expect(status).toBe(404);
    expect(body).toEqual(commonBody('200.100.199'));
    expect(headers.get('content-type')).toBe('application/json;charset=UTF-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each([
    ['GET', '/v1/payments'],
    ['PUT', '/v1/payments'],
    ['DELETE', `/v1/payments/${id}`],
    ['PATCH', `/v1/payments/${id}`],
    ['OPTIONS', '/v1/payments'],
    ['POST', '/v1/resultcodes'],
  ])('%s %s is 404 and says that it is the method', async (method, path) => {
    const { status, body } = await call(`${edge.url}${path}`, { method, headers: bearer });
    expect(status).toBe(404);
    expect(body).toEqual(commonBody('200.300.403'));
  });

  it.each(['TRACE', 'PURGE', 'PROPFIND', 'HEAD'])('method %s is 404', async (method) => {
    const answer = await raw(
      `${method} /v1/payments HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('HEAD', () => {
  it.each([
    ['/v1/resultcodes', 200],
    [`/v1/payments/${id}?entityId=${entityId}`, 404],
    [`/v1/query/${id}?entityId=${entityId}`, 404],
    [`/v1/payments/${id}?entityId=other`, 403],
    ['/docs/other', 404],
  ])('%s answers as GET does, without the body', async (path, status) => {
    const asked = async (method: string) => {
      const response = await fetch(`${edge.url}${path}`, { method, headers: bearer });
      const headers = new Map(response.headers);
      // Of the time and of the connection, which `fetch` closes after HEAD.
      for (const name of ['date', 'connection', 'keep-alive']) headers.delete(name);
      return {
        status: response.status,
        headers,
        length: (await response.arrayBuffer()).byteLength,
      };
    };
    const [read, head] = [await asked('GET'), await asked('HEAD')];
    expect([read.status, read.length > 0, head.length]).toEqual([status, true, 0]);
    expect([head.status, head.headers]).toEqual([read.status, read.headers]);
    expect(edge.done.at(-1)).toMatchObject({ method: 'HEAD', status });
  });

  it('of what is only written is 404', async () => {
    const path = `${edge.url}/v1/payments`;
    expect((await fetch(path, { method: 'HEAD', headers: bearer })).status).toBe(404);
  });
});

describe('a version that there is not', () => {
  it.each(['0', '2', '9', '10', '01', '1.1', '-1', '1a', ''])('v%s is 404', async (version) => {
    for (const path of ['payments', `payments/${id}`, 'query', `query/${id}`, 'resultcodes']) {
      const url = `${edge.url}/v${version}/${path}`;
      const read = await call(url, { headers: bearer });
      expect([read.status, read.body]).toEqual([404, commonBody('200.100.199')]);
      const sent = await post(url, debit);
      expect([sent.status, sent.body]).toEqual([404, commonBody('200.100.199')]);
    }
    expect(edge.commands).toHaveLength(0);
  });

  it.each(['/v2/query', `/v2/query/${id}`, '/v4/query', '/v3/payments', '/v3/resultcodes'])(
    '%s is 404: each resource has its own',
    async (path) => {
      const { status, body } = await call(`${edge.url}${path}`, { headers: bearer });
      expect([status, body]).toEqual([404, commonBody('200.100.199')]);
    },
  );

  it('is 404 before anybody is asked who it is', async () => {
    expect((await call(`${edge.url}/v2/payments`)).status).toBe(404);
  });
});

describe('paths that clients write differently', () => {
  it.each(['//v1/payments', '/v1//payments', '/v1/payments/'])('%s works', async (path) => {
    expect((await post(`${edge.url}${path}`, debit)).status).toBe(200);
  });
});

describe('the body of a request', () => {
  it.each([
    'application/json',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencodedx',
    'application/x-www-form-urlencoded, application/json',
    ';',
    'form',
    'a'.repeat(4_000),
  ])('as %s is refused', async (type) => {
    const { status, body } = await post(`${edge.url}/v1/payments`, debit, { 'Content-Type': type });
    expect(status).toBe(400);
    expect(body.result).toMatchObject({ code: '200.300.404', parameterErrors: [{ name: 'body' }] });
    expect(edge.commands).toHaveLength(0);
  });

  it.each([
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-Urlencoded;charset=utf-8',
    'application/x-www-form-urlencoded ; charset=UTF-8',
    'application/x-www-form-urlencoded; charset="utf-8"',
    'application/x-www-form-urlencoded;charset=utf8',
    'application/x-www-form-urlencoded; boundary=x',
  ])('as %s is read', async (type) => {
    const { status } = await post(`${edge.url}/v1/payments`, debit, { 'Content-Type': type });
    expect(status).toBe(200);
  });

  it.each([
    ...[
      'ISO-8859-1',
      'iso-8859-15',
      'windows-1252',
      'UTF-16',
      'us-ascii',
      '"latin1"',
      '',
      'utf-8x',
    ],
    'utf-8; charset=iso-8859-1',
  ])('in the charset %s is refused, and not misread', async (charset) => {
    const { status, body } = await post(`${edge.url}/v1/payments`, debit, {
      'Content-Type': `application/x-www-form-urlencoded; charset=${charset}`,
    });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors).toEqual([
      { name: 'body', message: 'must be in UTF-8, and its Content-Type names another charset' },
    ]);
    expect(edge.commands).toHaveLength(0);
  });

  it('of more than 1 MiB is refused with 400, before it is all there', async () => {
    const head = `POST /v1/payments HTTP/1.1\r\nHost: a\r\n${headerLines()}Content-Length: 1048577\r\n\r\n`;
    const answer = await raw(head);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"200.300.404"');
    expect(answer).toContain('is too large');
  });

  it('of more than 1 MiB in pieces is refused as well', async () => {
    const head = `POST /v1/payments HTTP/1.1\r\nHost: a\r\n${headerLines()}Transfer-Encoding: chunked\r\n\r\n`;
    const piece = 'a'.repeat(0x80000);
    const answer = await raw(head + `80000\r\n${piece}\r\n`.repeat(3));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('is too large');
  });

  it('up to 1 MiB is read', async () => {
    const items = Array.from({ length: 500 }, (_, n) => [
      `cart.items[${n}].description`,
      'x'.repeat(2_000),
    ]);
    const { status } = await post(`${edge.url}/v1/payments`, {
      ...debit,
      ...Object.fromEntries(items),
    });
    expect(status).toBe(200);
  });

  it('that becomes too large a command is refused and its card forgotten', async () => {
    // Each control character is one byte of the form and six of the command's JSON.
    const value = '\u0001'.repeat(2_048);
    const large = Array.from({ length: 340 }, (_, n) => `customParameters[key${n}]=${value}`);
    const { status, body } = await post(
      `${edge.url}/v1/payments`,
      `${formText(debit)}&${large.join('&')}`,
    );
    expect(status).toBe(400);
    expect(body.result.parameterErrors).toEqual([{ name: 'body', message: 'is too large' }]);
    expect(edge.commands).toHaveLength(0);
    expect(edge.forgotten).toEqual(['reference-1']);
  });
});

describe('what is not HTTP', () => {
  it.each([
    ['garbage', '{"amount":"1.00"}\r\n\r\n'],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    ['an endless header', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'h'.repeat(20_000)}\r\n\r\n`],
    ['a header name with a space', 'GET / HTTP/1.1\r\nHost: a\r\nX A: 1\r\n\r\n'],
  ])('%s is answered 400 with the common body, and the connection ends', async (_, text) => {
    const answer = await raw(text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toLowerCase()).toContain('content-type: application/json;charset=utf-8');
    expect(answer.toLowerCase()).toContain('connection: close');
    const body = JSON.parse(answer.slice(answer.indexOf('{"')));
    expect(body).toEqual(commonBody('200.300.404'));
  });

  it.each([
    ['no host', 'GET /v1/resultcodes HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'an unknown expectation',
      'GET /v1/resultcodes HTTP/1.1\r\nHost: a\r\nExpect: 200-maybe\r\nConnection: close\r\n\r\n',
    ],
    [
      'an upgrade',
      'GET /v1/resultcodes HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
    ],
  ])('%s changes nothing', async (_, text) => {
    const answer = await raw(text);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"resultCodes"');
  });
});

describe('the line per request', () => {
  it('has method, path, status, result code, time and ndc, and nothing of the query', async () => {
    const { body } = await call(`${edge.url}/v1/payments/${id}?entityId=${entityId}`, {
      headers: bearer,
    });
    expect(edge.done).toEqual([
      {
        method: 'GET',
        path: `/v1/payments/${id}`,
        status: 404,
        resultCode: '700.400.580',
        durationMs: expect.any(Number),
        ndc: body.ndc,
      },
    ]);
    expect(edge.logged.join('')).not.toContain('entityId');
    expect(edge.logged.join('')).toContain(body.ndc);
  });

  it('is written once for whatever came, also for what was no HTTP', async () => {
    await post(`${edge.url}/v1/payments`, debit);
    await post(`${edge.url}/v1/payments`, {});
    await call(`${edge.url}/nowhere`);
    await call(`${edge.url}/%`);
    await raw('garbage\r\n\r\n');
    expect(edge.done.map(({ status }) => status)).toEqual([200, 400, 404, 404, 400]);
  });

  it('masks a card number in a path', async () => {
    await call(`${edge.url}/v1/payments/4200000000000000`, { headers: bearer });
    expect(edge.done[0]?.path).toBe('/v1/payments/***');
    expect(edge.logged.join('')).not.toContain('4200000000000000');
  });

  it.each([
    ['4200-0000-0000-0000', '***-***-***-***'],
    ['4200%20%200000%20%200000%20%200000', '***%20%20***%20%20***%20%20***'],
    ['%34%32%30%30000000000000', '***'],
    ['%EF%BC%94200000000000000', '***'],
    [`${'a'.repeat(180)}4200000000000000`, `${'a'.repeat(180)}***`],
  ])('masks it in every spelling: %s', async (spelling, masked) => {
    await call(`${edge.url}/v1/payments/${spelling}`, { headers: bearer });
    expect(edge.done[0]?.path).toBe(`/v1/payments/${masked}`);
    expect(edge.logged.join('')).not.toContain(spelling);
  });
});

describe('closing', () => {
  it('lets a request in hand end and takes no new one', async () => {
    const closing = await new ScriptedEdge().start();
    let finish: () => void = () => undefined;
    const started = new Promise<void>((begun) => {
      closing.script.reply = async (command) => {
        begun();
        await new Promise<void>((resolve) => (finish = resolve));
        return replying({})(command);
      };
    });
    const answer = post(`${closing.url}/v1/payments`, debit);
    await started;
    const closed = closing.close();
    finish();
    expect((await answer).status).toBe(200);
    await closed;
    await expect(call(`${closing.url}/v1/resultcodes`)).rejects.toThrow('fetch failed');
  });

  it('cuts off what takes longer than the bound', async () => {
    const closing = await new ScriptedEdge().start({ closeWaitMs: 30 });
    const started = new Promise<void>((begun) => {
      closing.script.reply = () => {
        begun();
        return new Promise(() => undefined);
      };
    });
    const answer = post(`${closing.url}/v1/payments`, debit).catch(() => 'cut off');
    await started;
    await closing.close();
    await closing.close();
    expect(await answer).toBe('cut off');
  });
});

function headerLines(): string {
  return `Authorization: ${bearer.Authorization}\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
}

/** Sends bytes as they are and reads until the server ends the connection, or a whole answer. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(edge.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(text, 'latin1')));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (data: string) => (received += data));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

describe('the sizes that a form may have', () => {
  it('are those of the parser: 30,000 parameters', async () => {
    const many = Array.from({ length: 30_001 }, (_, n) => `p${n}=`).join('&');
    const { status, body } = await post(`${edge.url}/v1/payments`, `${formText(debit)}&${many}`);
    expect(status).toBe(400);
    expect(body.result.parameterErrors).toHaveLength(1);
  });
});
