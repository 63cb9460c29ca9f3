import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { CommandMessage, Message } from '@sluice/contracts';
import { InProcessBus, type InProcessBusOptions } from './in-process-bus.js';
import { type CommandContext, Execution, queryPattern, QueryUnavailable } from './ports.js';

const NOW_MS = 1_800_000_000_000;

describe('the in-process bus', () => {
  let app: INestMicroservice | undefined;

  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  describe('with handlers of a Nest module', () => {
    it('hands over message and context, and brings back what the handler returns', async () => {
      const bus = await start();
      expect(await bus.commands.send('ledger', command('Book'), { deadlineMs: 1_000 })).toEqual({
        kind: 'replied',
        reply: { key: 'key', lifeEndsMs: expect.any(Number) },
      });
      expect(await bus.commands.send('ledger', command('Run'), { deadlineMs: 1_000 })).toEqual({
        kind: 'replied',
        reply: 'ran',
      });
      expect(await bus.queries.ask('ledger', 'ledger.echo', { n: 1 })).toEqual({ n: 1 });
    });

    it('answers failed when the handler throws', async () => {
      const bus = await start();
      const result = bus.commands.send('ledger', command('Fail'), { deadlineMs: 1_000 });
      expect(await result).toEqual({ kind: 'failed' });
    });

    it('has no answer when a query throws', async () => {
      const bus = await start();
      await expect(bus.queries.ask('ledger', 'ledger.fail', {})).rejects.toThrow(QueryUnavailable);
    });

    it('does not start with an @EventPattern, which nobody would call', async () => {
      const following = await NestFactory.createMicroservice(FollowingModule, {
        strategy: new InProcessBus().transport('ledger'),
        logger: false,
        abortOnError: false,
      });
      await expect(following.listen()).rejects.toThrow('subscribe to ledger.book.v1');
    });

    async function start(): Promise<InProcessBus> {
      const bus = new InProcessBus();
      app = await NestFactory.createMicroservice(LedgerModule, {
        strategy: bus.transport('ledger'),
        logger: false,
      });
      await app.listen();
      return bus;
    }
  });

  describe('without room', () => {
    it('does not send a command more than it may hold', async () => {
      const held = new Held({ unfinishedCommandsMax: 2, acceptingMax: 1 });
      const first = held.send('a');
      const second = held.send('b');
      expect(await held.send('c')).toEqual({ kind: 'notSent', reason: 'full' });
      held.release();
      expect(await Promise.all([first, second])).toMatchObject([
        { kind: 'replied' },
        { kind: 'replied' },
      ]);
      expect(await held.send('d')).toMatchObject({ kind: 'replied' });
    });

    it('does not send a command when too many wait to be accepted, and those that execute do not count', async () => {
      const held = new Held({ unacceptedCommandsMax: 1 });
      const executing = held.send('a', 'Execute');
      await held.turn();
      const accepting = held.send('b');
      expect(await held.send('c')).toEqual({ kind: 'notSent', reason: 'full' });
      held.release();
      await Promise.all([executing, accepting]);
      expect(await held.send('d')).toMatchObject({ kind: 'replied' });
    });

    it('counts a command until its execution has ended', async () => {
      const held = new Held({ unfinishedCommandsMax: 1 });
      const executing = held.send('a', 'Execute');
      await held.turn();
      expect(await held.send('b')).toEqual({ kind: 'notSent', reason: 'full' });
      held.release();
      expect(await executing).toMatchObject({ kind: 'replied' });
    });

    it('refuses a query', async () => {
      const held = new Held({ queriesMax: 1 });
      const first = held.bus.queries.ask('ledger', 'ledger.held', {});
      await expect(held.bus.queries.ask('ledger', 'ledger.held', {})).rejects.toMatchObject({
        reason: 'overloaded',
      });
      held.release();
      await first;
    });
  });

  it('gives up a query that takes too long', async () => {
    const held = new Held({ queryTimeoutMs: 1 });
    await expect(held.bus.queries.ask('ledger', 'ledger.held', {})).rejects.toMatchObject({
      reason: 'deadline',
    });
    held.release();
  });

  it('does not send to a service that is not there, or a type nobody handles', async () => {
    const held = new Held({});
    held.release();
    expect(await held.send('a', 'Unheard')).toEqual({ kind: 'notSent', reason: 'unavailable' });
    expect(await new InProcessBus().commands.send('x', command('A'), { deadlineMs: 1 })).toEqual({
      kind: 'notSent',
      reason: 'unavailable',
    });
  });

  it('closing without waiting tells each sender what is certain', async () => {
    const held = new Held({ drainMs: 0, acceptingMax: 2 });
    const executing = held.send('a', 'Execute');
    await held.turn();
    const accepting = held.send('b');
    const waiting = held.send('b');
    await held.bus.close();
    expect(await executing).toEqual({ kind: 'unanswered' });
    expect(await accepting).toEqual({ kind: 'uncertain' });
    expect(await waiting).toEqual({ kind: 'notSent', reason: 'unavailable' });
    held.release();
    await held.turn();
    expect(held.accepted).toBe(2);
  });

  describe('with subscriptions', () => {
    it('publishing resolves when every one has handled the messages', async () => {
      const bus = new InProcessBus();
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await bus.events.subscribe({ group: 'a', topics: ['t'], handle: () => Promise.resolve() });
      await bus.events.subscribe({ group: 'b', topics: ['t'], handle: () => released });
      let published = false;
      const publishing = bus.events
        .publish('t', [command('Booked')])
        .then(() => (published = true));
      await new Promise((resolve) => setImmediate(resolve));
      expect(published).toBe(false);
      release();
      await publishing;
    });

    it('bounds a batch', async () => {
      const sizes: number[] = [];
      const bus = new InProcessBus();
      await bus.events.subscribe({
        group: 'a',
        topics: ['t'],
        handle: ({ messages }) => Promise.resolve(void sizes.push(messages.length)),
      });
      await bus.events.publish(
        't',
        Array.from({ length: 1_200 }, () => command('Booked')),
      );
      expect(sizes).toEqual([500, 500, 200]);
    });

    it('closing tells a publisher that a message was not handled', async () => {
      const bus = new InProcessBus({ batchRetryDelaysMs: [60_000] });
      let tried = (): void => undefined;
      const isTried = new Promise<void>((resolve) => {
        tried = resolve;
      });
      const subscription = await bus.events.subscribe({
        group: 'a',
        topics: ['t'],
        handle: () => {
          tried();
          return Promise.reject(new Error('the database is away'));
        },
      });
      const publishing = bus.events.publish('t', [command('Booked')]);
      await isTried;
      await Promise.all([subscription.close(), expect(publishing).rejects.toThrow('closed')]);
    });

    it('continues its offsets after a restart', async () => {
      const offsets: bigint[] = [];
      for (let start = 0; start < 2; start += 1) {
        const bus = new InProcessBus({ now: () => NOW_MS + start });
        await bus.events.subscribe({
          group: 'a',
          topics: ['t'],
          handle: ({ messages }) =>
            Promise.resolve(void offsets.push(...messages.map(({ offset }) => BigInt(offset)))),
        });
        await bus.events.publish('t', [command('Booked'), command('Booked')]);
        await bus.close();
      }
      expect(offsets).toEqual([...offsets].sort((a, b) => (a < b ? -1 : 1)));
      expect(new Set(offsets).size).toBe(4);
    });
  });

  it('lets a service start again', async () => {
    const held = new Held({});
    held.release();
    await held.bus.close();
    expect(await held.send('a')).toEqual({ kind: 'notSent', reason: 'unavailable' });
    held.serve();
    expect(await held.send('a')).toMatchObject({ kind: 'replied' });
  });
});

