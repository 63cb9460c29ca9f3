import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CommandMessage, deadTopicOf, type Message } from '@sluice/contracts';
import {
  type CommandContext,
  Execution,
  InfrastructureAway,
  KafkaBus,
  type KafkaBusOptions,
  UNHEARD_BEFORE_END_MS,
  Unrecorded,
} from '@sluice/messaging';
import { newGate, nextTurn, until } from './gate.js';
import { freshTopics, type TopicsOfTest } from './kafka-messaging-fixture.js';
import { command } from './contract-messages.js';
import { testKafka } from './test-kafka.js';

type Handle = (message: CommandMessage) => Promise<unknown>;

describe('commands over Kafka', () => {
  const kafka = testKafka();
  let topics: TopicsOfTest;
  let buses: KafkaBus[];
  let edge: KafkaBus;

  beforeEach(async () => {
    topics = await freshTopics(kafka.brokers, kafka.topicPrefix);
    buses = [];
    edge = newBus({ replyPartition: 2 });
    await edge.start();
  });

  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
  });

  function newBus(options: Partial<KafkaBusOptions> = {}): KafkaBus {
    const bus = new KafkaBus({ ...topics, clientId: 'consumers', ...options });
    buses.push(bus);
    return bus;
  }

  /** A process of the service; resolves when it has its partitions. */
  async function serve(
    handlers: Record<string, Handle>,
    options: Partial<KafkaBusOptions> = {},
  ): Promise<KafkaBus> {
    const bus = newBus(options);
    const transport = bus.transport('ledger');
    for (const [type, handle] of Object.entries(handlers)) {
      transport.addHandler(type, handle as never);
    }
    transport.listen(() => undefined);
    await transport.joined;
    return bus;
  }

  const send = (key: string, id: string, fields: Partial<CommandMessage> = {}) =>
    edge.commands.send<unknown>('ledger', command(key, { id, ...fields }), { deadlineMs: 15_000 });

  /** Ids of the commands that are given up, as they come. */
  async function deadLetters(): Promise<readonly string[]> {
    const dead: string[] = [];
    await edge.events.subscribe({
      group: 'dead',
      topics: [deadTopicOf('ledger.commands.v1')],
      handle: ({ messages }) => {
        dead.push(...messages.map(({ message }) => message.id));
        return Promise.resolve();
      },
    });
    return dead;
  }

  it('that fail for their whole life are copied to the dead letters', async () => {
    let tries = 0;
    await serve({
      Book: () => {
        tries += 1;
        return Promise.reject(new Error('poison'));
      },
    });
    const data = { note: 'as it came' };
    expect(await send('a', 'poison', { timeToLiveMs: 600, data })).toEqual({ kind: 'failed' });
    expect(tries).toBeGreaterThan(1);
    const dead: Message[] = [];
    await edge.events.subscribe({
      group: 'dead',
      topics: [deadTopicOf('ledger.commands.v1')],
      handle: ({ messages }) => {
        dead.push(...messages.map(({ message }) => message));
        return Promise.resolve();
      },
    });
    await until(() => dead.length > 0);
    expect(dead).toMatchObject([{ id: 'poison', key: 'a', type: 'Book', data }]);
  });

  it('that fail once are tried again, and their senders get the reply', async () => {
    let tries = 0;
    await serve({
      Book: () => {
        tries += 1;
        return tries === 1 ? Promise.reject(new Error('once')) : Promise.resolve('second try');
      },
    });
    expect(await send('a', 'once')).toEqual({ kind: 'replied', reply: 'second try' });
  });

  it('wait in order while the infrastructure of their handler is away', async () => {
    const accepted: string[] = [];
    let isAway = true;
    const asked = newGate();
    await serve(
      {
        Book: ({ id }) => {
          asked.open();
          if (isAway) return Promise.reject(new InfrastructureAway('the database is away'));
          return Promise.resolve(accepted.push(id));
        },
      },
      { limits: { infrastructureRetryMs: 20 } },
    );
    const sending = ['1', '2', '3'].map((id) => send('same', id, { timeToLiveMs: 1 }));
    await asked.opened;
    isAway = false;
    const results = await Promise.all(sending);
    expect(results.map(({ kind }) => kind)).toEqual(['replied', 'replied', 'replied']);
    expect(accepted).toEqual(['1', '2', '3']);
  });

  it('of a newer writer stop their partition until a newer reader comes (D-18)', async () => {
    const old: string[] = [];
    const alarms: string[] = [];
    const logger = {
      isLevelEnabled: () => false,
      error: (_fields: object, text: string) => alarms.push(text),
      warn: () => undefined,
      info: () => undefined,
    } as unknown as NonNullable<KafkaBusOptions['logger']>;
    const book: Handle = ({ id }) => Promise.resolve(old.push(id));
    const oldBus = await serve({ Book: book }, { logger });
    const newer = send('same', 'newer', { type: 'BookInFull' });
    const behind = send('same', 'behind');
    await until(() => alarms.length > 0);
    expect(alarms[0]).toContain('newer writer');
    const read: string[] = [];
    const newBook: Handle = ({ id }) => Promise.resolve(read.push(id));
    await Promise.all([oldBus.close(), serve({ Book: newBook, BookInFull: newBook })]);
    await Promise.all([newer, behind]);
    expect(old).toEqual([]);
    expect(read).toEqual(['newer', 'behind']);
  });

  it('of a newer schema version stop it too', async () => {
    const read: string[] = [];
    const book: Handle = ({ id }) => Promise.resolve(read.push(id));
    const oldBus = await serve({ Book: book });
    const newer = send('same', 'newer', { schemaVersion: 2 });
    await oldBus.close();
    expect(read).toEqual([]);
    await serve({ Book: book }, { schemaVersions: { Book: 2 } });
    expect(await newer).toMatchObject({ kind: 'replied' });
  });

  it('are not delivered again after a service has left in order', async () => {
    const delivered: string[] = [];
    const book: Handle = ({ id }) => Promise.resolve(delivered.push(id));
    const bus = await serve({ Book: book });
    await Promise.all(Array.from({ length: 200 }, (_, n) => send(`key ${n % 20}`, String(n))));
    await bus.close();
    await serve({ Book: book });
    await send('key 1', 'last');
    expect(delivered).toHaveLength(201);
  });

  it('in hand at the end are finished, and their replies arrive', async () => {
    const gate = newGate();
    const begun = newGate();
    const bus = await serve({
      Book: () => {
        begun.open();
        return Promise.resolve(new Execution(() => gate.opened.then(() => 'finished')));
      },
    });
    const inHand = send('a', '1');
    await begun.opened;
    const closing = bus.close();
    await nextTurn();
    gate.open();
    expect(await inHand).toEqual({ kind: 'replied', reply: 'finished' });
    await closing;
  });

  it('lose nothing, and are answered all, while services join and leave', async () => {
    const delivered = new Map<string, number>();
    const lastOfKey = new Map<string, number>();
    const disorder: string[] = [];
    const book: Handle = async ({ id, key }) => {
      await nextTurn();
      const seen = delivered.get(id) ?? 0;
      delivered.set(id, seen + 1);
      const n = Number(id);
      if (seen === 0 && n < (lastOfKey.get(key) ?? -1)) disorder.push(`${key} ${id}`);
      lastOfKey.set(key, Math.max(n, lastOfKey.get(key) ?? -1));
      return id;
    };
    const first = await serve({ Book: book });
    let isSending = true;
    let count = 0;
    const lines = Array.from({ length: 12 }, async (_, line) => {
      // One at a time per key, as a merchant does: order counts from the acknowledgement.
      for (let n = line; isSending; n += 12) {
        count += 1;
        expect(await send(`key ${line}`, String(n))).toEqual({ kind: 'replied', reply: String(n) });
      }
    });
    const second = await serve({ Book: book });
    const third = await serve({ Book: book });
    await first.close();
    const fourth = await serve({ Book: book });
    await second.close();
    await third.close();
    isSending = false;
    await Promise.all(lines);
    await fourth.close();
    expect(delivered.size).toBe(count);
    expect(disorder).toEqual([]);
  }, 60_000);

  it('that come again while they run are not run twice', async () => {
    const runs = new Map<string, number>();
    const gate = newGate();
    const begun = newGate();
    await serve({
      Book: async ({ id }) => {
        runs.set(id, (runs.get(id) ?? 0) + 1);
        begun.open();
        await gate.opened;
        return id;
      },
    });
    const sending = send('a', 'slow');
    await begun.opened;
    // Every partition changes hands, or comes back with the position before the slow command.
    const second = await serve({ Book: () => Promise.resolve('elsewhere') });
    await second.close();
    await until(() => runs.size > 0);
    gate.open();
    expect((await sending).kind).toBe('replied');
    expect(runs.get('slow')).toBe(1);
  }, 60_000);

  it('that could not be recorded while they lived are recorded as soon as that is possible', async () => {
    const tries: string[] = [];
    const dead = await deadLetters();
    await serve({
      Book: ({ id }) => {
        const isAgain = tries.includes(id);
        tries.push(id);
        return Promise.resolve(id === 'once' && isAgain ? 'recorded' : new Unrecorded('busy'));
      },
    });
    const sending = ['once', 'never'].map((id) => send('a', id, { timeToLiveMs: 1 }));
    await Promise.all(sending);
    await until(() => dead.length > 0);
    expect(dead).toEqual(['never']);
    expect(tries).toEqual(['once', 'never', 'once', 'never']);
  });

  it('of which nothing was recorded are over for their handler once their sender may have stopped waiting', async () => {
    const over: boolean[] = [];
    const handle = (_: unknown, { lifeEndsMs }: CommandContext): Promise<unknown> => {
      const isOver = performance.now() >= lifeEndsMs;
      over.push(isOver);
      return Promise.resolve(isOver ? 'not performed' : new Unrecorded('busy'));
    };
    await serve({ Book: handle as never });
    const timeToLiveMs = UNHEARD_BEFORE_END_MS - 1_000;
    const told = { kind: 'replied', reply: 'not performed' };
    expect(await send('a', 'late', { timeToLiveMs })).toEqual(told);
    expect(over).toEqual([false, true]);
  });

  it('whose end cannot be recorded are said to have failed only once their life is over', async () => {
    const dead = await deadLetters();
    let refusals = 0;
    await serve({
      Book: ({ id }) => {
        if (id !== 'refused') return Promise.resolve(id);
        refusals += 1;
        if (refusals > 1) throw new Error('the end cannot be recorded');
        return Promise.resolve(new Unrecorded('busy'));
      },
    });
    const timeToLiveMs = 2_000;
    const sentAtMs = performance.now();
    const results: unknown[] = [];
    const refused = send('b', 'refused', { timeToLiveMs }).then((result) => results.push(result));
    await until(() => dead.includes('refused'));
    // Answered after it: a reply that had not waited would have come before.
    expect(await send('a', 'probe')).toEqual({ kind: 'replied', reply: 'probe' });
    if (performance.now() < sentAtMs + timeToLiveMs) expect(results).toEqual([]);
    await refused;
    expect(results).toEqual([{ kind: 'failed' }]);
    expect(performance.now()).toBeGreaterThanOrEqual(sentAtMs + timeToLiveMs);
    expect(refusals).toBe(2);
  });
});
