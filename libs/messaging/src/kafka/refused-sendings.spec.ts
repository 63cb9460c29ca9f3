import { describe, expect, it } from '@jest/globals';
import { AssignedPartition } from './assigned-partition.js';
import { CommandWork } from './command-work.js';
import { RefusedSendings } from './refused-sendings.js';

const gate = { pause: () => undefined, resume: () => undefined };

function delivery(correlation: string | undefined, offset: number): CommandWork {
  const assigned = new AssignedPartition('ledger.commands.v1', 0, gate);
  const reply = correlation === undefined ? undefined : { partition: 0, correlation };
  return new CommandWork(assigned, { offset: String(offset) } as never, {} as never, reply);
}

describe('a sending that was refused', () => {
  const refused = new RefusedSendings();
  const first = delivery('sending', 7);
  first.lifeEndsMs = Infinity;
  refused.add(first);

  it.each<[string, CommandWork, boolean]>([
    ['is known by a copy further on', delivery('sending', 9), true],
    ['is handled again where it comes again itself', delivery('sending', 7), false],
    ['has nothing to do with another sending', delivery('another', 8), false],
    ['has nothing to do with one without an address', delivery(undefined, 8), false],
  ])('%s', (_, work, isCopy) => {
    expect(refused.isCopy(work)).toBe(isCopy);
  });

  it.each<[string, number, boolean]>([
    ['is known for a while after its life: a copy may have lain in a socket', -59_000, true],
    ['is forgotten a minute after its life', -61_000, false],
  ])('%s', (_, endedMs, isKnown) => {
    const ended = new RefusedSendings();
    const over = delivery('over', 1);
    over.lifeEndsMs = performance.now() + endedMs;
    ended.add(over);
    ended.add(delivery('next', 2));
    expect(ended.isCopy(delivery('over', 3))).toBe(isKnown);
  });
});
