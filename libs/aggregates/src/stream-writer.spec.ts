import { describe, expect, it } from '@jest/globals';
import { DatabaseFailure, StoreBusy, StoreUnavailable } from '@sluice/event-store';
import { meter, READ_AGAIN_MS, storeWith } from './meter-fixture.js';
import { isInfrastructure, nextPauseMs, StreamWriter } from './stream-writer.js';
import { Stream } from './streams.js';

const clock = { now: () => Date.UTC(2026, 0, 15) };
const newStream = () => new Stream<readonly number[]>('meter-1', []);
const reading = { type: 'ReadMeter', reading: 7 } as const;
const read = (number: number) => () =>
  Promise.resolve({
    kind: 'command',
    command: { ...reading, reading: number },
    claims: { commandId: 'message', notAfterMs: 1 },
  } as const);
const proposal = read(7);

describe('a command', () => {
  it('decides again after a conflict, five times, and is then told that it is busy', async () => {
    const { store, members } = storeWith(Array.from({ length: 6 }, () => 'versionConflict'));
    const writer = new StreamWriter(meter, store, clock);
    expect(await writer.accept(newStream(), proposal)).toEqual({ kind: 'contention' });
    expect(members).toHaveLength(6);
  });

  it('records when its stream is due again', async () => {
    const { store, members } = storeWith([]);
    const stream = newStream();
    const writer = new StreamWriter(meter, store, clock);
    expect(await writer.accept(stream, proposal)).toEqual({ kind: 'recorded' });
    expect(members[0]?.dueInMs).toBe(READ_AGAIN_MS);
    expect([stream.version, stream.state]).toEqual([1, [7]]);
  });

  it('that was decided before is nothing new', async () => {
    const { store, members } = storeWith([]);
    const stream = newStream();
    const writer = new StreamWriter(meter, store, clock);
    await writer.accept(stream, proposal);
    expect(await writer.accept(stream, proposal)).toEqual({ kind: 'nothingNew' });
    expect(members).toHaveLength(1);
  });

  it('that is too old is recorded as such, and without its age test', async () => {
    const { store, members } = storeWith(['expired']);
    await new StreamWriter(meter, store, clock).accept(newStream(), proposal);
    expect(members.map((member) => member.notAfterMs)).toEqual([1, undefined]);
    expect(members[1]?.events.map(({ type }) => type)).toEqual(['ReadingMissed']);
    expect(members[1]?.dueInMs).toBeNull();
  });

  it('is decided on what another process has recorded, and at its version', async () => {
    const { store, members } = storeWith([]);
    const here = newStream();
    const there = newStream();
    const writer = new StreamWriter(meter, store, clock);
    await writer.accept(here, proposal);
    // The other one does not know of the first reading yet.
    expect(await writer.accept(there, read(8))).toEqual({ kind: 'recorded' });
    expect(members.map((member) => member.expectedVersion)).toEqual([0, 0, 1]);
    expect([there.version, there.state]).toEqual([2, [7, 8]]);
    expect(await writer.accept(here, read(8))).toEqual({ kind: 'nothingNew' });
    expect([here.version, here.state]).toEqual([2, [7, 8]]);
  });

  it('is recorded at the sixth try, after five conflicts', async () => {
    const { store, members } = storeWith(Array.from({ length: 5 }, () => 'versionConflict'));
    const writer = new StreamWriter(meter, store, clock);
    expect(await writer.accept(newStream(), proposal)).toEqual({ kind: 'recorded' });
    expect(members).toHaveLength(6);
  });

  it('claims what was proposed in the stream that it is for', async () => {
    const { store, members } = storeWith([]);
    await new StreamWriter(meter, store, clock).accept(newStream(), proposal);
    const [member] = members;
    expect(member).toMatchObject({ streamId: 'meter-1', commandId: 'message', notAfterMs: 1 });
    expect(member?.events).toMatchObject([{ type: 'MeterRead', data: '{"reading":7}' }]);
  });

  it('that others have marked something for is proposed again, and told so', async () => {
    const { store, members } = storeWith(['markedMeanwhile']);
    const told: boolean[] = [];
    const propose = (isMarked: boolean) => {
      told.push(isMarked);
      return proposal();
    };
    const result = await new StreamWriter(meter, store, clock).accept(newStream(), propose);
    expect(result).toEqual({ kind: 'recorded' });
    expect(told).toEqual([false, true]);
    expect(members).toHaveLength(2);
  });

  it('holds the mark that it was decided by only if it leaves one beside it', async () => {
    const heldMark = { subject: 'street', transactionId: 'meter-0', version: 3 };
    const held = async () => ({
      ...(await proposal()),
      claims: { commandId: 'message', heldMark },
    });
    for (const subject of ['street', 'house']) {
      const { store, members } = storeWith([]);
      const left = [{ subject, transactionId: 'meter-1', data: '{}', lasting: false }];
      const marks = { left, withdrawn: [], cleared: [] };
      const marked = { ...meter, marks: () => marks };
      await new StreamWriter(marked, store, clock).accept(newStream(), held);
      expect(members[0]?.marks).toEqual(marks);
      expect(members[0]?.heldMark).toEqual(subject === 'street' ? heldMark : undefined);
    }
  });

  it('that was answered before anything was decided records nothing', async () => {
    const { store, members } = storeWith([]);
    const answered = { kind: 'answered', answer: 'not yours' } as const;
    const writer = new StreamWriter(meter, store, clock);
    expect(await writer.accept(newStream(), () => Promise.resolve(answered))).toBe(answered);
    expect(members).toEqual([]);
  });

  it('is told that its claim is taken', async () => {
    const { store } = storeWith(['alreadyClaimed']);
    const stream = newStream();
    const writer = new StreamWriter(meter, store, clock);
    expect(await writer.accept(stream, proposal)).toEqual({ kind: 'alreadyClaimed' });
    expect([stream.version, stream.state]).toEqual([0, []]);
  });

  it('after whose append nobody knows what is recorded has the next one read again', async () => {
    const { store } = storeWith(['answerLost']);
    const stream = newStream();
    const writer = new StreamWriter(meter, store, clock);
    await expect(writer.accept(stream, proposal)).rejects.toThrow('unavailable');
    expect(stream.loaded).toBe(false);
    await writer.ensureLoaded(stream);
    expect([stream.version, stream.state]).toEqual([1, [7]]);
  });

  it('follows on what is in memory without a read', async () => {
    const { store } = storeWith([]);
    const stream = newStream();
    let reads = 0;
    const counting = { append: store.append, read: () => Promise.reject(new Error(`${++reads}`)) };
    const writer = new StreamWriter(meter, counting, clock);
    await writer.accept(stream, proposal);
    await writer.ensureLoaded(stream);
    await writer.accept(stream, read(8));
    expect([stream.version, reads]).toEqual([2, 0]);
  });

  it('that is too old is recorded as decided where its kind of stream has nothing else to say', async () => {
    const { store, members } = storeWith(['expired']);
    const { expired: _, ...patient } = meter;
    const writer = new StreamWriter(patient, store, clock);
    expect(await writer.accept(newStream(), proposal)).toEqual({ kind: 'recorded' });
    expect(members.map(({ notAfterMs }) => notAfterMs)).toEqual([1, undefined]);
    expect(members[1]?.events.map(({ type }) => type)).toEqual(['MeterRead']);
  });

  it('tells whoever counts what came of each append', async () => {
    const { store } = storeWith(['versionConflict']);
    const heard: string[] = [];
    const writer = new StreamWriter(meter, store, clock, ({ kind }, state, events) => {
      heard.push(`${kind} ${String(state.length)} ${String(events.length)}`);
    });
    await writer.accept(newStream(), proposal);
    expect(heard).toEqual(['versionConflict 1 1', 'appended 1 1']);
  });
});

