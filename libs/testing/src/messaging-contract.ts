import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CommandMessage } from '@sluice/contracts';
import {
  type CommandContext,
  type CommandResult,
  type Commands,
  type Events,
  Execution,
  type Queries,
  queryPattern,
  QueryUnavailable,
} from '@sluice/messaging';
import { CLOCK_MARGIN_MS } from '@sluice/service';
import { newGate } from './gate.js';
import { commandEnds, executionEnds } from './command-ends-contract.js';
import { commandDelivery, commandOrder } from './command-order-contract.js';
import { command } from './contract-messages.js';
import { subscriptionContract } from './subscription-contract.js';

/** A service's receiving side: the part of Nest's `Server` that the suite drives itself. */
export interface TransportUnderTest {
  addHandler(pattern: string, handler: (data: never, context: never) => Promise<unknown>): void;
  listen(ready: () => void): unknown;
  close(): unknown;
}

/** One adapter of libs/messaging, new for each test. */
export interface MessagingUnderTest {
  readonly commands: Commands;
  readonly queries: Queries;
  readonly events: Events;
  transport(service: string): TransportUnderTest;
  close(): Promise<void>;
}

/** The handlers of a service, by command type and query name. */
interface Handlers {
  readonly commands?: Record<
    string,
    (command: CommandMessage, context: CommandContext) => Promise<unknown>
  >;
  readonly queries?: Record<string, (parameters: never) => Promise<unknown>>;
}

const LONG_MS = 10_000;

/** How fast an adapter is; the rules are the same for all. */
export interface ContractTimings {
  /** Within this the transport has surely taken a message. */
  readonly shortMs: number;
}

/**
 * What application code may rely on, whichever adapter is in use; each adapter's spec calls it.
 * `makeMessaging` gives an adapter without services; the suite closes it.
 */
export function messagingContract(
  makeMessaging: () => Promise<MessagingUnderTest>,
  { shortMs }: ContractTimings = { shortMs: 50 },
): void {
  let messaging: MessagingUnderTest;

  beforeEach(async () => {
    messaging = await makeMessaging();
  });

  afterEach(async () => {
    await messaging.close();
  });

  const serve = (service: string, handlers: Handlers): Promise<void> =>
    startService(messaging.transport(service), handlers);
  const send = (message: CommandMessage, deadlineMs = LONG_MS) =>
    messaging.commands.send<unknown>('ledger', message, { deadlineMs });

  describe('commands', () => {
    commandOrder(serve, send);
    commandDelivery(serve, send);
    commandLife(serve, send, shortMs);
    commandEnds(serve, send);
    executionEnds(serve, send, shortMs);
    commandContent(serve, send);

    it('are not sent once the adapter is closed, but those in hand get their reply', async () => {
      const gate = newGate();
      const begun = newGate();
      await serve('ledger', {
        commands: {
          Book: () => {
            begun.open();
            return Promise.resolve(new Execution(() => gate.opened.then(() => 'late')));
          },
        },
      });
      const inHand = send(command('a'));
      await begun.opened;
      const closed = messaging.close();
      gate.open();
      expect(await inHand).toEqual({ kind: 'replied', reply: 'late' });
      await closed;
      expect(await send(command('a'))).toMatchObject({ kind: 'notSent' });
    });
  });

  describe('queries', () => {
    queries(() => messaging, serve);
  });

  describe('subscriptions', () => {
    subscriptionContract(() => messaging);
  });
}

/** Starts a service with these handlers. */
export type Serve = (service: string, handlers: Handlers) => Promise<void>;
/** Sends a command to the service `ledger`. */
export type Send = (
  message: CommandMessage,
  deadlineMs?: number,
) => Promise<CommandResult<unknown>>;

function commandLife(serve: Serve, send: Send, shortMs: number): void {
  it('without a reply by the deadline are unanswered, and go on', async () => {
    const gate = newGate();
    const ended = newGate();
    await serve('ledger', {
      commands: { Book: () => gate.opened.then(() => ended.open()) },
    });
    expect(await send(command('a'), shortMs)).toEqual({ kind: 'unanswered' });
    gate.open();
    await ended.opened;
  });

  it('found after their life are delivered all the same, and say so (D-03)', async () => {
    const gate = newGate();
    const expiredAfterMs = new Promise<number>((resolve) => {
      void serve('ledger', {
        commands: {
          Book: async ({ id }, { lifeEndsMs }) => {
            if (id === 'blocking') await gate.opened;
            else resolve(performance.now() - lifeEndsMs);
          },
        },
      });
    });
    const blocking = send(command('same', { id: 'blocking' }));
    const late = command('same', { id: 'late', timeToLiveMs: 1 });
    expect(await send(late, shortMs)).toEqual({ kind: 'unanswered' });
    gate.open();
    expect(await expiredAfterMs).toBeGreaterThan(0);
    await blocking;
  });

  it('have their whole life before them when they arrive', async () => {
    const sentAtMs = performance.now();
    await serve('ledger', {
      commands: { Book: (_command, { lifeEndsMs }) => Promise.resolve(lifeEndsMs) },
    });
    const result = await send(command('a', { timeToLiveMs: 25_000 }));
    const lifeEndsMs = result.kind === 'replied' ? Number(result.reply) : 0;
    expect(lifeEndsMs).toBeGreaterThanOrEqual(sentAtMs + 25_000 - CLOCK_MARGIN_MS);
    expect(lifeEndsMs).toBeLessThanOrEqual(performance.now() + 25_000);
  });
}

