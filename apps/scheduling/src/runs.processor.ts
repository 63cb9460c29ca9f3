import {
  type CatchUp,
  MISSED_AFTER_MS,
  type OpenRun,
  type RunOutcome,
  type Schedule,
} from '@sluice/domain-scheduling';
import { QueryUnavailable } from '@sluice/messaging';
import {
  type Clock,
  type EntityClock,
  type KeyProvider,
  type Logger,
  Outage,
} from '@sluice/service';
import type { ChannelSettings } from './channel-settings.js';
import type { Charges } from './charges.js';
import { FrequentSchedules } from './frequent-schedules.js';
import type {
  ScheduleStore,
  ScheduleStream,
  ScheduleStreams,
  ScheduleWriter,
} from './schedule-aggregate.js';
import { personalIn } from './schedule-personal.js';
import type { SchedulingMetrics } from './scheduling-metrics.js';

/** The parts it is made of. */
export interface RunsParts {
  readonly store: Pick<ScheduleStore, 'schedule' | 'personalKeys'>;
  readonly streams: ScheduleStreams;
  readonly writer: ScheduleWriter;
  readonly channels: Pick<ChannelSettings, 'of'>;
  readonly charges: Pick<Charges, 'charge'>;
  readonly keys: KeyProvider;
  /** Of the machine. */
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'nowOf'>;
  readonly logger: Logger;
  readonly metrics: Pick<SchedulingMetrics, 'charged'>;
}

/**
 * Does what is due for schedules: takes the times that have come, has payments charge for each, and
 * records what became of it. That a run is started is recorded before payments is asked, under an id that
 * is made of plan and time: whoever takes it up after a crash asks for the same payment (R-SCH-01).
 */
export class RunsProcessor {
  readonly #outage: Outage;
  readonly #frequent: FrequentSchedules;

  constructor(private readonly parts: RunsParts) {
    const { machine, logger, streams } = parts;
    this.#frequent = new FrequentSchedules(streams);
    this.#outage = new Outage(machine, logger, {
      begins: 'Schedules cannot be charged: another service does not answer; it is asked again.',
      goesOn: 'Schedules still cannot be charged.',
      ends: 'Schedules are charged again.',
    });
  }

  /** Takes what is due of a schedule as far as it goes now; the caller holds the stream. */
  async run(stream: ScheduleStream): Promise<void> {
    const { streams, writer, store } = this.parts;
    await streams.inTurn(stream, () => writer.ensureLoaded(stream));
    const { version } = stream;
    try {
      await this.#advance(stream);
      // Somebody else may have gone on with it, and left something to do.
      if (this.#frequent.has(stream) && stream.version === version) {
        await streams.inTurn(stream, () => writer.reload(stream));
        await this.#advance(stream);
      }
      this.#outage.over();
    } catch (error) {
      if (!(error instanceof QueryUnavailable)) throw error;
      this.#outage.failed(error);
      this.parts.metrics.charged('unanswered');
      // It is due again when the lease ends: sooner nobody would answer either.
      return;
    }
    // In turn, and only if nothing was appended here or meanwhile: an append sets its own date.
    if (stream.version === version) {
      await streams.inTurn(stream, () =>
        store.schedule(stream.id, writer.dueInMs(stream.state), stream.version),
      );
    }
    this.#frequent.settle(stream, this.parts.clock.nowOf(stream.state));
  }

  async #advance(stream: ScheduleStream): Promise<void> {
    await this.#takeDue(stream);
    for (const { id } of stream.state?.runs.values() ?? []) await this.#perform(stream, id);
  }

  /** One decision takes so many times at the most. */
  async #takeDue(stream: ScheduleStream): Promise<void> {
    const { streams, writer } = this.parts;
    const catchUp = await this.#catchUpOf(stream.state);
    const take = (): Promise<boolean> =>
      streams.inTurn(stream, () =>
        writer.record(stream, {
          ...({ type: 'TakeDue', nowMs: this.parts.clock.nowOf(stream.state) } as const),
          ...{ catchUp, startsThem: true },
        }),
      );
    let isTaken = await take();
    while (isTaken) isTaken = await take();
  }

  /** Accounts is asked only where it matters: after an outage. */
  async #catchUpOf(state: ScheduleStream['state']): Promise<CatchUp> {
    const nextDueMs = state?.plan?.nextDueMs;
    const isMissed =
      nextDueMs !== undefined && this.parts.clock.nowOf(state) - nextDueMs > MISSED_AFTER_MS;
    if (state === undefined || !isMissed) return 'once';
    return (await this.parts.channels.of(state.metadata.entityId)).missedRuns;
  }

  async #perform(stream: ScheduleStream, runId: OpenRun['id']): Promise<void> {
    const { streams, writer } = this.parts;
    const started = stream.state?.runs.get(runId);
    if (started?.status === 'due') {
      await streams.inTurn(stream, () =>
        writer.record(stream, {
          type: 'StartRun',
          nowMs: this.parts.clock.nowOf(stream.state),
          runId,
        }),
      );
    }
    // Cancelled meanwhile, or in other hands and over.
    const { state } = stream;
    const run = state?.runs.get(runId);
    if (state === undefined || run?.status !== 'started') return;
    const outcome = await this.#charge(stream, state, run);
    this.parts.metrics.charged(outcome === undefined ? 'undecided' : 'decided');
    if (outcome === undefined) return;
    const isRecorded = await streams.inTurn(stream, () =>
      writer.record(stream, {
        type: 'RecordRun',
        nowMs: this.parts.clock.nowOf(state),
        runId,
        outcome,
      }),
    );
    if (isRecorded) this.#log(state, outcome);
  }

  async #charge(
    stream: ScheduleStream,
    schedule: Schedule,
    { id, amount, source }: OpenRun,
  ): Promise<RunOutcome | undefined> {
    const { plan, metadata, registrationId } = schedule;
    if (plan === undefined) throw new Error('A run without a plan.');
    const { keys, store, charges } = this.parts;
    const personal = await personalIn(stream, schedule, { keys, personalKeys: store.personalKeys });
    const { operation, parameters } = plan;
    const { entityId, channelName, actor, mode } = metadata;
    return charges.charge(id, {
      ...{ entityId, channelName, actor, mode, registrationId },
      ...{ operation, amount, source, parameters, personal },
    });
  }

  /** One line per run, which continues the trail that edge's line begins (S-LOG-02). */
  #log({ id: scheduleId, metadata: { ndc } }: Schedule, outcome: RunOutcome): void {
    const { kind: run, paymentId, resultCode } = outcome;
    this.parts.logger.info({ ndc, scheduleId, run, paymentId, resultCode }, 'outcome');
  }
}