describe('what has happened outside', () => {
  it('is recorded however often the database is away, and once', async () => {
    const { store, members } = storeWith([
      ...(['appended', 'unavailable', 'unavailable', 'versionConflict'] as const),
    ]);
    const writer = new StreamWriter(meter, store, clock);
    const stream = newStream();
    await writer.accept(stream, proposal);
    const next = { ...reading, reading: 8 };
    expect(await writer.record(stream, next)).toBe(true);
    expect(stream.state).toEqual([7, 8]);
    expect(await writer.record(stream, next)).toBe(false);
    expect(members).toHaveLength(5);
  });

  it('is not recorded again where the first time was, and only its answer was lost', async () => {
    const { store, members } = storeWith(['answerLost']);
    const stream = newStream();
    const writer = new StreamWriter(meter, store, clock);
    expect(await writer.record(stream, reading)).toBe(false);
    expect(members).toHaveLength(1);
    expect(members[0]?.commandId).toMatch(/^[0-9a-f-]{36}$/);
    expect([stream.version, stream.state]).toEqual([1, [7]]);
  });

  it('is tried again after pauses that double, up to one of a second', () => {
    const pausesMs = [20];
    while (pausesMs.length < 9) pausesMs.push(nextPauseMs(pausesMs.at(-1) ?? 0));
    expect(pausesMs).toEqual([20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
  });

  it('is not tried again where the program is broken', async () => {
    const { store, members } = storeWith([]);
    const broken = { ...store, read: () => Promise.reject(new TypeError('broken')) };
    const recording = new StreamWriter(meter, broken, clock).record(newStream(), reading);
    await expect(recording).rejects.toThrow('broken');
    expect(members).toEqual([]);
  });

  it('is given up when the process ends: the sweeper will find it', async () => {
    const { store } = storeWith(['appended', 'unavailable', 'unavailable', 'unavailable']);
    const writer = new StreamWriter(meter, store, clock);
    const stream = newStream();
    await writer.accept(stream, proposal);
    const recording = writer.record(stream, { ...reading, reading: 8 });
    writer.close();
    await expect(recording).rejects.toThrow();
  });
});

describe('a stream', () => {
  it('is read once, however often it is asked for', async () => {
    const { store } = storeWith([]);
    await new StreamWriter(meter, store, clock).accept(newStream(), proposal);
    const asked: string[] = [];
    const read = (id: string) => {
      asked.push(id);
      return store.read(id);
    };
    const writer = new StreamWriter(meter, { ...store, read }, clock);
    const stream = newStream();
    await writer.ensureLoaded(stream);
    await writer.ensureLoaded(stream);
    expect([stream.version, stream.state]).toEqual([1, [7]]);
    expect(asked).toEqual(['meter-1']);
  });
});

describe('when a stream is due', () => {
  const dueInMs = (dueAtMs: number | null) =>
    new StreamWriter({ ...meter, dueAtMs: () => dueAtMs }, storeWith([]).store, clock).dueInMs([]);

  it('is counted from now, and at once where it is past', () => {
    const nowMs = clock.now();
    expect([nowMs + 5, nowMs, nowMs - 5].map(dueInMs)).toEqual([5, 0, 0]);
  });

  it('is never where nothing is due, or nothing of its kind ever is', () => {
    expect(dueInMs(null)).toBeNull();
    const { dueAtMs: _, ...timeless } = meter;
    expect(new StreamWriter(timeless, storeWith([]).store, clock).dueInMs([7])).toBeNull();
  });
});

describe('what is wrong with the database', () => {
  it('is told from what is wrong with the program', () => {
    const away = [new StoreBusy('queueFull'), new StoreUnavailable('no')];
    expect(away.map(isInfrastructure)).toEqual([true, true]);
    expect(isInfrastructure(Object.create(DatabaseFailure.prototype))).toBe(true);
    expect([new TypeError('broken'), undefined].map(isInfrastructure)).toEqual([false, false]);
  });
});
