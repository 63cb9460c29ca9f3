import { checkoutPurposes } from '@sluice/contracts';
import type { CheckoutEvent } from '@sluice/domain-checkouts';
import type { AppendResult } from '@sluice/event-store';
import { kafkaHandlerMetrics, kafkaProducerMetrics, kafkaReaderMetrics } from '@sluice/messaging';
import {
  counter,
  databaseMetrics,
  histogram,
  internalServerMetrics,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';

const created = counter('sluice_checkouts_total', 'Checkouts that were created, by purpose.', {
  purpose: checkoutPurposes,
});
const reversalOutcomes = ['reversed', 'failed', 'gaveUp'];
const reversals = counter(
  'sluice_checkout_reversals_total',
  'Reversals of payments that were approved after their shopper had gone on without them, by what became of them: after `failed` another one follows, after `gaveUp` none.',
  { outcome: reversalOutcomes },
);
const callOutcomes = ['answered', 'notAnswered', 'postponed', 'notCallable'] as const;
const resultCalls = counter(
  'sluice_checkout_result_calls_total',
  "Calls of merchants' pages of results after 29 minutes, by what became of them: `notAnswered` and `postponed` ones are made again, `notCallable` ones never.",
  { outcome: [...callOutcomes] },
);
const durations = histogram(
  'sluice_checkout_duration_seconds',
  'How long it takes to decide and record a command.',
);

/** The metrics of checkouts. */
export const checkoutsMetrics: ServiceMetrics = {
  service: 'checkouts',
  declarations: [
    ...[created, reversals, resultCalls, durations],
    ...[...databaseMetrics, ...internalServerMetrics],
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics, ...kafkaHandlerMetrics],
  ],
};

/** Where checkouts counts. */
export class CheckoutMetrics {
  readonly #created;
  readonly #reversals;
  readonly #resultCalls;
  readonly #duration;

  constructor(metrics: Metrics = noMetrics) {
    this.#created = metrics.counter(created);
    this.#reversals = metrics.counter(reversals);
    for (const outcome of reversalOutcomes) this.#reversals.of({ outcome });
    this.#resultCalls = metrics.counter(resultCalls);
    for (const outcome of callOutcomes) this.#resultCalls.of({ outcome });
    this.#duration = metrics.histogram(durations);
  }

  /** A command that began at a time of performance.now() is recorded. */
  accepted(startMs: number): void {
    this.#duration.observe({}, (performance.now() - startMs) / 1_000);
  }

  /** What became of a call of a page of results. */
  resultCalled(outcome: (typeof callOutcomes)[number]): void {
    this.#resultCalls.add({ outcome });
  }

  /** What an append came to. */
  appended({ kind }: AppendResult, events: readonly CheckoutEvent[]): void {
    if (kind !== 'appended') return;
    for (const event of events) {
      if (event.type === 'CheckoutCreated') this.#created.add({ purpose: event.data.purpose });
      if (event.type === 'ReversalEnded')
        this.#reversals.add({ outcome: outcomeOf(event, events) });
    }
  }
}

type ReversalEnded = Extract<CheckoutEvent, { readonly type: 'ReversalEnded' }>;

/** The next reversal is requested together with the end of the one before. */
function outcomeOf({ data }: ReversalEnded, events: readonly CheckoutEvent[]) {
  if (data.isReversed) return 'reversed';
  const isRequestedAgain = events.some(
    (event) => event.type === 'ReversalRequested' && event.data.referencedId === data.referencedId,
  );
  return isRequestedAgain ? 'failed' : 'gaveUp';
}
