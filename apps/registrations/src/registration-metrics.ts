import { outboxGauges, watchOutbox } from '@sluice/aggregates';
import { type RegistrationOperation, registrationOperations } from '@sluice/contracts';
import type { RegistrationEvent, RegistrationStreamState } from '@sluice/domain-registrations';
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

const OUTCOMES = ['approved', 'rejected', 'notPerformed'] as const;

const requests = counter(
  'sluice_registrations_total',
  'Requests about registrations by what was asked and what came of it.',
  { operation: registrationOperations, outcome: OUTCOMES },
);
const STAGES = ['accept', 'total'] as const;
const durations = histogram(
  'sluice_registration_duration_seconds',
  'How long each stage of a command takes: accept (decide and append), total (until the vault has done its part, too).',
  { stage: STAGES },
);
const backlog = gauge(
  'sluice_registrations_due',
  'Registrations that the sweeper should have dealt with by now: details to be kept or forgotten; counted to 10000.',
);

/** Nothing is counted beyond this; a larger number would say no more. */
const COUNTED_MAX = 10_000;

/** The metrics of registrations. */
export const registrationsMetrics: ServiceMetrics = {
  service: 'registrations',
  declarations: [
    ...[requests, durations, backlog],
    ...Object.values(outboxGauges),
    ...[...databaseMetrics, ...internalServerMetrics],
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics, ...kafkaHandlerMetrics],
  ],
};

/** Where registrations counts. */
export class RegistrationMetrics {
  readonly #requests;
  readonly #stages;

  constructor(private readonly metrics: Metrics = noMetrics) {
    this.#requests = metrics.counter(requests);
    const stages = metrics.histogram(durations);
    this.#stages = { accept: stages.of({ stage: 'accept' }), total: stages.of({ stage: 'total' }) };
  }

  /** A stage that began at a time of performance.now() has ended. */
  passed(stage: (typeof STAGES)[number], startMs: number): void {
    this.#stages[stage].observe((performance.now() - startMs) / 1_000);
  }

  /** What an append came to. */
  appended(
    { kind }: AppendResult,
    state: RegistrationStreamState,
    events: readonly RegistrationEvent[],
  ): void {
    if (kind !== 'appended') return;
    for (const event of events) {
      const counted = countedAs(event, state?.paymentId !== undefined);
      if (counted !== undefined) this.#requests.add(counted);
    }
  }

  /** Shows how far publishing is behind, whether a relay runs or not. */
  watchOutbox(lag: () => Promise<OutboxLag>): void {
    watchOutbox(this.metrics, lag);
  }

  /** Shows what the sweeper has to do. */
  watchRecovery(pool: Pick<Pool, 'query'>): void {
    this.metrics.look(() => countDue(pool), [gaugeOf(backlog, (due) => due)]);
  }
}

const COUNT_DUE = `
  SELECT count(*)::int AS due FROM (SELECT FROM streams WHERE due_at <= now() LIMIT $1) due`;

async function countDue(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ due: number }>(COUNT_DUE, [COUNTED_MAX]);
  return rows[0]?.due ?? 0;
}

interface Counted {
  readonly operation: RegistrationOperation;
  readonly outcome: (typeof OUTCOMES)[number];
}

/** Undefined for what is no outcome of a request. */
function countedAs(event: RegistrationEvent, isOfPayment: boolean): Counted | undefined {
  switch (event.type) {
    case 'DetailsKept':
    case 'ExistingFound':
      // Otherwise it is counted when its payment is decided.
      return isOfPayment ? undefined : { operation: 'registration', outcome: 'approved' };
    case 'RegistrationConfirmed':
      return { operation: 'registration', outcome: 'approved' };
    case 'RegistrationAbandoned':
      return { operation: 'registration', outcome: 'rejected' };
    case 'DetailsNotKept':
      return { operation: 'registration', outcome: 'notPerformed' };
    case 'RegistrationRejected':
      return { operation: 'registration', outcome: 'rejected' };
    case 'RegistrationUpdated':
      return { operation: 'update', outcome: 'approved' };
    case 'RegistrationNotUpdated':
      return { operation: 'update', outcome: 'notPerformed' };
    case 'LifeExtended':
      return { operation: 'extension', outcome: 'approved' };
    case 'RegistrationDeleted':
      return { operation: 'deletion', outcome: 'approved' };
    case 'RegistrationRequested':
    case 'PaymentAwaited':
    case 'UpdateRequested':
    case 'RegistrationExpired':
    case 'DetailsForgotten':
      return undefined;
  }
}
