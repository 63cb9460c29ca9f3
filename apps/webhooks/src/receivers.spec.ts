import { describe, expect, it } from '@jest/globals';
import { OPEN_FOR_EACH_CALL, Receivers, SILENT_CALLS_MAX, SLOW_AFTER_MS } from './receivers.js';

const [HERE, THERE] = ['https://here.example', 'https://there.example'] as const;
const NOON_MS = Date.UTC(2026, 0, 15, 12);
const failed = (attemptId: string) => ({
  ...{ attemptId, outcome: { kind: 'answered', statusCode: 503 } as const },
});
const answered = (attemptId: string) => ({
  ...{ attemptId, outcome: { kind: 'answered', statusCode: 200 } as const },
});

describe('receivers', () => {
  it('are called as often at once as they may be, and all together', () => {
    const receivers = new Receivers({ callsMax: 3, callsPerReceiverMax: 2 });
    receivers.begin(HERE, '1', NOON_MS);
    receivers.begin(HERE, '2', NOON_MS);
    expect(receivers.mayCall(HERE, NOON_MS)).toBe(false);
    expect(receivers.busy).toEqual([HERE]);
    expect(receivers.mayCall(THERE, NOON_MS)).toBe(true);
    receivers.begin(THERE, '3', NOON_MS);
    expect([receivers.free, receivers.mayCall(THERE, NOON_MS)]).toEqual([0, false]);
    receivers.answered('1', NOON_MS);
    expect([receivers.free, receivers.busy]).toEqual([1, []]);
  });

  it('are not called again while too much of what they answered is not recorded', () => {
    const receivers = new Receivers({ callsMax: 99, callsPerReceiverMax: 2 });
    const open = OPEN_FOR_EACH_CALL * 2;
    for (let count = 0; count < open; count += 1) {
      expect(receivers.mayCall(HERE, NOON_MS)).toBe(true);
      receivers.begin(HERE, String(count), NOON_MS);
      receivers.answered(String(count), NOON_MS);
    }
    expect([receivers.mayCall(HERE, NOON_MS), receivers.busy]).toEqual([false, [HERE]]);
    receivers.end('0');
    expect([receivers.mayCall(HERE, NOON_MS), receivers.busy]).toEqual([true, []]);
  });

  it('that do not answer are tried once in a while, and told to be there again', () => {
    const receivers = new Receivers({ callsMax: 9, callsPerReceiverMax: 9 });
    for (let count = 0; count < 5; count += 1) {
      receivers.begin(HERE, String(count), NOON_MS);
      expect(receivers.learn(HERE, failed(String(count)), NOON_MS)).toBe(false);
      receivers.answered(String(count), NOON_MS);
      receivers.end(String(count));
    }
    expect(receivers.away).toBe(1);
    expect(receivers.mayCall(THERE, NOON_MS)).toBe(true);
    const opensAtMs = receivers.mayCall(HERE, NOON_MS) as number;
    expect(opensAtMs).toBe(NOON_MS + 30_000);
    expect(receivers.mayCall(HERE, opensAtMs)).toBe(true);
    receivers.begin(HERE, 'probe', opensAtMs);
    expect(receivers.mayCall(HERE, opensAtMs)).toBeGreaterThan(opensAtMs);
    expect(receivers.learn(HERE, answered('probe'), opensAtMs)).toBe(true);
    expect(receivers.mayCall(HERE, opensAtMs)).toBe(true);
    expect(receivers.away).toBe(0);
  });

  it('that answer quickly have their next calls ready, until one is slow', () => {
    const receivers = new Receivers({ callsMax: 99, callsPerReceiverMax: 2 });
    receivers.begin(HERE, 'first', NOON_MS - SLOW_AFTER_MS);
    receivers.sent('first', NOON_MS);
    expect(receivers.room(HERE)).toBe(1);
    receivers.answered('first', NOON_MS + SLOW_AFTER_MS - 1);
    receivers.end('first');
    expect(receivers.room(HERE)).toBe(2);
    for (const id of ['second', 'third']) {
      receivers.begin(HERE, id, NOON_MS);
      receivers.sent(id, NOON_MS);
    }
    receivers.answered('second', NOON_MS);
    expect(receivers.room(HERE)).toBe(OPEN_FOR_EACH_CALL * 2 - 2);
    receivers.answered('third', NOON_MS + SLOW_AFTER_MS);
    expect(receivers.room(HERE)).toBe(2);
  });

  it('that let calls hang take no places from others, and get no more calls', () => {
    const receivers = new Receivers({ callsMax: 2, callsPerReceiverMax: 9 });
    for (const id of ['1', '2']) receivers.begin(HERE, id, NOON_MS);
    expect(SILENT_CALLS_MAX).toBe(2);
    // Nobody has said yet what they are to hear: that is not theirs.
    receivers.noteSlow(NOON_MS + SLOW_AFTER_MS);
    expect(receivers.free).toBe(0);
    for (const id of ['1', '2']) receivers.sent(id, NOON_MS);
    receivers.noteSlow(NOON_MS + SLOW_AFTER_MS - 1);
    expect(receivers.mayCall(THERE, NOON_MS)).toBe(false);
    receivers.noteSlow(NOON_MS + SLOW_AFTER_MS);
    expect([receivers.free, receivers.mayCall(THERE, NOON_MS)]).toEqual([2, true]);
    expect([receivers.mayCall(HERE, NOON_MS), receivers.busy]).toEqual([false, [HERE]]);
    receivers.answered('1', NOON_MS + 30_000);
    receivers.end('1');
    expect([receivers.free, receivers.mayCall(HERE, NOON_MS)]).toEqual([2, true]);
  });
});
