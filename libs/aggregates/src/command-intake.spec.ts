import { describe, expect, it } from '@jest/globals';
import { ShardElsewhere, StoreBusy, StoreUnavailable } from '@sluice/event-store';
import { Execution, InfrastructureAway, Unrecorded } from '@sluice/messaging';
import { CommandIntake, type CommandToDecide, type Decided } from './command-intake.js';
import type { WriteResult } from './stream-writer.js';
import { StreamBusy, Streams } from './streams.js';

const NOW_MS = 1_000_000;
/** Somebody waits for the reply for so long yet. */
const HEARD_MS = NOW_MS + 20_000;
/** The life is nearly over; its sender began to wait before it began. */
const UNHEARD_MS = NOW_MS + 1_000;

/** Counts; a transaction is requested while its name is the state. */
function intakeWith(accept: () => Promise<WriteResult<string>>, state = 'none') {
  const streams = new Streams(state, 10);
  const stages: string[] = [];
  const intake = new CommandIntake<never, string, never, string>({
    ...{ streams, writer: { accept: accept as never } },
    clock: { monotonicMs: () => NOW_MS },
    words: {
      ...{
        busy: 'busy',
        unavailable: 'unavailable',
        elsewhere: 'elsewhere',
        ofUsedKey: ({ reply }) => `used: ${reply}`,
      },
      of: (now) => `is ${now}`,
      isRequested: (now, transactionId) => now === transactionId,
      recorded: {
        replyFor: (transactionId) => Promise.resolve(`recorded ${transactionId}`),
        isUnderWay: () => false,
      },
    },
    passed: (stage) => void stages.push(stage),
  });
  const decide = (command: Partial<CommandToDecide<never, string>> = {}) =>
    intake.decide(streams.hold('stream'), {
      ...{ transactionId: 'a', lifeEndsMs: HEARD_MS },
      propose: () => Promise.reject(new Error('not asked')),
      execute: () => Promise.resolve('done'),
      ...command,
    });
  return { intake, decide, stages, isHeld: () => streams.has('stream') };
}

async function run({ reply }: Decided<string>): Promise<string> {
  if (!(reply instanceof Execution)) throw new Error('nothing is executed');
  return reply.run();
}

const recorded = (): Promise<WriteResult<string>> => Promise.resolve({ kind: 'recorded' });

describe('a command that was recorded', () => {
  it('is answered at once where nothing is to be done, and its stream let go', async () => {
    const { decide, isHeld, stages } = intakeWith(recorded);
    expect(await decide()).toEqual({ reply: 'is none', executes: false, repeated: false });
    expect(isHeld()).toBe(false);
    expect(stages).toEqual(['accept']);
  });

  it('holds its stream until what was requested is done; a duplicate joins', async () => {
    const { intake, decide, isHeld, stages } = intakeWith(recorded, 'a');
    let finish: (reply: string) => void = () => undefined;
    let committedAtMs: number | undefined;
    const execute = (atMs: number): Promise<string> => {
      committedAtMs = atMs;
      return new Promise((resolve) => (finish = resolve));
    };
    const decided = await decide({ execute });
    expect(decided).toMatchObject({ executes: true, repeated: false });
    expect(intake.underWay('a')).toBeUndefined();
    const running = run(decided);
    const joined = intake.underWay('a')?.run();
    expect([isHeld(), committedAtMs]).toEqual([true, NOW_MS]);
    finish('approved');
    expect(await Promise.all([running, joined])).toEqual(['approved', 'approved']);
    expect([isHeld(), intake.underWay('a')]).toEqual([false, undefined]);
    expect(stages).toEqual(['accept', 'total']);
  });

  it('lets its stream go when what was to be done fails', async () => {
    const { decide, isHeld } = intakeWith(recorded, 'a');
    const decided = await decide({ execute: () => Promise.reject(new Error('defect')) });
    await expect(run(decided)).rejects.toThrow('defect');
    expect(isHeld()).toBe(false);
  });
});

