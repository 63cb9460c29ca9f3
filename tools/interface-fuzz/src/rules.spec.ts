import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kinds } from '@sluice/parameters';
import { seededRandom } from '@sluice/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ruleRequests } from './rule-requests.js';
import { runRules } from './rule-run.js';
import { type RequestContext, validRequests } from './valid-requests.js';
import { wrongWith } from './verdict.js';

const context: RequestContext = {
  entityId: 'a'.repeat(32),
  accessToken: 'a-token',
  paymentIds: ['0'.repeat(32), '1'.repeat(32)],
  registrationIds: [],
};

/**
 * Resources that are to come, whose parameters are known, and read by nobody yet; and those without a
 * payment, which the sandbox's own specs have. A change of a
 * registration has one, but what is right in it depends on what is stored, and a form of the
 * widget completes one checkout, once; edge's own specs have both.
 */
const WITHOUT_RESOURCE = [
  ...['checkout', 'widgetPayment', 'registrationUpdate'],
  ...['threeDSecure', 'risk', 'report'],
];

describe('generated requests', () => {
  it('are the same for the same seed', () => {
    const first = (seed: string): string[] => {
      const source = ruleRequests(context, seededRandom(seed));
      return Array.from({ length: 500 }, () => JSON.stringify(source.next().value));
    };
    expect(first('one')).toEqual(first('one'));
    expect(first('one')).not.toEqual(first('two'));
  });

  it('are of every kind that has a resource, right and wrong', () => {
    const source = ruleRequests(context, seededRandom('kinds'));
    const made = Array.from({ length: 2_000 }, () => source.next().value);
    const of = (isRight: boolean): Set<string> =>
      new Set(made.filter(({ refused }) => (refused.length === 0) === isRight).map((r) => r.kind));
    expect(of(true)).toEqual(new Set(validRequests.keys()));
    expect(of(false)).toEqual(new Set(validRequests.keys()));
  });

  it('leave no kind out that has a resource', () => {
    const left = kinds.filter((kind) => !validRequests.has(kind));
    expect(left).toEqual(WITHOUT_RESOURCE);
  });
});

describe('the verdict on an answer', () => {
  const refusal = (...names: readonly string[]) => ({
    status: 400,
    durationMs: 1,
    body: JSON.stringify({
      result: { code: '200.300.404', parameterErrors: names.map((name) => ({ name })) },
    }),
  });
  const answer = (status: number, code: string) => ({
    status,
    durationMs: 1,
    body: JSON.stringify({ result: { code } }),
  });

  it('takes a payment, a decline and a reference to nothing for a request that is right', () => {
    expect(wrongWith([], answer(200, '000.100.110'))).toBeUndefined();
    expect(wrongWith([], answer(400, '100.100.101'))).toBeUndefined();
    expect(wrongWith([], answer(404, '700.400.580'))).toBeUndefined();
  });

  it('finds fault with half a character, which strict readers of JSON refuse', () => {
    const parameterErrors = [{ name: 'a', value: 'x\ud83d' }];
    const body = JSON.stringify({ result: { code: '200.300.404', parameterErrors } });
    expect(wrongWith(['a'], { ...refusal('a'), body })).toBe('a character is cut in half');
  });

  it('takes a refusal that names the parameters, in any order', () => {
    expect(wrongWith(['amount'], refusal('amount'))).toBeUndefined();
    expect(wrongWith(['a', 'b'], refusal('b', 'a'))).toBeUndefined();
  });

  it.each([
    [
      'a refusal of what is right',
      [],
      refusal('amount'),
      'refused although nothing is wrong: amount',
    ],
    [
      'a payment of what is wrong',
      ['amount'],
      answer(200, '000.100.110'),
      'taken (000.100.110) although amount is wrong',
    ],
    ['another name', ['amount'], refusal('currency'), 'names currency and not amount'],
    ['one name too many', ['a'], refusal('a', 'b'), 'names a, b and not a'],
    ['a name twice', ['a'], refusal('a', 'a'), 'names a, a and not a'],
    [
      'a refusal that is no 400',
      ['a'],
      { ...refusal('a'), status: 200 },
      'HTTP 200 for 200.300.404',
    ],
    ['a 5xx', [], answer(500, '999.999.999'), 'HTTP 500'],
    [
      'a body without a code',
      [],
      { ...answer(200, ''), body: '<html>' },
      'HTTP 200 without a result code',
    ],
    ['silence', [], { status: 0, durationMs: 1, body: 'no answer' }, 'no answer (no answer)'],
  ])('finds fault with %s', (_name, refused, given, sentence) => {
    expect(wrongWith(refused, given)).toBe(sentence);
  });
});

describe('a run against a server that takes everything', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      request.once('end', () => response.end('{"result":{"code":"000.100.110"}}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });

  it('reports every request that is wrong', async () => {
    const random = seededRandom('everything');
    const report = await runRules({ url, context, random, requests: 300 });
    expect(report.requests).toBe(300);
    expect(report.findingsTotal).toBe(report.requests - report.valid);
    expect(report.findings[0]).toMatch(/although .+ is wrong\n {2}> "(?:GET|POST) \//);
  });
});
