import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/service';
import { fixedClock } from '@sluice/testing';
import { DetailMemory } from './detail-memory.js';
import type { DataKeys, RewrapResult } from './data-keys.js';
import type { HeldDetailRows } from './held-detail-rows.js';
import type { KeptDetails } from './kept-details.js';
import type { UsedTokens } from './used-tokens.js';
import { SWEEP_INTERVAL_MS, SweepProcessor } from './sweep.processor.js';

const THIRTY_MINUTES_MS = 30 * 60_000;

function processor(sweepExpired: () => Promise<number>, result?: RewrapResult) {
  const clock = fixedClock(0);
  const memory = new DetailMemory(1_000);
  const saved = new DetailMemory(1_000);
  const logged: string[] = [];
  const logger = createLogger({
    service: 'vault',
    level: 'info',
    destination: { write: (line) => void logged.push(line) },
  });
  const calls: string[] = [];
  const rows = { sweepExpired } as Partial<HeldDetailRows> as HeldDetailRows;
  const dataKeys = {
    rewrap: () => {
      calls.push('rewrap');
      return Promise.resolve(result ?? { rewrapped: 0, unreadable: 0 });
    },
    sweep: () => {
      calls.push('sweep');
      return Promise.resolve();
    },
  } as Partial<DataKeys> as DataKeys;
  const kept = {
    rewrap: () => {
      calls.push('rewrap kept');
      return Promise.resolve({ rewrapped: 0, unreadable: 0 });
    },
  } as Partial<KeptDetails> as KeptDetails;
  const usedTokens = {
    sweepExpired: () => Promise.resolve(0),
  } as Partial<UsedTokens> as UsedTokens;
  const parts = { memory, saved, rows, dataKeys, kept, usedTokens, clock, logger };
  return { sweeper: new SweepProcessor(parts), memory, clock, logged, calls };
}

const sealed = { dataKeyId: 'key-1', nonce: Buffer.alloc(12), ciphertext: Buffer.alloc(40) };

describe('a sweep', () => {
  it('comes early enough that no security code lives longer than 30 minutes (D-42)', () => {
    const longestLifetimeMs = 29 * 60_000;
    expect(longestLifetimeMs + SWEEP_INTERVAL_MS).toBeLessThan(THIRTY_MINUTES_MS);
  });

  it('goes on while steps are full, within its bound', async () => {
    const counts = [1_000, 1_000, 7];
    const some = processor(() => Promise.resolve(counts.shift() ?? 0));
    await some.sweeper.sweep();
    expect(counts).toEqual([]);
    expect(some.calls).toEqual(['rewrap', 'rewrap kept', 'sweep']);
    let steps = 0;
    const endless = processor(() => {
      steps += 1;
      return Promise.resolve(1_000);
    });
    await endless.sweeper.sweep();
    expect(steps).toBe(20);
  });

  it('wipes memory even when the database is gone, and says why', async () => {
    const { sweeper, memory, clock, logged } = processor(() =>
      Promise.reject(new Error('database is down')),
    );
    const code = Buffer.from('918');
    memory.remember('a', sealed, code, 0);
    clock.advance(1_000);
    await sweeper.sweep();
    expect(code).toEqual(Buffer.alloc(3));
    expect(logged.join('')).toContain('database is down');
    await sweeper.close();
  });

  it('tells of keys that were wrapped anew and of those that cannot be', async () => {
    const { sweeper, logged } = processor(() => Promise.resolve(0), {
      rewrapped: 3,
      unreadable: 1,
    });
    await Promise.all([sweeper.sweep(), sweeper.sweep()]);
    expect(logged).toHaveLength(2);
    expect(logged[0]).toContain('"rewrapped":3');
    expect(logged[1]).toContain('"unreadable":1');
    await sweeper.close();
  });
});