describe('a command that is answered without an event', () => {
  it('lets its stream go', async () => {
    const { decide, isHeld } = intakeWith(() =>
      Promise.resolve({ kind: 'answered', answer: 'no' } as WriteResult<string>),
    );
    expect(await decide()).toEqual({ reply: 'no', executes: false, repeated: false });
    expect(isHeld()).toBe(false);
  });
});

describe('a command that was decided before', () => {
  it('is repeated where another instance decided it', async () => {
    const { decide } = intakeWith(() =>
      Promise.resolve({ kind: 'alreadyClaimed', claim: 'transaction' } as WriteResult<string>),
    );
    expect(await decide()).toEqual({ reply: 'recorded a', executes: false, repeated: true });
  });

  it('is answered with what its stream says', async () => {
    const { decide } = intakeWith(() => Promise.resolve({ kind: 'nothingNew' }));
    expect(await decide()).toEqual({ reply: 'is none', executes: false, repeated: true });
  });

  it('under the same key is told the first answer, and is another command', async () => {
    const { decide } = intakeWith(() =>
      Promise.resolve({
        ...{ kind: 'alreadyClaimed', claim: 'idempotency', transactionId: 'b' },
        ...{ fingerprint: 'f', answer: '{}' },
      } as WriteResult<string>),
    );
    const reply = 'used: recorded b';
    expect(await decide()).toEqual({ reply, executes: false, repeated: false });
  });
});

describe('a command that cannot be recorded', () => {
  it.each<[string, string, Error | 'contention']>([
    ['the queue is full', 'busy', new StoreBusy('queueFull')],
    ['too many wait for the stream', 'busy', new StreamBusy()],
    ['others were quicker', 'busy', 'contention'],
    ['the database is away', 'unavailable', new StoreUnavailable('no')],
  ])('is refused while its sender waits, and tried again afterwards: %s', async (_, word, why) => {
    const { decide, isHeld } = intakeWith(() =>
      why === 'contention' ? Promise.resolve({ kind: 'contention' }) : Promise.reject(why),
    );
    expect((await decide()).reply).toEqual(new Unrecorded(word));
    await expect(decide({ lifeEndsMs: UNHEARD_MS })).rejects.toThrow(InfrastructureAway);
    expect(isHeld()).toBe(false);
  });

  it('is refused until eleven seconds before the end of its life, and not after', () => {
    const { intake } = intakeWith(recorded);
    const why = new StoreUnavailable('no');
    expect(intake.nothingRecorded(why, NOW_MS + 11_000)).toEqual(new Unrecorded('unavailable'));
    expect(() => intake.nothingRecorded(why, NOW_MS + 10_999)).toThrow(InfrastructureAway);
  });

  it.each<[string, () => Promise<WriteResult<string>>]>([
    ['its append says so', () => Promise.resolve({ kind: 'elsewhere' })],
    ['its stream has gone', () => Promise.reject(new ShardElsewhere('stream'))],
  ])(
    'is left to another cell while its sender waits, and kept afterwards: %s',
    async (_, accept) => {
      const { decide, isHeld } = intakeWith(accept);
      expect((await decide()).reply).toEqual(new Unrecorded('elsewhere'));
      const kept = decide({ lifeEndsMs: UNHEARD_MS });
      await expect(kept).rejects.toThrow('Another cell has the shard');
      // That would stop its partition until the shard comes back.
      await expect(kept).rejects.not.toBeInstanceOf(InfrastructureAway);
      expect(isHeld()).toBe(false);
    },
  );

  it('is not refused because of a defect', async () => {
    const defect = new Error('defect');
    const { decide, isHeld } = intakeWith(() => Promise.reject(defect));
    await expect(decide()).rejects.toBe(defect);
    expect(isHeld()).toBe(false);
  });

  it('is not called clean where the append may have been recorded', async () => {
    const perhaps = new StoreUnavailable('unknown');
    const { decide, isHeld } = intakeWith(() => Promise.reject(perhaps));
    await expect(decide()).rejects.toBe(perhaps);
    expect(isHeld()).toBe(false);
  });
});