function commandContent(serve: Serve, send: Send): void {
  it('and replies arrive as JSON says, each side with its own copy', async () => {
    const received: CommandMessage[] = [];
    const answer = { list: [1, null, { deep: true }], absent: undefined, text: 'ä\u2028\u0000"' };
    await serve('ledger', {
      commands: {
        Book: (message) => {
          received.push(message);
          return Promise.resolve(answer);
        },
      },
    });
    const data = { minor: '9007199254740993', absent: undefined, nested: { text: 'ß\u{1F4B3}' } };
    const message = command('a', { data });
    const result = await send(message);
    answer.list.push(2);
    data.nested.text = 'changed afterwards';
    const { timeToLiveMs, ...rest } = message;
    expect(received[0]).toStrictEqual({
      ...rest,
      data: { minor: '9007199254740993', nested: { text: 'ß\u{1F4B3}' } },
      timeToLiveMs: expect.any(Number),
    });
    // Less the time for which it waited for the transport (D-03).
    expect(received[0]?.timeToLiveMs).toBeLessThanOrEqual(timeToLiveMs);
    expect(received[0]?.timeToLiveMs).toBeGreaterThan(0);
    expect(result).toStrictEqual({
      kind: 'replied',
      reply: { list: [1, null, { deep: true }], text: 'ä\u2028\u0000"' },
    });
  });

  it('without a reply value are replied to with undefined', async () => {
    await serve('ledger', { commands: { Book: () => Promise.resolve() } });
    expect(await send(command('a'))).toStrictEqual({ kind: 'replied', reply: undefined });
  });

  it('that JSON cannot hold are refused before anything is sent', async () => {
    let deliveries = 0;
    await serve('ledger', { commands: { Book: () => Promise.resolve((deliveries += 1)) } });
    await expect(send(command('a', { data: { minor: 100n } }))).rejects.toThrow(TypeError);
    expect(await send(command('a'))).toEqual({ kind: 'replied', reply: 1 });
  });
}

function queries(messaging: () => MessagingUnderTest, serve: Serve): void {
  const ask = (query: string, parameters: object = {}) =>
    messaging().queries.ask<unknown>('ledger', query, parameters);

  it('are answered, each asker with its own copy', async () => {
    const book = { entries: ['1'], absent: undefined };
    await serve('ledger', {
      queries: {
        'ledger.book': ({ name }: { name: string }) => Promise.resolve({ name, ...book }),
      },
    });
    const answer = await ask('ledger.book', { name: 'cash' });
    book.entries.push('2');
    expect(answer).toStrictEqual({ name: 'cash', entries: ['1'] });
  });

  it('asked at once find their askers', async () => {
    await serve('ledger', {
      queries: { 'ledger.echo': ({ n }: { n: number }) => Promise.resolve(n) },
    });
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    expect(await Promise.all(numbers.map((n) => ask('ledger.echo', { n })))).toEqual(numbers);
  });

  it('without a service, a handler or an answer are unavailable', async () => {
    await expect(ask('ledger.book')).rejects.toThrow(QueryUnavailable);
    await serve('ledger', {
      queries: { 'ledger.broken': () => Promise.reject(new Error('secret detail')) },
    });
    await expect(ask('ledger.book')).rejects.toThrow(QueryUnavailable);
    const failure = await ask('ledger.broken').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(QueryUnavailable);
    expect(String(failure)).not.toContain('secret detail');
  });
}

async function startService(transport: TransportUnderTest, handlers: Handlers): Promise<void> {
  for (const [type, handler] of Object.entries(handlers.commands ?? {})) {
    transport.addHandler(type, handler);
  }
  for (const [query, handler] of Object.entries(handlers.queries ?? {})) {
    transport.addHandler(queryPattern(query), handler);
  }
  await new Promise<void>((resolve) => transport.listen(resolve));
}