/** A service whose work lasts until it is released. */
class Held {
  readonly bus: InProcessBus;
  accepted = 0;
  release = (): void => undefined;
  readonly #released: Promise<void>;

  constructor(options: InProcessBusOptions) {
    this.#released = new Promise((resolve) => {
      this.release = resolve;
    });
    this.bus = new InProcessBus(options);
    this.serve();
  }

  serve(): void {
    const transport = this.bus.transport('ledger');
    transport.addHandler('Book', () => {
      this.accepted += 1;
      return this.#released as Promise<never>;
    });
    transport.addHandler('Execute', () => {
      this.accepted += 1;
      return Promise.resolve(new Execution(() => this.#released)) as Promise<never>;
    });
    transport.addHandler(queryPattern('ledger.held'), () => this.#released as Promise<never>);
    transport.listen(() => undefined);
  }

  send(key: string, type = 'Book') {
    return this.bus.commands.send('ledger', { ...command(type), key }, { deadlineMs: 10_000 });
  }

  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

@Controller()
class LedgerController {
  @MessagePattern('Book')
  book(@Payload() message: CommandMessage, @Ctx() { lifeEndsMs }: CommandContext): object {
    return { key: message.key, lifeEndsMs };
  }

  @MessagePattern('Run')
  run(): Execution<string> {
    return new Execution(() => Promise.resolve('ran'));
  }

  @MessagePattern('Fail')
  fail(): never {
    throw new Error('broken');
  }

  @MessagePattern(queryPattern('ledger.echo'))
  echo(parameters: object): object {
    return parameters;
  }

  @MessagePattern(queryPattern('ledger.fail'))
  failQuery(): never {
    throw new Error('broken');
  }
}

@Module({ controllers: [LedgerController] })
class LedgerModule {}

@Controller()
class FollowingController {
  @EventPattern('ledger.book.v1')
  booked(_message: Message): void {
    throw new Error('nobody calls this');
  }
}

@Module({ controllers: [FollowingController] })
class FollowingModule {}

function command(type: string): CommandMessage {
  return {
    id: 'command-1',
    type,
    schemaVersion: 1,
    key: 'key',
    correlationId: 'request-1',
    causationId: 'request-1',
    timeToLiveMs: 25_000,
    data: {},
  };
}
