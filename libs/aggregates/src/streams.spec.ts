import { describe, expect, it } from '@jest/globals';
import { StreamBusy, Streams } from './streams.js';

const id = 'stream-1';

describe('the queue of a stream', () => {
  it('keeps order, refuses what is too much, but never an outcome', async () => {
    const streams = new Streams(undefined, 2);
    const stream = streams.hold(id);
    const order: number[] = [];
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const first = streams.exclusively(stream, () => held.then(() => void order.push(1)));
    const second = streams.exclusively(stream, async () => void order.push(2));
    await expect(streams.exclusively(stream, async () => undefined)).rejects.toThrow(StreamBusy);
    const third = streams.inTurn(stream, async () => void order.push(3));
    letGo();
    await Promise.all([first, second, third]);
    expect(order).toEqual([1, 2, 3]);
  });

  it('has room again for each piece of work that is done', async () => {
    const streams = new Streams(undefined, 1);
    const stream = streams.hold(id);
    for (const round of [1, 2, 3]) {
      expect(await streams.exclusively(stream, async () => round)).toBe(round);
    }
  });

  it('begins with nothing, unread', () => {
    const stream = new Streams('nothing', 2).hold(id);
    expect(stream).toMatchObject({ id, version: 0, state: 'nothing', loaded: false });
  });

  it('goes on after work that failed', async () => {
    const streams = new Streams(undefined, 2);
    const stream = streams.hold(id);
    const failing = streams.exclusively(stream, () => Promise.reject(new Error('broken')));
    const next = streams.exclusively(stream, async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });

  it('lets go of the stream with its last holder', () => {
    const streams = new Streams(undefined, 2);
    const stream = streams.hold(id);
    expect(streams.hold(id)).toBe(stream);
    streams.release(stream);
    expect(streams.has(id)).toBe(true);
    streams.release(stream);
    expect(streams.has(id)).toBe(false);
  });
});
