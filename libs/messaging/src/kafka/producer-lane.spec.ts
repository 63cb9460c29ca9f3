import { describe, expect, it } from '@jest/globals';
import { BATCH_BYTES_MAX, ProducerLane, Sending } from './producer-lane.js';

describe('what waits for a partition', () => {
  const lane = new ProducerLane('topic', 0);
  const add = (to: ProducerLane, bytes: number): Sending => {
    const message = { topic: 'topic', partition: 0, key: null, value: null, headers: {} };
    const sending = new Sending(message, bytes, to, () => undefined);
    to.add(sending);
    return sending;
  };

  it('is cut by bytes, and what is too large goes alone', () => {
    const half = BATCH_BYTES_MAX / 2;
    const [a, b, c, huge, d] = [half, half, half, 4 * BATCH_BYTES_MAX, 1].map((bytes) =>
      add(lane, bytes),
    );
    expect(lane.take()).toEqual([a, b]);
    lane.forget(lane.take());
    expect(lane.take()).toEqual([c]);
    lane.forget(lane.take());
    expect(lane.take()).toEqual([huge]);
    lane.forget(lane.take());
    expect(lane.take()).toEqual([d]);
  });

  it('is sent again first, in its order, when a request has failed', () => {
    const failing = new ProducerLane('topic', 0);
    const [a, b] = [add(failing, 1), add(failing, 1)];
    expect(failing.take()).toEqual([a, b]);
    const later = add(failing, 1);
    expect(failing.take()).toEqual([a, b, later]);
    expect(later.wasHanded).toBe(true);
  });

  it('is not sent again when it was given up, and was never handed when it only waited', () => {
    const given = new ProducerLane('topic', 0);
    const handed = add(given, 1);
    given.take();
    const waiting = add(given, 1);
    given.remove(handed);
    given.remove(waiting);
    expect(given.take()).toEqual([]);
    expect([handed.wasHanded, waiting.wasHanded]).toEqual([true, false]);
  });

  it('is halved while the broker finds it too large, until all of it has left', () => {
    const large = new ProducerLane('topic', 0);
    const sendings = Array.from({ length: 8 }, () => add(large, 1));
    large.take();
    large.countMax = 4;
    expect(large.take()).toEqual(sendings.slice(0, 4));
    large.forget(large.take());
    expect(large.take()).toEqual(sendings.slice(4));
    large.forget(large.take());
    expect(large.countMax).toBe(Number.POSITIVE_INFINITY);
  });
});
