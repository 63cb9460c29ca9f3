import { expect, it } from '@jest/globals';
import { Execution, Unrecorded } from '@sluice/messaging';
import { command } from './contract-messages.js';
import { newGate } from './gate.js';
import type { Send, Serve } from './messaging-contract.js';

/** How the acceptance of a command may end; a part of the contract suite. */
export function commandEnds(serve: Serve, send: Send): void {
  it('of which nothing was recorded are answered so, and are not delivered again', async () => {
    const delivered: string[] = [];
    await serve('ledger', {
      commands: {
        Book: ({ id }) => {
          delivered.push(id);
          return Promise.resolve(new Unrecorded({ kind: 'busy' }));
        },
      },
    });
    const results = await Promise.all(['1', '2', '3'].map((id) => send(command('same', { id }))));
    for (const result of results) {
      expect(result).toEqual({ kind: 'replied', reply: { kind: 'busy' } });
    }
    expect(delivered).toEqual(['1', '2', '3']);
  });

  it('whose handler throws have failed by the end of their life, and block nobody', async () => {
    await serve('ledger', {
      commands: {
        Book: ({ id }) =>
          id === 'poison' ? Promise.reject(new Error('poison')) : Promise.resolve(id),
      },
    });
    const results = await Promise.all([
      send(command('same', { id: 'poison', timeToLiveMs: 300 })),
      send(command('same', { id: 'behind' })),
      send(command('other', { id: 'beside' })),
    ]);
    expect(results).toEqual([
      { kind: 'failed' },
      { kind: 'replied', reply: 'behind' },
      { kind: 'replied', reply: 'beside' },
    ]);
  });
}

/** How an execution may end; a part of the contract suite. */
export function executionEnds(serve: Serve, send: Send, shortMs: number): void {
  it('each have their execution run once, whatever becomes of it or of its sender', async () => {
    const runs: string[] = [];
    const gate = newGate();
    const executions: Record<string, () => Promise<unknown>> = {
      replied: () => Promise.resolve('reply'),
      thrown: () => {
        throw new Error('at once');
      },
      rejected: () => Promise.reject(new Error('later')),
      notJson: () => Promise.resolve(10n),
      slow: () => gate.opened,
    };
    await serve('ledger', {
      commands: {
        // A handler holds something (a place, a lock) until its execution has been run.
        Book: ({ id }) =>
          Promise.resolve(
            new Execution(() => {
              runs.push(id);
              return executions[id]?.() ?? Promise.resolve(id);
            }),
          ),
      },
    });
    const names = Object.keys(executions);
    const first = names.map((id) => send(command('same', { id }), shortMs));
    // Found after its life.
    const late = send(command('same', { id: 'late', timeToLiveMs: -1 }), shortMs);
    await Promise.all([...first, late]);
    // Behind them all in the order of their key, so all of them were accepted.
    await send(command('same', { id: 'last' }));
    gate.open();
    expect(runs).toEqual([...names, 'late', 'last']);
  });

  it('whose execution throws are unanswered: their request is recorded', async () => {
    await serve('ledger', {
      commands: {
        Book: () => Promise.resolve(new Execution(() => Promise.reject(new Error('poison')))),
      },
    });
    expect(await send(command('a'), shortMs)).toEqual({ kind: 'unanswered' });
  });
}
