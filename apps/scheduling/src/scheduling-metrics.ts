import { outboxGauges, watchOutbox } from '@sluice/aggregates';
import { runSources, type ScheduleOperation, scheduleOperations } from '@sluice/contracts';
import type { ScheduleEvent, ScheduleStreamState } from '@sluice/domain-scheduling';
import type { AppendResult, OutboxLag } from '@sluice/event-store';
import { kafkaHandlerMetrics, kafkaProducerMetrics, kafkaReaderMetrics } from '@sluice/messaging';
import {
  counter,
  databaseMetrics,
  gauge,
  gaugeOf,
  histogram,
  internalServerMetrics,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';
import type { Pool } from 'pg';

const OUTCOMES = ['approved', 'rejected'] as const;
const RUN_OUTCOMES = ['performed', 'failed', 'cancelled'] as const;
const STAGES = ['accept'] as const;
const CHARGES = ['decided', 'undecided', 'unanswered'] as const;

const requests = counter(
  'sluice_schedules_total',
  'Requests about schedules by what was asked and what came of it.',
  { operation: scheduleOperations, outcome: OUTCOMES },
);
const runs = counter('sluice_schedule_runs_total', 'Runs of schedules by what came of them.', {
  outcome: RUN_OUTCOMES,
});
const dueRuns = counter(
  'sluice_schedule_runs_due_total',
  'Runs that have become due, by whether the schedule or a merchant advice code has planned them.',
  { source: runSources },
);
const charges = counter(
  'sluice_schedule_charges_total',
  'Questions to payments about runs, by the answer; unanswered: payments, registrations or accounts is away.',
  { outcome: CHARGES },
);
const skipped = counter(
  'sluice_schedule_runs_skipped_total',
  'Times without a run: nobody was there, too many were open, or the schedule ended.',
);
const durations = histogram(
  'sluice_schedule_duration_seconds',
  'How long each stage of a command takes: accept (decide and append).',
  { stage: STAGES },
);
const backlog = gauge(
  'sluice_schedules_due',
  'Schedules that should have been dealt with by now: runs to be started, or to be asked about again; counted to 10000.',
);
const oldest = gauge(
  'sluice_schedules_due_seconds',
  'For how long the schedule has been due that nobody has dealt with for longest.',
);

/** Nothing is counted beyond this; a larger number would say no more. */
const COUNTED_MAX = 10_000;

/** The metrics of scheduling. */
export const schedulingMetrics: ServiceMetrics = {
  service: 'scheduling',
  declarations: [
    ...[requests, runs, dueRuns, charges, skipped, durations, backlog, oldest],
    ...Object.values(outboxGauges),
    ...[...databaseMetrics, ...internalServerMetrics],
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics, ...kafkaHandlerMetrics],
  ],
};

/** Where scheduling counts. */
export class SchedulingMetrics {
  readonly #requests;
  readonly #runs;
  readonly #dueRuns;
  readonly #charges;
  readonly #skipped;
  readonly #accept;

  constructor(private readonly metrics: Metrics = noMetrics) {
    this.#requests = metrics.counter(requests);
    this.#runs = metrics.counter(runs);
    this.#dueRuns = metrics.counter(dueRuns);
    this.#charges = metrics.counter(charges);
    // There from the start: an alert sees the first one that nobody answers.
    for (const outcome of CHARGES) this.#charges.of({ outcome });
    this.#skipped = metrics.counter(skipped).of({});
    const stages = metrics.histogram(durations);
    this.#accept = stages.of({ stage: 'accept' });
  }

  /** A command that came at a time of performance.now() is recorded. */
  accepted(startMs: number): void {
    this.#accept.observe((performance.now() - startMs) / 1_000);
  }

  /** What payments said of a run. */
  charged(outcome: (typeof CHARGES)[number]): void {
    this.#charges.add({ outcome });
  }

  /** What an append came to. */
  appended(
    { kind }: AppendResult,
    _state: ScheduleStreamState,
    events: readonly ScheduleEvent[],
  ): void {
    if (kind !== 'appended') return;
    for (const event of events) this.#count(event);
  }

  #count(event: ScheduleEvent): void {
    switch (event.type) {
      case 'ScheduleCreated':
        return this.#asked('schedule');
      case 'ScheduleRejected':
        return this.#requests.add({ operation: 'schedule', outcome: 'rejected' });
      case 'ScheduleRescheduled':
        return this.#asked('reschedule');
      case 'ScheduleDescheduled':
        return this.#asked('deschedule');
      case 'ScheduleDeleted':
        return this.#asked('deletion');
      case 'RunDue':
        return this.#dueRuns.add({ source: event.data.source });
      case 'RunsSkipped':
        return this.#skipped.add(event.data.count);
      case 'RunPerformed':
        return this.#runs.add({ outcome: 'performed' });
      case 'RunFailed':
        return this.#runs.add({ outcome: 'failed' });
      case 'RunCancelled':
        return this.#runs.add({ outcome: 'cancelled' });
      case 'RunStarted':
      case 'RecoveryPlanned':
      case 'RecoveryEnded':
      case 'ScheduleEnded':
        return;
    }
  }

  #asked(operation: ScheduleOperation): void {
    this.#requests.add({ operation, outcome: 'approved' });
  }

  /** Shows how far publishing is behind, whether a relay runs or not. */
  watchOutbox(lag: () => Promise<OutboxLag>): void {
    watchOutbox(this.metrics, lag);
  }

  /** Shows what there is to do. */
  watchDue(pool: Pick<Pool, 'query'>): void {
    this.metrics.look(
      () => lookAtDue(pool),
      [gaugeOf(backlog, ({ due }) => due), gaugeOf(oldest, ({ seconds }) => seconds)],
    );
  }
}

/** By the index of what is due, in its order. */
const DUE = `
  SELECT count(*)::int AS due, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS seconds
  FROM (SELECT due_at FROM streams WHERE due_at <= now() ORDER BY due_at LIMIT $1) due`;

interface Due {
  readonly due: number;
  readonly seconds: number;
}

async function lookAtDue(pool: Pick<Pool, 'query'>): Promise<Due> {
  const { rows } = await pool.query<Due>(DUE, [COUNTED_MAX]);
  return rows[0] ?? { due: 0, seconds: 0 };
}
