import { describe, expect, it } from '@jest/globals';
import { ShardElsewhere } from '../append-member.js';
import type { Database } from '../database.js';
import { CarriedShards } from './carried-shards.js';

const ID = 'a'.repeat(32);

/** A cell: which state its table of shards is in, and whether it carries the id. */
interface Cell {
  state: string;
  isCarried: boolean;
  isThere: boolean;
}

/** Looks at an id in a cell to which something happens between the look and the check, look by look. */
function looks(cell: Cell, ...happens: readonly (() => void)[]) {
  let count = 0;
  const execute = (): Promise<unknown> =>
    Promise.resolve([[cell.state, cell.isCarried ? null : ID]]);
  const shards = new CarriedShards({ execute } as unknown as Database, 'ledger');
  const look = (): Promise<readonly string[]> => {
    const found = cell.isThere && cell.isCarried ? [ID] : [];
    happens[count]?.();
    count += 1;
    return Promise.resolve(found);
  };
  const missing = (found: readonly string[]): readonly string[] => (found.length === 0 ? [ID] : []);
  return { result: () => shards.certain(look, missing), count: () => count };
}

describe('what a cell says of an id that it has not found', () => {
  it('is that there is none, if it carried the shard all the time', async () => {
    const { result, count } = looks({ state: '1', isCarried: true, isThere: false });
    expect(await result()).toEqual([]);
    // The first time it is not known yet which state the look has seen.
    expect(count()).toBe(2);
    expect(await result()).toEqual([]);
    expect(count()).toBe(3);
  });

  it('is that another cell has the shard', async () => {
    const { result } = looks({ state: '1', isCarried: false, isThere: false });
    await expect(result()).rejects.toThrow(ShardElsewhere);
  });

  it('is what is there, if the shard came back between the look and the check', async () => {
    const cell = { state: '1', isCarried: true, isThere: false };
    const nothing = (): void => undefined;
    const comesBack = (): void => void Object.assign(cell, { state: '3', isCarried: true });
    const { result, count } = looks(cell, nothing, nothing, comesBack);
    expect(await result()).toEqual([]);
    expect(count()).toBe(2);
    Object.assign(cell, { state: '2', isCarried: false, isThere: true });
    expect(await result()).toEqual([ID]);
    expect(count()).toBe(4);
  });

  it('is nothing of an id without a shard, and nobody is asked', async () => {
    const shards = new CarriedShards({} as Database, 'ledger');
    const look = (): Promise<readonly string[]> => Promise.resolve([]);
    expect(await shards.certain(look, () => ['no-id'])).toEqual([]);
  });
});
