import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Message } from '@sluice/contracts';
import {
  type CommandContext,
  InfrastructureAway,
  KafkaBus,
  type KafkaBusOptions,
  Unrecorded,
} from '@sluice/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import { newGate, until } from './gate.js';
import { freshTopics, type TopicsOfTest } from './kafka-messaging-fixture.js';
import { command, event } from './contract-messages.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
import { testKafka } from './test-kafka.js';

/** Short, so that a swallowed answer costs a test little. */
const REQUEST_TIMEOUT_MS = 400;

describe('Kafka behind a wire with faults', () => {
  const kafka = testKafka();
  let topics: TopicsOfTest;
  let proxy: TcpProxy;
  let buses: KafkaBus[];

  beforeEach(async () => {
    topics = await freshTopics(kafka.brokers, kafka.topicPrefix);
    proxy = await startTcpProxy(`tcp://${String(kafka.brokers[0])}`);
    buses = [];
  });

  afterEach(async () => {
    proxy.mode = 'forward';
    await Promise.all(buses.map((bus) => bus.close()));
    await proxy.close();
  });

  /** `behind` the wire, or on a line of its own. */
  function newBus(behind: 'wire' | 'own line', options: Partial<KafkaBusOptions> = {}): KafkaBus {
    const route = () => ({ host: '127.0.0.1', port: proxy.port });
    const bus = new KafkaBus({
      ...topics,
      clientId: 'faults',
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      ...(behind === 'wire' && { route }),
      ...options,
    });
    buses.push(bus);
    return bus;
  }

  async function read(count: number): Promise<Message[]> {
    const received = new Map<string, Message>();
    await newBus('own line').events.subscribe({
      group: 'reader',
      topics: ['ledger.book.v1'],
      handle: ({ messages }) => {
        for (const { message } of messages) {
          if (!received.has(message.id)) received.set(message.id, message);
        }
        return Promise.resolve();
      },
    });
    await until(() => received.size >= count);
    return [...received.values()];
  }

  it('loses nothing and keeps the order per key while answers to produce requests are swallowed', async () => {
    const bus = newBus('wire');
    await bus.events.publish('ledger.book.v1', [event('warm', 'warm')]);
    const messages = Array.from({ length: 300 }, (_, n) => event(`key ${n % 3}`, String(n)));
    const publishing: Promise<void>[] = [];
    for (let round = 0; round < 6; round += 1) {
      proxy.mode = 'holdAnswers';
      for (const message of messages.slice(round * 50, round * 50 + 50)) {
        publishing.push(bus.events.publish('ledger.book.v1', [message]));
      }
      await proxy.nextAnswer();
      if (round % 2 === 0) proxy.resetConnections();
      else await pause(REQUEST_TIMEOUT_MS / 2);
      proxy.mode = 'forward';
    }
    await Promise.all(publishing);
    const received = await read(301);
    for (const key of ['key 0', 'key 1', 'key 2']) {
      const ids = (all: readonly Message[]) =>
        all.filter((message) => message.key === key).map(({ id }) => id);
      expect(ids(received)).toEqual(ids(messages));
    }
  }, 40_000);

  it('a command whose produce request has no answer by the deadline is uncertain, and is not sent again', async () => {
    const delivered: string[] = [];
    const transport = newBus('own line').transport('ledger');
    transport.addHandler(
      'Book',
      ({ id }: { id: string }) => Promise.resolve(delivered.push(id)) as never,
    );
    transport.listen(() => undefined);
    const bus = newBus('wire', { replyPartition: 1 });
    await bus.start();
    const send = (id: string, deadlineMs: number) =>
      bus.commands.send('ledger', command('key', { id }), { deadlineMs });
    expect(await send('before', 10_000)).toMatchObject({ kind: 'replied' });

    proxy.mode = 'blackhole';
    expect(await send('swallowed', 150)).toEqual({ kind: 'uncertain' });
    proxy.mode = 'forward';
    proxy.resetConnections();
    expect(await send('after', 10_000)).toMatchObject({ kind: 'replied' });
    expect(delivered).toEqual(['before', 'after']);
  });

  it('a command that waited for the broker lives as much shorter, as its sender waits no longer', async () => {
    const lifeMs = 20_000;
    const lives = new Map<string, number>();
    const transport = newBus('own line').transport('ledger');
    transport.addHandler('Book', (({ id }: { id: string }, context: CommandContext) =>
      Promise.resolve(lives.set(id, context.lifeEndsMs).size)) as never);
    transport.listen(() => undefined);
    await transport.joined;
    const bus = newBus('wire', { replyPartition: 1 });
    await bus.start();
    const send = (id: string) =>
      bus.commands.send('ledger', command('key', { id, timeToLiveMs: lifeMs }), {
        deadlineMs: lifeMs,
      });
    expect(await send('before')).toMatchObject({ kind: 'replied' });

    proxy.mode = 'blackhole';
    const sentAtMs = performance.now();
    const waiting = send('waiting');
    await pause(3 * REQUEST_TIMEOUT_MS);
    proxy.mode = 'forward';
    proxy.resetConnections();
    expect(await waiting).toMatchObject({ kind: 'replied' });
    // Without that it would be the whole pause.
    expect((lives.get('waiting') ?? 0) - (sentAtMs + lifeMs)).toBeLessThan(2 * REQUEST_TIMEOUT_MS);
  });

  it('a command that lay in the socket of a broker that stood still has ended when that goes on', async () => {
    const lifeMs = 1_500;
    const ends = new Map<string, boolean>();
    const transport = newBus('own line').transport('ledger');
    transport.addHandler('Book', (({ id }: { id: string }, { lifeEndsMs }: CommandContext) =>
      Promise.resolve(ends.set(id, performance.now() >= lifeEndsMs).size)) as never);
    transport.listen(() => undefined);
    await transport.joined;
    const bus = newBus('wire', { replyPartition: 1, requestTimeoutMs: 10_000 });
    await bus.start();
    const send = (id: string, timeToLiveMs: number) =>
      bus.commands.send('ledger', command('key', { id, timeToLiveMs }), { deadlineMs: lifeMs });
    expect(await send('before', 20_000)).toMatchObject({ kind: 'replied' });

    proxy.mode = 'holdRequests';
    expect(await send('late', lifeMs)).toEqual({ kind: 'uncertain' });
    proxy.goOn();
    await until(() => ends.has('late'));
    expect([...ends]).toEqual([
      ['before', false],
      ['late', true],
    ]);
  }, 30_000);

  it('a command that never left is not sent, and one behind it neither', async () => {
    proxy.mode = 'blackhole';
    const bus = newBus('wire', { replyPartition: 1 });
    const starting = bus.start();
    const results = await Promise.all(
      ['a', 'b'].map((key) => bus.commands.send('ledger', command(key), { deadlineMs: 100 })),
    );
    expect(results).toEqual([
      { kind: 'notSent', reason: 'unavailable' },
      { kind: 'notSent', reason: 'unavailable' },
    ]);
    proxy.mode = 'forward';
    proxy.resetConnections();
    await starting;
  });

  it('takes only so many commands that the broker has not acknowledged', async () => {
    proxy.mode = 'blackhole';
    const bus = newBus('wire', { replyPartition: 1, limits: { unsentCommandsMax: 2 } });
    const send = () => bus.commands.send('ledger', command('key'), { deadlineMs: 200 });
    const results = await Promise.all([send(), send(), send()]);
    expect(results.at(-1)).toEqual({ kind: 'notSent', reason: 'full' });
    proxy.mode = 'forward';
  });

  it('publishing is given up in time while Kafka is away', async () => {
    proxy.mode = 'blackhole';
    // The second one has to connect anew within it, on a machine that is busy with other suites.
    const bus = newBus('wire', { limits: { publishTimeoutMs: 1_500 } });
    const publishing = bus.events.publish('ledger.book.v1', [event('a', '1')]);
    await expect(publishing).rejects.toThrow(InfrastructureAway);
    proxy.mode = 'forward';
    proxy.resetConnections();
    await bus.events.publish('ledger.book.v1', [event('a', '2')]);
    expect((await read(1)).map(({ id }) => id)).toEqual(['2']);
  });

  it('every command is answered while the connections of the service are cut again and again', async () => {
    const transport = newBus('wire').transport('ledger');
    transport.addHandler('Book', ({ id }: { id: string }) => Promise.resolve(id) as never);
    transport.listen(() => undefined);
    const bus = newBus('own line', { replyPartition: 1 });
    await bus.start();
    const answered = newGate();
    const sending = (async () => {
      for (let n = 0; n < 40; n += 1) {
        const results = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            bus.commands.send('ledger', command(`key ${index}`, { id: `${n}-${index}` }), {
              deadlineMs: 15_000,
            }),
          ),
        );
        expect(results).toEqual(
          results.map((_, index) => ({ kind: 'replied', reply: `${n}-${index}` })),
        );
      }
      answered.open();
    })();
    for (let cuts = 0; cuts < 4; cuts += 1) {
      await proxy.nextRequest();
      proxy.resetConnections();
      await pause(100);
    }
    await sending;
    await answered.opened;
  }, 60_000);

  it('no command is said to be unrecorded while another process may still get it and do it', async () => {
    // It dies before its next commit.
    const dying = newBus('wire', { limits: { commitIntervalMs: 60_000 } }).transport('ledger');
    const answer = (id: string) => (id === 'refund' ? new Unrecorded('away') : 'recorded');
    dying.addHandler('Book', ({ id }: { id: string }) => Promise.resolve(answer(id)) as never);
    dying.listen(() => undefined);
    const bus = newBus('own line', { replyPartition: 1 });
    await bus.start();
    const send = (id: string) =>
      bus.commands.send('ledger', command('a', { id }), { deadlineMs: 20_000 });
    const results: unknown[] = [];
    const sending = send('refund').then((result) => results.push(result));
    // Answered after it: the first one's reply would have come before.
    expect(await send('capture')).toEqual({ kind: 'replied', reply: 'recorded' });
    expect(results).toEqual([]);
    proxy.mode = 'blackhole';
    const living = newBus('own line').transport('ledger');
    living.addHandler('Book', () => Promise.resolve('done') as never);
    living.listen(() => undefined);
    await sending;
    proxy.mode = 'forward';
    proxy.resetConnections();
    expect(results).toEqual([{ kind: 'replied', reply: 'done' }]);
  }, 60_000);

  /** Sends a command of which the broker has two copies, and lets them be handled once it has both. */
  async function sendTwice(handle: (call: number) => Promise<unknown>) {
    const both = newGate();
    let handled = 0;
    const transport = newBus('own line').transport('ledger');
    transport.addHandler('Book', async ({ id }: { id: string }) => {
      if (id !== 'refund') return id as never;
      await both.opened;
      handled += 1;
      return (await handle(handled)) as never;
    });
    transport.listen(() => undefined);
    await transport.joined;
    const bus = newBus('wire', { replyPartition: 1 });
    await bus.start();
    const send = (id: string) =>
      bus.commands.send('ledger', command('a', { id }), { deadlineMs: 20_000 });
    expect(await send('before')).toEqual({ kind: 'replied', reply: 'before' });

    const copies: string[] = [];
    await newBus('own line').events.subscribe({
      group: 'copies',
      topics: ['ledger.commands.v1'],
      handle: ({ messages }) => {
        copies.push(...messages.map(({ message }) => message.id));
        return Promise.resolve();
      },
    });
    proxy.mode = 'holdAnswers';
    const sending = send('refund');
    await proxy.nextAnswer();
    proxy.resetConnections();
    proxy.mode = 'forward';
    // The broker took the first one before its answer was lost.
    await until(() => copies.filter((id) => id === 'refund').length === 2);
    both.open();
    const result = await sending;
    expect(await send('behind')).toEqual({ kind: 'replied', reply: 'behind' });
    return { result, handled };
  }

  it('a command that the broker has twice is not done after its sender was told that nothing was', async () => {
    const { result, handled } = await sendTwice((call) =>
      Promise.resolve(call === 1 ? new Unrecorded('away') : 'recorded'),
    );
    expect(result).toEqual({ kind: 'replied', reply: 'away' });
    expect(handled).toBe(1);
  }, 60_000);

  it('nor if the other copy was being tried again when the first one was refused: that one tells', async () => {
    const { result, handled } = await sendTwice(async (call) => {
      if (call <= 2) throw new Error('not yet');
      if (call === 3) return new Unrecorded('away');
      // Longer than until the offset of the first one is committed.
      await pause(1_000);
      return 'recorded';
    });
    expect(result).toEqual({ kind: 'replied', reply: 'recorded' });
    expect(handled).toBe(4);
  }, 60_000);
});
