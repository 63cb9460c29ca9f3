import { describe, expect, it } from '@jest/globals';
import { Streams, StreamWriter } from '@sluice/aggregates';
import type { RunSource } from '@sluice/contracts';
import {
  type RunOutcome,
  type ScheduleCommand,
  scheduleDecider,
  type ScheduleEvent,
  scheduleEventCodec,
  type ScheduleStreamState,
} from '@sluice/domain-scheduling';
import type { AppendMember, AppendResult, RecordedEvent } from '@sluice/event-store';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { fromMessage } from '@sluice/money';
import { createLogger, EntityClock, noSetClocks } from '@sluice/service';
import type { RunCharge } from './charges.js';
import { RunsProcessor } from './runs.processor.js';
import { scheduleAggregate } from './schedule-aggregate.js';

const STARTS_MS = Date.UTC(2026, 0, 15, 12);
const scheduleId = '0194670a0000abcd0000000000000001' as TransactionId;

/** The events of one schedule in memory; processes of scheduling share it. */
class SharedStream {
  readonly events: RecordedEvent[] = [];
  nowMs = STARTS_MS;
  reads = 0;

  read(): Promise<readonly RecordedEvent[]> {
    this.reads += 1;
    return Promise.resolve([...this.events]);
  }

  append({ expectedVersion, events, commandId }: AppendMember): Promise<AppendResult> {
    if (expectedVersion !== this.events.length) {
      return Promise.resolve({ kind: 'versionConflict' });
    }
    for (const event of events) {
      const version = this.events.length + 1;
      this.events.push({
        ...{ ...event, streamId: scheduleId, version, commandId, recordedAtMs: this.nowMs },
        ...{ data: JSON.parse(event.data) as unknown },
        metadata: JSON.parse(event.metadata) as unknown,
      });
    }
    return Promise.resolve({ kind: 'appended', version: this.events.length });
  }

  count(type: ScheduleEvent['type']): number {
    return this.events.filter((event) => event.type === type).length;
  }
}

/** A process, which charges whatever it is asked to, unless it hears nothing. */
function processOver(shared: SharedStream) {
  const clock = { now: () => shared.nowMs, monotonicMs: () => shared.nowMs };
  const streams = new Streams<ScheduleStreamState>(scheduleDecider.initialState, 10);
  const writer = new StreamWriter(scheduleAggregate(1_000, noSetClocks), shared, clock);
  const heard: { isDecided: boolean; adviceCode?: string } = { isDecided: true };
  const sources: RunSource[] = [];
  const charges = {
    charge: (paymentId: TransactionId, { source }: RunCharge): Promise<RunOutcome | undefined> => {
      sources.push(source);
      const { isDecided, adviceCode } = heard;
      if (!isDecided) return Promise.resolve(undefined);
      return Promise.resolve(
        adviceCode === undefined
          ? { kind: 'performed', paymentId, resultCode: '000.100.110' }
          : { kind: 'failed', paymentId, resultCode: '800.100.155', brand: 'MASTER', adviceCode },
      );
    },
  };
  const processor = new RunsProcessor({
    ...{
      streams,
      writer,
      charges,
      machine: clock,
      clock: new EntityClock(clock, noSetClocks),
      keys: {} as never,
      metrics: { charged: () => undefined },
    },
    store: { schedule: () => Promise.resolve(), personalKeys: {} as never },
    channels: { of: () => Promise.resolve({ timeZone: 'UTC', missedRuns: 'once' }) },
    logger: createLogger({ service: 'scheduling', level: 'silent' }),
  });
  const run = async (): Promise<void> => {
    const stream = streams.hold(scheduleId);
    await processor.run(stream);
    streams.release(stream);
  };
  const record = async (command: ScheduleCommand): Promise<void> => {
    const stream = streams.hold(scheduleId);
    await writer.record(stream, command);
    streams.release(stream);
  };
  return { run, record, heard, sources, streams };
}

function metadataAt(recordedAtMs: number): ScheduleEvent['metadata'] {
  return {
    ...{ recordedAtMs, entityId: 'a'.repeat(32) as EntityId, channelName: 'demo', ndc: 'ndc' },
    ...{ mode: 'INTERNAL', actor: 'node', correlationId: 'ndc', causationId: 'message' },
  };
}

/** One that runs at the times of this expression. */
function created(expression: string): SharedStream {
  const shared = new SharedStream();
  const [event] = scheduleDecider.decide(
    {
      ...{ type: 'CreateSchedule', transactionId: scheduleId, registrationId: scheduleId },
      ...{ operation: 'debit', amount: fromMessage({ minor: '990', currency: 'EUR' }) },
      ...{ job: { expression, timeZone: 'UTC' }, parameters: {} },
      metadata: metadataAt(STARTS_MS),
    },
    undefined,
  );
  if (event === undefined) throw new Error('nothing was decided');
  const stored = { id: 'event', ...scheduleEventCodec.encode(event) };
  void shared.append({
    ...{ streamId: scheduleId, expectedVersion: 0, commandId: 'command', events: [stored] },
  });
  return shared;
}

describe('a schedule that runs every minute', () => {
  it('is read once, however often it runs', async () => {
    const shared = created('0 * * * * ? *');
    const { run } = processOver(shared);
    for (let minute = 0; minute < 10; minute += 1) {
      shared.nowMs += 60_000;
      await run();
    }
    expect(shared.count('RunPerformed')).toBe(10);
    expect(shared.reads).toBe(1);
  });

  it('is taken up where another process has left it', async () => {
    const shared = created('0 * * * * ? *');
    const [first, second] = [processOver(shared), processOver(shared)];
    shared.nowMs += 60_000;
    await first.run();
    shared.nowMs += 60_000;
    second.heard.isDecided = false;
    await second.run();
    expect([shared.count('RunStarted'), shared.count('RunPerformed')]).toEqual([2, 1]);
    await first.run();
    expect(shared.count('RunPerformed')).toBe(2);
  });
});

describe('a schedule that runs every minute, and sooner since another process has changed it', () => {
  it('is read anew where what is in memory says that nothing is due', async () => {
    const shared = created('0 * * * * ? *');
    const [first, second] = [processOver(shared), processOver(shared)];
    shared.nowMs += 60_000;
    await first.run();
    const transactionId = '0194670a0000abcd0000000000000002' as TransactionId;
    const job = { expression: '30 * * * * ? *', timeZone: 'UTC' };
    const metadata = metadataAt(shared.nowMs);
    const change = { type: 'Reschedule', transactionId, job, metadata } as const;
    await second.record({ ...change, parameters: {}, catchUp: 'once' });
    shared.nowMs += 30_000;
    await first.run();
    expect(shared.count('RunPerformed')).toBe(2);
  });
});

describe('a run that an issuer has tried again later', () => {
  it('is charged with the source of the advice, and those at their times with the schedule’s', async () => {
    const shared = created('0 0 0 * * ? *');
    const { run, heard, sources } = processOver(shared);
    heard.adviceCode = '24';
    shared.nowMs += 12 * 3_600_000;
    await run();
    shared.nowMs += 3_600_000;
    await run();
    expect(sources).toEqual(['SCHEDULER', 'MACRETRY']);
  });
});

describe('a schedule that runs every day', () => {
  it('stays in the memory of no process', async () => {
    const shared = created('0 0 0 * * ? *');
    const { run, streams } = processOver(shared);
    shared.nowMs += 24 * 3_600_000;
    await run();
    expect(shared.count('RunPerformed')).toBe(1);
    expect(streams.has(scheduleId)).toBe(false);
  });
});
