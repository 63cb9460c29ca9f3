import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { commandTopics, deadTopicOf } from '@sluice/contracts';
import { createKafka } from '@sluice/messaging';
import { type ServiceProcess, testKafka } from '@sluice/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Services } from './services-fixture.js';

jest.setTimeout(120_000);

/** The demo channel, as the greeting of the sandbox prints it. */
const TOKEN = 'sluice-demo-access-token-for-sandboxes-only';
const ENTITY = '8a8294174b7ecb28014b9699220015ca';
const NUMBER = '4200000000000000';
const APPROVED = '000.100.110';

const kafka = testKafka();
const services = new Services(kafka);
let payments: ServiceProcess;
let vault: ServiceProcess;
let edge: ServiceProcess;

beforeAll(async () => {
  ({ payments, vault, edge } = await services.start());
}, 180_000);

afterAll(async () => {
  await services.remove();
}, 60_000);

/** What is read of a body. */
interface AnswerBody {
  readonly id: string;
  readonly result: { readonly code: string };
}

interface Answered {
  readonly status: number;
  readonly connection: string | null;
  readonly body: AnswerBody;
}

async function answered(response: Response): Promise<Answered> {
  const { status, headers } = response;
  const body = (await response.json()) as AnswerBody;
  return { status, connection: headers.get('connection'), body };
}

const MONEY = { amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': NUMBER, 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
} as const;

async function pay(more: Record<string, string> = {}): Promise<Answered> {
  return post('payments', { ...MONEY, ...CARD, ...more });
}

function refer(id: string, parameters: Record<string, string>): Promise<Answered> {
  return post(`payments/${id}`, { currency: 'EUR', ...parameters });
}

