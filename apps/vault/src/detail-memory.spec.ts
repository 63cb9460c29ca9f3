import { describe, expect, it } from '@jest/globals';
import type { SealedDetails } from './detail-cipher.js';
import { DetailMemory } from './detail-memory.js';

const LIFETIME_MS = 1_000;
const sealed: SealedDetails = {
  dataKeyId: 'key-1',
  nonce: Buffer.alloc(12),
  ciphertext: Buffer.alloc(40),
};

function code(): Buffer {
  return Buffer.from('918', 'latin1');
}

const zeros = Buffer.alloc(3);

describe('a remembered card', () => {
  it('is recalled with its security code until its time is over', () => {
    const memory = new DetailMemory(LIFETIME_MS);
    memory.remember('a', sealed, code(), 0);
    expect(memory.recall('a', LIFETIME_MS - 1)).toEqual({ sealed, inMemory: '918' });
    expect(memory.recall('a', LIFETIME_MS)).toBeUndefined();
    expect(memory.size).toBe(0);
  });

  it('may have no security code', () => {
    const memory = new DetailMemory(LIFETIME_MS);
    memory.remember('a', sealed, undefined, 0);
    expect(memory.recall('a', 0)).toEqual({ sealed, inMemory: undefined });
    memory.forget('a');
    expect(memory.recall('a', 0)).toBeUndefined();
  });
});

describe('the security code is overwritten (S-PCI-03)', () => {
  it('when it is forgotten, and forgetting twice is no error', () => {
    const memory = new DetailMemory(LIFETIME_MS);
    const digits = code();
    memory.remember('a', sealed, digits, 0);
    memory.forget('a');
    memory.forget('a');
    expect(digits).toEqual(zeros);
  });

  it('when it is not needed any more, and the rest of the card still is', () => {
    const memory = new DetailMemory(LIFETIME_MS);
    const digits = code();
    memory.remember('a', sealed, digits, 0);
    memory.forgetUnwritten('a');
    memory.forgetUnwritten('a');
    memory.forgetUnwritten('b');
    expect(digits).toEqual(zeros);
    expect(memory.recall('a', 0)).toEqual({ sealed, inMemory: undefined });
  });

  it('when it expires, whether somebody asks or the sweep comes', () => {
    const memory = new DetailMemory(LIFETIME_MS);
    const asked = code();
    const swept = code();
    const young = code();
    memory.remember('a', sealed, asked, 0);
    memory.remember('b', sealed, swept, 0);
    memory.remember('c', sealed, young, 500);
    memory.recall('a', LIFETIME_MS);
    memory.sweep(LIFETIME_MS);
    expect([asked, swept]).toEqual([zeros, zeros]);
    expect(young).toEqual(code());
    expect(memory.size).toBe(1);
  });

  it('when the vault ends', () => {
    const memory = new DetailMemory(LIFETIME_MS);
    const digits = code();
    memory.remember('a', sealed, digits, 0);
    memory.clear();
    expect(digits).toEqual(zeros);
    expect(memory.size).toBe(0);
  });

  it('when there are too many: the oldest goes', () => {
    const memory = new DetailMemory(LIFETIME_MS);
    const first = code();
    memory.remember('first', sealed, first, 0);
    for (let index = 0; index < 20_000; index += 1) {
      memory.remember(`card-${index}`, sealed, undefined, 0);
    }
    expect(first).toEqual(zeros);
    expect(memory.size).toBe(20_000);
    expect(memory.recall('card-19999', 0)).toBeDefined();
  });
});
