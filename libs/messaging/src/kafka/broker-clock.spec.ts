import { afterEach, describe, expect, it } from '@jest/globals';
import { BrokerClock } from './broker-clock.js';
import type { Outgoing, SendOutcome } from './producer-lane.js';
import { TopicTable } from './topics.js';

const HOUR_MS = 3_600_000;
const LIFE_MS = 25_000;

/** A broker whose clock is so far from this machine's. */
class Broker {
  aheadMs = 0;
  asked = 0;
  outcome: SendOutcome | undefined;

  now(): number {
    return Date.now() + this.aheadMs;
  }

  connect(): Promise<void> {
    return Promise.resolve();
  }

  send(message: Outgoing, onOutcome: (outcome: SendOutcome) => void): never {
    expect(message).toMatchObject({ topic: 'edge.replies.v1', headers: {} });
    this.asked += 1;
    onOutcome(this.outcome ?? { kind: 'acknowledged', appendedAtMs: this.now() });
    return undefined as never;
  }
}

const clocks: BrokerClock[] = [];

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.close();
});

async function started(aheadMs: number): Promise<{ broker: Broker; clock: BrokerClock }> {
  const broker = new Broker();
  broker.aheadMs = aheadMs;
  const clock = new BrokerClock({
    producer: broker,
    topics: new TopicTable(''),
    logger: undefined,
  });
  clocks.push(clock);
  await clock.start();
  return { broker, clock };
}

/** How much life is left of a message that was appended so long ago. */
async function lifeLeft(clock: BrokerClock, appendedAtMs: number): Promise<number> {
  return (await clock.lifeEndOf({ appendedAtMs, timeToLiveMs: LIFE_MS })) - performance.now();
}

describe.each([
  ['like ours', 0],
  ['an hour ahead of ours', HOUR_MS],
  ['an hour behind ours', -HOUR_MS],
])("with a broker's clock %s", (_name, aheadMs) => {
  it('a new message has its whole life before it', async () => {
    const { broker, clock } = await started(aheadMs);
    expect(await lifeLeft(clock, broker.now())).toBeCloseTo(LIFE_MS, -2);
  });

  it('one that was appended late has no more than its sender meant', async () => {
    const { broker, clock } = await started(aheadMs);
    const life = { appendedAtMs: broker.now(), timeToLiveMs: LIFE_MS };
    const expiresAtMs = broker.now() + 5_000;
    const endMs = await clock.lifeEndOf({ ...life, expiresAtMs });
    expect(endMs - performance.now()).toBeCloseTo(5_000, -2);
  });

  it('an old one has what is left of it', async () => {
    const { broker, clock } = await started(aheadMs);
    expect(await lifeLeft(clock, broker.now() - 20_000)).toBeCloseTo(5_000, -2);
    expect(await lifeLeft(clock, broker.now() - HOUR_MS)).toBeCloseTo(LIFE_MS - HOUR_MS, -2);
  });

  it('one that a clock was set back behind is asked about, and has no life if it stays so', async () => {
    const { broker, clock } = await started(aheadMs);
    const { asked } = broker;
    const appendedAtMs = broker.now();
    broker.aheadMs -= HOUR_MS;
    // Not asked yet: seen by the old clock it is young.
    expect(await lifeLeft(clock, appendedAtMs)).toBeCloseTo(LIFE_MS, -2);
    expect(await lifeLeft(clock, appendedAtMs + HOUR_MS)).toBe(Number.NEGATIVE_INFINITY);
    expect(broker.asked).toBe(asked + 1);
    expect(await lifeLeft(clock, broker.now())).toBeCloseTo(LIFE_MS, -2);
  });

  it('a clock that was set forward is noticed with the first message', async () => {
    const { broker, clock } = await started(aheadMs);
    broker.aheadMs += HOUR_MS;
    expect(await lifeLeft(clock, broker.now())).toBeCloseTo(LIFE_MS, -2);
    expect(await lifeLeft(clock, broker.now() - HOUR_MS)).toBeLessThan(0);
  });

  it('brokers that differ a little cost nobody his life', async () => {
    const { broker, clock } = await started(aheadMs);
    expect(await lifeLeft(clock, broker.now() + 1_500)).toBeCloseTo(LIFE_MS, -2);
  });
});

describe('before the broker has said what time it is', () => {
  it('nothing has a life, and start waits', async () => {
    const broker = new Broker();
    broker.outcome = { kind: 'acknowledged', appendedAtMs: undefined };
    const parts = { producer: broker, topics: new TopicTable(''), logger: undefined };
    const clock = new BrokerClock(parts);
    const start = clock.start();
    expect(await clock.lifeEndOf({ appendedAtMs: Date.now(), timeToLiveMs: LIFE_MS })).toBe(
      Number.NEGATIVE_INFINITY,
    );
    clock.close();
    await start;
  });
});
