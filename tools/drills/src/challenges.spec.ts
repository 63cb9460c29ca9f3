import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ChallengedPayment, challengeInBooks, Challenges } from './challenges.js';

const APPROVED = '000.100.110';
const PENDING = '000.200.000';

/** What is answered to each request; undefined: the connection is closed. */
type Place = (asked: string, form: string) => Answer | undefined;

interface Answer {
  readonly status?: number;
  readonly location?: string;
  readonly text?: string;
}

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

async function serving(place: Place): Promise<string> {
  const server = createServer((request: IncomingMessage, response) => {
    let form = '';
    request.on('data', (chunk: Buffer) => (form += chunk.toString('utf8')));
    request.on('end', () => {
      const answer = place(`${request.method ?? ''} ${request.url ?? ''}`, form);
      if (answer === undefined) return response.destroy();
      const { status = 200, location, text = '' } = answer;
      const headers = location === undefined ? {} : { location };
      return response.writeHead(status, headers).end(text);
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const healthy: Place = (asked, form) => {
  const body = (code: string, more: object = {}) => ({
    text: JSON.stringify({ id: 'p1', result: { code }, ...more }),
  });
  const isAt = (begins: string) => asked.startsWith(begins);
  const redirect = { url: `${gateway}/redirects/p1` };
  if (isAt('POST /v1/payments')) return body(PENDING, { redirect });
  if (isAt('GET /redirects/p1')) {
    // Where a browser of the cluster's own node would find them.
    const action = 'http://127.0.0.1:8082/3ds/visa/challenge';
    return { text: `<form action="${action}"><input name="creq" value="Q1" /></form>` };
  }
  if (isAt('POST /3ds/visa/challenge/c1')) {
    return { text: form === 'answer=123456' ? '<input name="cres" value="S1" />' : 'wrong' };
  }
  if (isAt('GET /3ds/visa/challenge/c1')) return { text: '<input name="answer" />' };
  if (isAt('POST /3ds/visa/challenge')) {
    return form === 'creq=Q1'
      ? { status: 303, location: '/3ds/visa/challenge/c1' }
      : { status: 400 };
  }
  if (isAt('POST /redirects/p1/return')) {
    return { status: form === 'cres=S1' ? 303 : 400, location: 'https://shop.example/result' };
  }
  return body(APPROVED);
};

let gateway = '';

/** What one challenge came to, at a gateway and issuers of one address. */
async function challengeAt(place: Place): Promise<ChallengedPayment | undefined> {
  gateway = await serving(place);
  const challenges = new Challenges(gateway, 'drill-1', (work) => work(gateway));
  await challenges.open(1);
  await challenges.answer();
  challenges.close();
  return challenges.payments[0];
}

/** The same place, but for one request. */
function but(begins: string, answer: Answer | undefined): Place {
  return (asked, form) => (asked.startsWith(begins) ? answer : healthy(asked, form));
}

describe('shoppers at their issuers', () => {
  it('answer and come back, and the merchant knows', async () => {
    const payment = await challengeAt(healthy);
    expect(payment?.failure).toBeUndefined();
    expect(payment?.tookMs).toBeGreaterThan(0);
    const attempts = [
      { kind: 'answered', code: PENDING, id: 'p1' },
      { kind: 'answered', code: APPROVED, id: 'p1' },
    ];
    expect(payment === undefined ? undefined : challengeInBooks(payment)).toMatchObject({
      ...{ reference: 'drill-1-c00001', operation: 'DB', amountMinor: 9_201n, attempts },
    });
  });

  it('answer as many at a time as are asked to', async () => {
    gateway = await serving(healthy);
    const challenges = new Challenges(gateway, 'drill-1', (work) => work(gateway));
    await challenges.open(3);
    await challenges.answer(1, true);
    const paid = () => challenges.payments.map(({ tookMs }) => tookMs !== undefined);
    expect(paid()).toEqual([true, false, false]);
    await challenges.answer();
    expect(paid()).toEqual([true, true, true]);
    expect(challenges.payments.map(({ isMeanwhile }) => isMeanwhile)).toEqual([true, false, false]);
    challenges.close();
  });

  it.each<[string, string, Answer | undefined, string]>([
    [
      'a payment that nobody asks about',
      'POST /v1/payments',
      { text: decided() },
      'without redirect',
    ],
    ['a gateway that is away', 'GET /redirects/p1', undefined, 'redirect: '],
    ['an issuer who knows of nothing', 'POST /3ds/visa/challenge', { status: 400 }, 'HTTP 400'],
    ['a gateway that cannot be asked', 'POST /redirects/p1/return', { status: 503 }, 'HTTP 503'],
    ['a payment that came to nothing', 'GET /v1/payments', { text: decided() }, '100.396.103'],
  ])('tell of %s', async (_, begins, answer, failure) => {
    expect((await challengeAt(but(begins, answer)))?.failure).toContain(failure);
  });
});

function decided(): string {
  return JSON.stringify({ id: 'p1', result: { code: '100.396.103' } });
}
