import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import type { Message, PublishedEventData } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { SLOW_AFTER_MS } from './receivers.js';
import { CHANNEL, OTHER } from '../test/scripted-queries.js';
import {
  happened,
  LocalReceiver,
  newPayment,
  paymentEvent,
  WebhooksProcess,
  WebhooksWorld,
} from '../test/webhooks-fixture.js';

/** Many more than are told to one receiver at once. */
const PAYMENTS = 100;
/** As many receivers with as many calls each take all places of the fixture. */
const HUNG = 8;
const DAY_MS = 24 * 60 * 60_000;

let world: WebhooksWorld;
let webhooks: WebhooksProcess;
let receiver: LocalReceiver;

beforeAll(async () => {
  world = await WebhooksWorld.make();
}, 60_000);
afterAll(() => world.close());

beforeEach(async () => {
  await world.empty();
  receiver = await LocalReceiver.start();
  webhooks = await WebhooksProcess.start(world);
});
afterEach(async () => {
  await webhooks.close();
  await receiver.close();
});

const approvals = (count: number, entityId: EntityId = CHANNEL): readonly Message[] =>
  Array.from({ length: count }, () => {
    const message = paymentEvent(newPayment(), 2, 'TransactionApproved');
    const data = message.data as PublishedEventData<unknown, object>;
    return { ...message, data: { ...data, metadata: { ...data.metadata, entityId } } };
  });

/** Of how many notifications it was told, and of how many different ones. */
const taken = (): readonly [all: number, different: number] => {
  const ids = receiver.taken().map(({ id }) => id);
  return [ids.length, new Set(ids).size];
};

describe('more that is due for one receiver than it has room for', () => {
  it('is told as it has room, each once, and nobody else looks through it', async () => {
    const other = await LocalReceiver.start();
    await webhooks.subscribe(receiver.url);
    await webhooks.subscribe(other.url, { nodeId: OTHER });
    await happened(world, ...approvals(PAYMENTS));
    const queries = jest.spyOn(pg.Client.prototype, 'query');
    for (let tells = 0; tells < 20; tells += 1) await webhooks.tell();
    expect(taken()).toEqual([PAYMENTS, PAYMENTS]);
    const looks = queries.mock.calls.flatMap(([query]) => {
      const { name, values = [] } = query as { name?: string; values?: readonly unknown[] };
      return name?.startsWith('due queues') === true ? [{ name, except: values[1] }] : [];
    });
    const [first, second] = looks.filter(({ name }) => name === 'due queues');
    // The first one finds out that it is too much, the others leave it out until it is told.
    expect(first?.except).toEqual([]);
    expect(second?.except).toEqual([new URL(receiver.url).origin]);
    const alone = looks.filter(({ name }) => name === 'due queues for a receiver');
    expect(alone.length).toBeGreaterThan(2);
    queries.mockRestore();
    await other.close();
  });

  it('is told by the clock of its channel, too', async () => {
    world.ahead.set(CHANNEL, DAY_MS);
    await webhooks.subscribe(receiver.url);
    await happened(world, ...approvals(PAYMENTS));
    expect(await webhooks.tellOf(CHANNEL)).toBe(PAYMENTS);
    expect(taken()).toEqual([PAYMENTS, PAYMENTS]);
  });
});

describe('receivers that take calls and do not answer', () => {
  it('hold up nobody else, though they have taken all places (R-WH-05)', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    silent.listen(0);
    await once(silent, 'listening');
    silent.unref();
    const { port } = silent.address() as AddressInfo;
    for (let number = 1; number <= HUNG; number += 1) {
      await webhooks.subscribe(`http://127.0.0.${number}:${port}/`);
    }
    await webhooks.subscribe(receiver.url, { nodeId: OTHER });
    await happened(world, ...approvals(HUNG));
    const hanging = [webhooks.tell()];
    while (sockets.size < HUNG ** 2) await once(silent, 'connection');
    await happened(world, ...approvals(1, OTHER));
    hanging.push(webhooks.tell());
    world.clock.advance(SLOW_AFTER_MS);
    const heard = receiver.next();
    hanging.push(webhooks.tell());
    await heard;
    expect(taken()).toEqual([1, 1]);
    for (const socket of sockets) socket.destroy();
    await Promise.all(hanging);
    silent.close();
  });
});
