import { describe, expect, it } from '@jest/globals';
import { meter, READ_AGAIN_MS, storeWith } from './meter-fixture.js';
import { StreamWriter } from './stream-writer.js';
import { Stream } from './streams.js';

const clock = { now: () => Date.UTC(2026, 0, 15) };
const newStream = () => new Stream<readonly number[]>('meter-1', []);
const reading = { type: 'ReadMeter', reading: 7 } as const;
const proposal = () =>
  Promise.resolve({
    kind: 'command',
    command: reading,
    claims: { commandId: 'message', notAfterMs: 1 },
  } as const);

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
