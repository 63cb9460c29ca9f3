import { describe, expect, it } from '@jest/globals';
import { UNHEARD_BEFORE_END_MS } from '../ports.js';
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
  let taken: () => void = () => undefined;
  replies.add(work, {
    answer: (isTaken) => {
      told.push('answered');
      taken = isTaken;
    },
    finished: () => told.push('finished'),
    late: () => void told.push('seen to'),
  });
  /** The broker has the reply. */
  const take = (): void => taken();
  return { told, assigned, replies, take, work };
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

  it('is given once, and the command is finished when the broker has it', () => {
    const { told, assigned, replies, take } = unrecorded(Infinity);
    assigned.offsets.committed(OFFSET + 1);
    replies.settle();
    replies.settle();
    expect(told).toEqual(['answered']);
    take();
    expect(told).toEqual(['answered', 'finished']);
  });

  it('does not count if the broker was away for as long as anybody waited for it', () => {
    const { told, assigned, replies, take, work } = unrecorded(Infinity);
    assigned.offsets.committed(OFFSET + 1);
    replies.settle();
    work.lifeEndsMs = -Infinity;
    replies.settle();
    expect(told).toEqual(['answered', 'seen to']);
    // Nobody is there any more who could be told.
    take();
    replies.settle();
    expect(told).toEqual(['answered', 'seen to']);
  });

  it('is not given when its sender may have stopped waiting, although the command lives', () => {
    const { told, assigned, replies } = unrecorded(performance.now() + UNHEARD_BEFORE_END_MS / 2);
    assigned.offsets.committed(OFFSET + 1);
    replies.settle();
    expect(told).toEqual(['seen to']);
  });

  it('does not count if the broker takes it when its sender may have stopped waiting', () => {
    const { told, assigned, replies, work } = unrecorded(Infinity);
    assigned.offsets.committed(OFFSET + 1);
    replies.settle();
    work.lifeEndsMs = performance.now() + UNHEARD_BEFORE_END_MS / 2;
    replies.settle();
    expect(told).toEqual(['answered', 'seen to']);
  });

  it('is on its way when this process ends: the command is finished', async () => {
    const { told, assigned, replies } = unrecorded(Infinity);
    assigned.offsets.committed(OFFSET + 1);
    await replies.close();
    expect(told).toEqual(['answered', 'finished']);
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
