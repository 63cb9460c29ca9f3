import { describe, expect, it } from '@jest/globals';
import { AssignedPartition } from './assigned-partition.js';
import { CommandWork } from './command-work.js';
import { UnrecordedReplies } from './unrecorded-replies.js';

const OFFSET = 7;
const gate = { pause: () => undefined, resume: () => undefined };

/** A command of which nothing was recorded, and what becomes of it. */
function unrecorded(lifeEndsMs: number) {
  const told: string[] = [];
  const assigned = new AssignedPartition('ledger.commands.v1', 0, gate);
  const work = new CommandWork(
    assigned,
    { offset: String(OFFSET) } as never,
    {} as never,
    undefined,
  );
  work.lifeEndsMs = lifeEndsMs;
  assigned.offsets.add(OFFSET);
  work.accepted();
  const replies = new UnrecordedReplies({ drop: () => told.push('dropped') });
  replies.add(work, {
    answer: () => told.push('answered'),
    late: () => void told.push('seen to'),
  });
  return { told, assigned, replies };
}

describe('the reply that nothing was recorded of a command', () => {
  it('waits for the commit, and is then given', () => {
    const { told, assigned, replies } = unrecorded(Infinity);
    replies.settle();
    expect(told).toEqual([]);
    assigned.offsets.committed(OFFSET + 1);
    replies.settle();
    expect(told).toEqual(['answered']);
  });

  it('is too late when nobody waits any more: the command is recorded after all', () => {
    const { told, replies } = unrecorded(-Infinity);
    replies.settle();
    expect(told).toEqual(['seen to']);
  });

  it('is seen to although its partition has gone: the answer to its commit may have been lost', () => {
    const { told, assigned, replies } = unrecorded(-Infinity);
    assigned.isEnded = true;
    replies.settle();
    expect(told).toEqual(['seen to']);
  });

  it('is left to whoever gets the command again when this process ends', async () => {
    const { told, replies } = unrecorded(Infinity);
    await replies.close();
    expect(told).toEqual(['dropped']);
  });
});
