import { expect, it } from '@jest/globals';
import { Execution } from '@sluice/messaging';
import { command } from './contract-messages.js';
import { newGate, nextTurn } from './gate.js';
import type { Send, Serve } from './messaging-contract.js';

/** Twenty thousand commands, over a broker that shares a busy machine. */
const MANY_SENDS_WITHIN_MS = 90_000;

/** Which commands wait for each other; a part of the contract suite. */
export function commandOrder(serve: Serve, send: Send): void {
  it('of one key are accepted one after the other, in the order of sending', async () => {
    const log: string[] = [];
    await serve('ledger', {
      commands: {
        Book: async ({ id }) => {
          log.push(`begin ${id}`);
          // Earlier ones take longer: only the adapter can keep the order.
          for (let turns = 20 - Number(id); turns > 0; turns -= 1) await nextTurn();
          log.push(`end ${id}`);
        },
      },
    });
    const ids = Array.from({ length: 20 }, (_, index) => String(index));
    await Promise.all(ids.map((id) => send(command('same', { id }))));
    expect(log).toEqual(ids.flatMap((id) => [`begin ${id}`, `end ${id}`]));
  });

  it('of different keys do not wait for each other', async () => {
    const gate = newGate();
    await serve('ledger', {
      commands: { Book: async ({ key }) => (key === 'slow' ? gate.opened : undefined) },
    });
    const slow = send(command('slow'));
    expect(await send(command('fast'))).toMatchObject({ kind: 'replied' });
    gate.open();
    expect(await slow).toMatchObject({ kind: 'replied' });
  });

  it('of one key go on while an execution of that key is under way', async () => {
    const gate = newGate();
    await serve('ledger', {
      commands: {
        Book: ({ id }) =>
          Promise.resolve(id === 'first' ? new Execution(() => gate.opened.then(() => 1)) : 2),
      },
    });
    const first = send(command('same', { id: 'first' }));
    expect(await send(command('same', { id: 'second' }))).toEqual({ kind: 'replied', reply: 2 });
    gate.open();
    expect(await first).toEqual({ kind: 'replied', reply: 1 });
  });
}

/** How often each command and each reply arrives; a part of the contract suite. */
export function commandDelivery(serve: Serve, send: Send): void {
  it('sent twice are delivered twice with the same id, and both senders get an answer', async () => {
    const ids: string[] = [];
    await serve('ledger', { commands: { Book: ({ id }) => Promise.resolve(ids.push(id)) } });
    const message = command('a', { id: 'twice' });
    const results = await Promise.all([send(message), send(message)]);
    expect(ids).toEqual(['twice', 'twice']);
    expect(results.map(({ kind }) => kind)).toEqual(['replied', 'replied']);
  });

  it(
    'sent at once are delivered once each, and every reply finds its sender (R-ES-11)',
    async () => {
      const delivered = new Set<string>();
      let deliveries = 0;
      await serve('ledger', {
        commands: {
          Book: async ({ id }) => {
            deliveries += 1;
            delivered.add(id);
            if (deliveries % 3 === 0) await nextTurn();
            return id;
          },
        },
      });
      const rounds = 20;
      const sends = 1_000;
      for (let round = 0; round < rounds; round += 1) {
        const ids = Array.from({ length: sends }, (_, index) => `${round}-${index}`);
        const results = await Promise.all(
          ids.map((id, index) => send(command(`key ${index % 97}`, { id }), MANY_SENDS_WITHIN_MS)),
        );
        expect(results).toEqual(ids.map((id) => ({ kind: 'replied', reply: id })));
      }
      expect(delivered.size).toBe(rounds * sends);
      expect(deliveries).toBe(rounds * sends);
    },
    MANY_SENDS_WITHIN_MS,
  );
}
