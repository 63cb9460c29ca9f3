import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CommandMessage } from '@sluice/contracts';
import type { CommandResult } from '../ports.js';
import { BROKERS_APART_MAX_MS } from './broker-clock.js';
import { CommandSender } from './command-sender.js';
import type { Outgoing, SendOutcome } from './producer-lane.js';

const LIFE_MS = 25_000;
/** What the broker's clock says at first. */
const BROKERS_MS = 1_700_000_000_000;
const command: CommandMessage = {
  ...{ id: 'id', type: 'Book', schemaVersion: 1, key: '00ff', data: {} },
  ...{ correlationId: 'ndc', causationId: 'id', timeToLiveMs: LIFE_MS },
};

/** A sender, what it has sent, and how its producer and the readers of its replies are heard of it. */
function sender() {
  const sent: { readonly message: Outgoing; readonly on: (outcome: SendOutcome) => void }[] = [];
  const producer = {
    size: 0,
    send: (message: Outgoing, on: (outcome: SendOutcome) => void) => {
      sent.push({ message, on });
      return {};
    },
    withdraw: () => false,
  };
  const topics = { has: () => true, partitionOf: () => 0, brokerName: (name: string) => name };
  const limits = { waitingCommandsMax: 9, unsentCommandsMax: 9, drainMs: 0 };
  const metrics = { commands: () => ({ ended: () => undefined }) };
  const options = { limits, metrics };
  const under = new CommandSender(producer as never, topics as never, 0, options);
  const results: CommandResult<unknown>[] = [];
  const last = () => {
    const found = sent.at(-1);
    if (found === undefined) throw new Error('nothing was sent');
    return found;
  };
  return {
    results,
    /** Sends one, and returns the headers that it is handed over with. */
    send: (): Outgoing['headers'] => {
      const options = { deadlineMs: LIFE_MS };
      void under.send('ledger', command, options).then((result) => results.push(result));
      return last().message.headers;
    },
    /** The broker has it, and says its time. */
    acknowledge: (appendedAtMs: number | undefined) => {
      last().on({ kind: 'acknowledged', appendedAtMs });
    },
    reply: (outcome: 'replied' | 'failed', text?: string): void => {
      const correlation = String(last().message.headers['replyCorrelation']);
      const value = text === undefined ? null : Buffer.from(text);
      under.received({ correlation, outcome, value, traceparent: undefined });
    },
  };
}

/** One that has learnt the broker's time from a first command. */
function senderThatKnowsTheTime() {
  const known = sender();
  known.send();
  known.acknowledge(BROKERS_MS);
  known.reply('replied', '{}');
  return known;
}

const passing = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('the end of the life of a command', () => {
  it('is said by the clock of the broker, however late that appends', async () => {
    const { send } = senderThatKnowsTheTime();
    await passing(1_000);
    expect(send()['expiresAtMs']).toBe(String(BROKERS_MS + 1_000 + LIFE_MS));
  });

  it('is not said before the broker has acknowledged anything', () => {
    const { send, acknowledge } = sender();
    expect(send()['expiresAtMs']).toBeUndefined();
    acknowledge(undefined);
    expect(send()['expiresAtMs']).toBeUndefined();
  });

  it('is too soon rather than too late after an acknowledgement that took long', async () => {
    const { send, acknowledge } = sender();
    send();
    await passing(1_000);
    acknowledge(BROKERS_MS);
    expect(send()['expiresAtMs']).toBe(String(BROKERS_MS + LIFE_MS));
  });

  it('follows the clock of the broker where that is set, however long acknowledgements take', async () => {
    const { send, acknowledge } = senderThatKnowsTheTime();
    send();
    await passing(1_000);
    acknowledge(BROKERS_MS + 60_000);
    expect(Number(send()['expiresAtMs'])).toBeGreaterThanOrEqual(BROKERS_MS + 60_000 + LIFE_MS);
  });
});

describe('a command that was given up', () => {
  it('has failed once nobody can perform a copy of it any more', async () => {
    const { results, send, reply } = senderThatKnowsTheTime();
    send();
    await passing(LIFE_MS / 2);
    reply('failed');
    await passing(LIFE_MS / 2 + BROKERS_APART_MAX_MS - 1);
    expect(results.slice(1)).toEqual([]);
    await passing(1);
    expect(results.slice(1)).toEqual([{ kind: 'failed' }]);
  });

  it('is answered by the other copy, if that one succeeds', async () => {
    const { results, send, acknowledge, reply } = senderThatKnowsTheTime();
    send();
    acknowledge(BROKERS_MS);
    await passing(LIFE_MS - 1);
    reply('failed');
    await passing(BROKERS_APART_MAX_MS);
    reply('replied', '{}');
    await passing(BROKERS_APART_MAX_MS);
    expect(results.slice(1)).toMatchObject([{ kind: 'replied' }]);
  });

  it('has ended so long after its acknowledgement where the clock of the broker was not known', async () => {
    const { results, send, acknowledge, reply } = sender();
    send();
    reply('failed');
    await passing(1_000);
    acknowledge(undefined);
    await passing(LIFE_MS + BROKERS_APART_MAX_MS - 1);
    expect(results).toEqual([]);
    await passing(1);
    expect(results).toEqual([{ kind: 'failed' }]);
  });

  it('is pending at the deadline where its life may last much longer than anybody waits', async () => {
    const { results, send, acknowledge, reply } = sender();
    send();
    await passing(LIFE_MS / 2);
    acknowledge(undefined);
    reply('failed');
    await passing(LIFE_MS / 2);
    expect(results).toEqual([{ kind: 'unanswered' }]);
  });

  it('is uncertain where it is not acknowledged either', async () => {
    const { results, send, reply } = sender();
    send();
    reply('failed');
    await passing(LIFE_MS);
    expect(results).toEqual([{ kind: 'uncertain' }]);
  });
});
