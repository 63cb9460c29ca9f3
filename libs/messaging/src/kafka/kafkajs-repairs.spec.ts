import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { repairKafkajs } from './kafkajs-repairs.js';

interface Queue {
  throttledUntil: number;
  pending: unknown[];
  scheduleCheckPendingRequests(): void;
  destroy(): void;
}

type QueueClass = new (options: object) => Queue;

describe('the request queue of a connection', () => {
  let queue: Queue;

  beforeEach(() => {
    jest.useFakeTimers();
    repairKafkajs();
    const load = createRequire(import.meta.url);
    const RequestQueue = load('kafkajs/src/network/requestQueue') as QueueClass;
    queue = new RequestQueue({ logger: { debug: () => undefined } });
  });

  afterEach(() => {
    queue.destroy();
    jest.useRealTimers();
  });

  it('starts no timer while nothing waits (#1751)', () => {
    queue.scheduleCheckPendingRequests();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('looks at what waits as soon as it may be sent', () => {
    const sent: string[] = [];
    queue.throttledUntil = Date.now() + 1_000;
    queue.pending.push({ send: () => sent.push('request'), expectResponse: true });
    queue.scheduleCheckPendingRequests();
    jest.advanceTimersByTime(999);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(sent).toEqual(['request']);
    expect(jest.getTimerCount()).toBe(0);
  });
});
