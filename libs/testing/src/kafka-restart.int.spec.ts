import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalKafka, startLocalKafka } from '@sluice/local-kafka';
import { type CommandResult, KafkaBus } from '@sluice/messaging';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './gate.js';
import { freshTopics } from './kafka-messaging-fixture.js';
import { command, event } from './contract-messages.js';

const START_WITHIN_MS = 180_000;

describe('a broker that is killed and started again', () => {
  let folder: string;
  let kafka: LocalKafka;
  let bus: KafkaBus;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-kafka-restart-'));
    kafka = await startLocalKafka({ folder });
  }, START_WITHIN_MS);

  afterAll(async () => {
    await bus.close();
    await kafka.stop();
    await rm(folder, { recursive: true });
  });

  it(
    'costs no event and no answer, and everything goes on by itself',
    async () => {
      const topics = await freshTopics([kafka.brokers], 'restart.');
      bus = new KafkaBus({
        ...topics,
        clientId: 'restart',
        replyPartition: 0,
        requestTimeoutMs: 1_000,
        // A broker takes its time to start on a busy machine.
        limits: { publishTimeoutMs: 60_000 },
      });
      const transport = bus.transport('ledger');
      transport.addHandler('Book', ({ id }: { id: string }) => Promise.resolve(id) as never);
      transport.listen(() => undefined);
      await bus.start();
      const send = (id: string, deadlineMs: number): Promise<CommandResult<unknown>> =>
        bus.commands.send('ledger', command(`key ${id}`, { id }), { deadlineMs });
      expect(await send('before', 10_000)).toEqual({ kind: 'replied', reply: 'before' });
      const seen = new Set<string>();
      await bus.events.subscribe({
        group: 'reader',
        topics: ['ledger.book.v1'],
        handle: ({ messages }) => {
          for (const { message } of messages) seen.add(message.id);
          return Promise.resolve();
        },
      });

      await kafka.kill();
      const during = send('during', 300);
      const publishing = bus.events.publish('ledger.book.v1', [event('a', '1'), event('b', '2')]);
      // It may have left with the connection that broke, or not at all: never anything else.
      expect(['uncertain', 'notSent']).toContain((await during).kind);
      kafka = await startLocalKafka({ folder, port: kafka.port });

      await publishing;
      const after = await Promise.all(
        Array.from({ length: 50 }, (_, n) => send(String(n), 20_000)),
      );
      expect(after).toEqual(after.map((_, n) => ({ kind: 'replied', reply: String(n) })));
      await until(() => seen.size === 2);
    },
    START_WITHIN_MS,
  );
});
