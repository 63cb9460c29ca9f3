import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CommandMessage } from '@sluice/contracts';
import { CLOCK_MARGIN_MS } from '@sluice/service';
import type { CommandResult } from '../ports.js';
import { CommandSender } from './command-sender.js';
import type { Outgoing, SendOutcome } from './producer-lane.js';

const LIFE_MS = 25_000;
const command: CommandMessage = {
  ...{ id: 'id', type: 'Book', schemaVersion: 1, key: '00ff', data: {} },
  ...{ correlationId: 'ndc', causationId: 'id', timeToLiveMs: LIFE_MS },
};

/** A command on its way, and how its producer and the readers of its replies are heard of it. */
function sent() {
  let message: Outgoing | undefined;
  let onOutcome: (outcome: SendOutcome) => void = () => undefined;
  const producer = {
    size: 0,
    send: (outgoing: Outgoing, on: typeof onOutcome) => {
      [message, onOutcome] = [outgoing, on];
      return {};
    },
    withdraw: () => false,
  };
  const topics = { has: () => true, partitionOf: () => 0, brokerName: (name: string) => name };
  const limits = { waitingCommandsMax: 1, unsentCommandsMax: 1, drainMs: 0 };
  const metrics = { commands: () => ({ ended: () => undefined }) };
  const sender = new CommandSender(producer as never, topics as never, 0, {
    limits,
    metrics,
  });
  const results: CommandResult<unknown>[] = [];
  void sender
    .send('ledger', command, { deadlineMs: LIFE_MS })
    .then((result) => results.push(result));
  const reply = (outcome: 'replied' | 'failed', text?: string): void => {
    const correlation = message?.headers['replyCorrelation'];
    const value = text === undefined ? null : Buffer.from(text);
    sender.received({ correlation: String(correlation), outcome, value, traceparent: undefined });
  };
  return {
    results,
    reply,
    /** The producer hands it over, and the broker has it. */
    acknowledge: () => {
      expect(message?.headers['timeToLiveMs']).toBeDefined();
      onOutcome({ kind: 'acknowledged', appendedAtMs: undefined });
    },
    passing: (ms: number) => jest.advanceTimersByTimeAsync(ms),
  };
}

describe('a command that was given up', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('has failed once nobody can perform a copy of it any more', async () => {
    const { results, reply, acknowledge, passing } = sent();
    acknowledge();
    await passing(LIFE_MS / 2);
    reply('failed');
    await passing(LIFE_MS / 2 + CLOCK_MARGIN_MS - 1);
    expect(results).toEqual([]);
    await passing(1);
    expect(results).toEqual([{ kind: 'failed' }]);
  });

  it('is answered by the other copy, if that one succeeds', async () => {
    const { results, reply, acknowledge, passing } = sent();
    acknowledge();
    await passing(LIFE_MS - 1);
    reply('failed');
    await passing(CLOCK_MARGIN_MS);
    reply('replied', '{"reply":"approved"}');
    await passing(CLOCK_MARGIN_MS);
    expect(results).toMatchObject([{ kind: 'replied' }]);
  });

  it('lives from the acknowledgement, which came late, for what was left of its life then', async () => {
    const { results, reply, acknowledge, passing } = sent();
    await passing(LIFE_MS / 2);
    acknowledge();
    await passing(LIFE_MS / 4);
    reply('failed');
    await passing(LIFE_MS / 4 + CLOCK_MARGIN_MS - 1);
    expect(results).toEqual([]);
    await passing(1);
    expect(results).toEqual([{ kind: 'failed' }]);
  });

  it('is uncertain while the broker may be sent it again', async () => {
    const { results, reply, passing } = sent();
    reply('failed');
    await passing(LIFE_MS);
    expect(results).toEqual([{ kind: 'uncertain' }]);
  });
});