async function post(path: string, parameters: Record<string, string>): Promise<Answered> {
  const response = await fetch(`${services.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: new URLSearchParams({ entityId: ENTITY, ...parameters }),
  });
  return answered(response);
}

async function read(id: string, url = services.url): Promise<Answered> {
  const response = await fetch(`${url}/v1/payments/${id}?entityId=${ENTITY}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  return answered(response);
}

/** A payment that the acquirer takes its time for; when this resolves, its request is recorded. */
async function slowPayment(): Promise<{ answer: Promise<Answered> }> {
  const answer = pay({ 'customParameters[simulator.fault]': 'delay:1500' });
  await services.untilOpen(1);
  return { answer };
}

describe('the services as processes of their own', () => {
  it('take a payment over Kafka, and read it over HTTP', async () => {
    const { status, body } = await pay();
    expect({ status, code: body.result.code }).toEqual({ status: 200, code: APPROVED });
    expect((await read(body.id)).body).toMatchObject({ id: body.id, amount: '92.00' });
  });

  it('are all ready', async () => {
    for (const service of [payments, vault, edge]) {
      expect((await service.health('/readyz')).status).toBe(200);
      expect((await service.health('/livez')).status).toBe(200);
    }
  });
});

/** A message as it lies on the broker. */
interface Seen {
  readonly topic: string;
  readonly key: Buffer | null;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | Buffer | (string | Buffer)[] | undefined>>;
}

describe('personal data on its way to payments', () => {
  const PERSON = /Undinger|undinger/;

  it('is sealed in commands, and in the dead letters of those that nobody can open', async () => {
    const kafkajs = createKafka({ brokers: kafka.brokers, clientId: 'services-test' });
    const topic = kafka.topicPrefix + commandTopics.payments;
    const deadTopic = kafka.topicPrefix + deadTopicOf(commandTopics.payments);
    const producer = kafkajs.producer();
    const consumer = kafkajs.consumer({ groupId: `${kafka.topicPrefix}sealed` });
    try {
      await Promise.all([producer.connect(), consumer.connect()]);
      const seen: Seen[] = [];
      await consumer.subscribe({ topics: [topic, deadTopic], fromBeginning: true });
      await consumer.run({
        eachMessage: async ({ topic: from, message: { key, value, headers = {} } }) => {
          seen.push({ topic: from, key, text: String(value), headers });
        },
      });
      const found = async (from: string, word: string) => {
        for (;;) {
          const one = seen.find((each) => each.topic === from && each.text.includes(word));
          if (one !== undefined) return one;
          await pause(20);
        }
      };

      const paid = await pay({
        ...{ 'customer.givenName': 'Zoe', 'customer.surname': 'Undinger' },
        ...{ 'customer.email': 'zoe@undinger.example', descriptor: 'For Undinger' },
      });
      expect(paid.body).toMatchObject({ descriptor: 'For Undinger', result: { code: APPROVED } });
      const { key, text, headers } = await found(topic, paid.body.id);
      expect(text).toContain('"personal":{"key":"');

      // The same envelope in a command of another transaction opens nowhere.
      const other = paid.body.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      const value = text.replaceAll(paid.body.id, other);
      const otherHeaders = { ...headers, id: randomUUID(), timeToLiveMs: '1000' };
      await producer.send({ topic, messages: [{ key, value, headers: otherHeaders }] });
      const dead = await found(deadTopic, other);
      expect(String(dead.headers['deadReason'])).toMatch(/sealed text was altered/);
      expect(seen.map((each) => each.text).filter((each) => PERSON.test(each))).toEqual([]);

      // The chain shard is the partition's, so a payment in it shows that it goes on.
      const refund = await refer(paid.body.id, { paymentType: 'RF', amount: '1.00' });
      expect(refund.body.result.code).toBe(APPROVED);
    } finally {
      await Promise.all([producer.disconnect(), consumer.disconnect()]);
    }
  });
});

describe('payments that is told to stop', () => {
  it('finishes what it has begun, and its reply still arrives (D-20)', async () => {
    const { answer } = await slowPayment();
    const end = payments.stop();
    expect((await answer).body.result.code).toBe(APPROVED);
    expect(await end).toEqual({ code: 0, signal: null });
  });

  it('is missed by reads, not by commands: they wait for the next one', async () => {
    const [waiting, other] = [pay(), await read('0'.repeat(32))];
    expect(other.status).toBe(503);
    payments = await services.startPayments();
    expect((await waiting).body.result.code).toBe(APPROVED);
  });
});

describe('the vault that is away', () => {
  it('lets nothing begin: 503, and everything goes on when it is back (D-35)', async () => {
    await vault.stop();
    const { status, body } = await pay();
    expect({ status, code: body.result.code }).toEqual({ status: 503, code: '800.800.800' });
    vault = await services.startVault();
    expect((await pay()).body.result.code).toBe(APPROVED);
  });
});

describe('edge that is told to stop', () => {
  it('answers for its grace with the end of each connection, then finishes (D-57)', async () => {
    const former = edge;
    edge = await services.startEdge({ STOP_GRACE_MS: '1000', EDGE_ORDINAL: '1' });
    await former.stop();
    expect((await pay()).connection).toBe('keep-alive');
    const { answer } = await slowPayment();
    const toldAt = performance.now();
    edge.signal('SIGTERM');
    await edge.logged('The service edge stops.');
    expect((await edge.health('/readyz')).status).toBe(503);
    const duringGrace = await pay();
    expect(duringGrace.body.result.code).toBe(APPROVED);
    expect(duringGrace.connection).toBe('close');
    expect((await answer).body.result.code).toBe(APPROVED);
    expect(await edge.ended).toEqual({ code: 0, signal: null });
    // The client would keep its connections for longer.
    expect(performance.now() - toldAt).toBeLessThan(15_000);
  });
});

describe('a limit that two instances of edge share (D-40)', () => {
  const LIMIT = 5;
  const THROTTLED = '800.120.100';
  let urls: string[];

  /** How many requests were let in, of those sent evenly to the instances in their turn. */
  async function letIn(perSecond: number, seconds: number, to: readonly string[]): Promise<number> {
    let admitted = 0;
    for (let request = 0; request < perSecond * seconds; request += 1) {
      const next = pause(1_000 / perSecond);
      const { body } = await read('0'.repeat(32), to[request % to.length]);
      if (body.result.code !== THROTTLED) admitted += 1;
      await next;
    }
    return admitted;
  }

  beforeAll(async () => {
    const limits = { THROTTLE_READS_PER_SECOND: `${LIMIT}`, THROTTLE_READS_BURST: `${LIMIT}` };
    urls = [];
    for (const ordinal of ['2', '3']) {
      await services.startEdge({ ...limits, EDGE_ORDINAL: ordinal });
      urls.push(services.url);
    }
  });

  it('refuses nothing to a merchant below it who keeps one connection', async () => {
    expect(await letIn(4, 6, urls.slice(0, 1))).toBe(24);
  });

  it('is not passed by one who asks both for more', async () => {
    await letIn(40, 6, urls);
    const sinceMs = performance.now();
    const admitted = await letIn(40, 8, urls);
    const seconds = (performance.now() - sinceMs) / 1_000;
    // Each for itself would have let in twice as many.
    expect(admitted / seconds).toBeLessThan(LIMIT * 1.3);
    expect(admitted / seconds).toBeGreaterThan(LIMIT * 0.7);
  });
});

describe('the logs of all of them', () => {
  it('hold no card number', () => {
    expect(services.output).toContain('/v1/payments');
    expect(services.output).not.toContain(NUMBER);
  });
});
