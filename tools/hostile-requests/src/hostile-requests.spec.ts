import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@sluice/testing';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostileRequests } from './generate.js';
import { brokenAmounts } from './hostile-amounts.js';
import { hostile, type RequestContext } from './request-text.js';
import { runHostileRequests } from './run.js';
import { wrongWith } from './verdict.js';

const context: RequestContext = {
  entityId: 'a'.repeat(32),
  accessToken: 'a-token',
  paymentIds: ['0'.repeat(32), '1'.repeat(32)],
};

const JSON_TYPE = 'application/json;charset=UTF-8';
const body = (code: string): string => JSON.stringify({ result: { code, description: '' } });

describe('hostile requests', () => {
  it('are the same for the same seed, and of every class', () => {
    const first = (seed: string): string[] => {
      const source = hostileRequests(context, seededRandom(seed));
      return Array.from({ length: 3_000 }, () => source.next().value.bytes.toString('latin1'));
    };
    expect(first('one')).toEqual(first('one'));
    expect(first('one')).not.toEqual(first('two'));
    const source = hostileRequests(context, seededRandom('classes'));
    const kinds = new Set(Array.from({ length: 5_000 }, () => source.next().value.kind));
    expect(kinds.size).toBeGreaterThanOrEqual(30);
  });

  it('hold at least forty amounts that are none', () => {
    expect(new Set(brokenAmounts).size).toBeGreaterThanOrEqual(40);
  });
});

describe('the verdict on an answer', () => {
  const request = hostile('kind', context, {}, 'refused');
  const answer = (status: number, text: string, type = JSON_TYPE) => ({
    answers: [
      {
        status,
        head: `HTTP/1.1 ${status}\r\ncontent-type: ${type}`,
        body: Buffer.from(text),
        closes: false,
      },
    ],
    durationMs: 1,
  });

  it('accepts a refusal with a result code', () => {
    expect(wrongWith(request, answer(400, body('200.300.404')))).toEqual([]);
  });

  it.each([
    ['a 5xx', answer(500, body('999.999.999')), 'status 500'],
    ['a status that is none', answer(Number.NaN, body('200.300.404')), 'status NaN'],
    ['a success', answer(200, body('000.100.110')), 'status 200 where a refusal was due'],
    ['an empty body', answer(400, ''), 'no JSON with a result code'],
    ['JSON without a code', answer(400, '{"error":"Bad Request"}'), 'no JSON with a result code'],
    ['an invented code', answer(400, body('1')), 'result code 1'],
    ['HTML', answer(400, body('200.300.404'), 'text/html'), 'content type text/html'],
    ['silence', { answers: [], durationMs: 9, failure: 'no answer' }, 'no answer'],
  ])('finds fault with %s', (_name, exchange, sentence) => {
    expect(wrongWith(request, exchange)).toEqual([sentence]);
  });

  it('wants a request with nothing wrong to be approved, and data echoed', () => {
    const debit = hostile('valid', context, {}, 'approved');
    expect(wrongWith(debit, answer(200, body('000.200.000')))).toEqual(['code 000.200.000']);
    expect(wrongWith(debit, answer(400, body('200.300.404')))).toEqual([
      'status 400 for a request with nothing wrong',
      'code 200.300.404',
    ]);
    const echoing = { ...hostile('key', context, {}), echo: 'mark-1' };
    expect(wrongWith(echoing, answer(200, body('000.100.110')))).toEqual([
      'data was taken and not echoed',
    ]);
  });
});

describe('a run against a server with mistakes', () => {
  let server: Server;
  let url: string;
  const mistakes: { path: string; answer: (response: ServerResponse) => void }[] = [];

  beforeAll(async () => {
    server = createServer((request: IncomingMessage, response) => {
      request.resume();
      const mistake = mistakes.find(({ path }) => request.url?.includes(path));
      if (mistake !== undefined) mistake.answer(response);
      else response.writeHead(400, { 'content-type': JSON_TYPE }).end(body('200.300.404'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });

  it('reports them all with the request', async () => {
    mistakes.push({ path: '/metrics', answer: (response) => response.writeHead(500).end() });
    mistakes.push({ path: '/.env', answer: (response) => response.destroy() });
    const random = seededRandom('mistakes');
    const report = await runHostileRequests({ url, context, random, requests: 2_000 });
    expect(report.requests).toBe(2_000);
    expect(report.findingsTotal).toBeGreaterThan(0);
    const found = report.findings.join('\n');
    expect(found).toContain('valid read: status 400 for a request with nothing wrong');
    expect([...report.statuses.keys()]).toContain(500);
  });
});
