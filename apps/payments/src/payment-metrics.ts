import type { Connector } from '@sluice/connectors';
import {
  caseReasons,
  isPayable,
  operations,
  type PaymentEventName,
  rerouteReasons,
} from '@sluice/contracts';
import {
  findTransaction,
  initialTransaction,
  type PaymentEvent,
  type PaymentState,
  type Transaction,
} from '@sluice/domain-payments';
import { outboxGauges, watchOutbox } from '@sluice/aggregates';
import type { AppendResult, OutboxLag } from '@sluice/event-store';
import { kafkaHandlerMetrics, kafkaProducerMetrics, kafkaReaderMetrics } from '@sluice/messaging';
import { type Amount, currencies, exponentOf } from '@sluice/money';
import { cardBrands, paymentTypeOf } from '@sluice/parameters';
import { groupOf, groups } from '@sluice/result-codes';
import {
  counter,
  databaseMetrics,
  gauge,
  gaugeOf,
  histogram,
  type HistogramSeries,
  internalServerMetrics,
  type Metrics,
  noMetrics,
  type Reading,
  type ServiceMetrics,
} from '@sluice/service';
import type { Pool } from 'pg';

/** An installation has a handful of configured connectors. */
const connectorNames = { atMost: 20 } as const;
const paymentTypes = operations.map(paymentTypeOf);

const payments = counter(
  'sluice_payments_total',
  'Outcomes of transactions as they were recorded; one that was pending or unknown first counts again when it is final. The connector is "none" where nobody would be asked.',
  {
    payment_type: paymentTypes,
    brand: cardBrands.map(({ name }) => name),
    result_group: [...groups.map(({ name }) => name), 'unclassified'],
    connector: connectorNames,
  },
);
const amounts = counter(
  'sluice_payment_amount_total',
  'Amounts of approved transactions in major units of their currency (12.34 EUR counts 12.34).',
  { currency: currencies, payment_type: paymentTypes },
);
const STAGES = ['accept', 'reveal', 'connector', 'record', 'total'] as const;
const durations = histogram(
  'sluice_payment_duration_seconds',
  'How long each stage of a payment command takes: accept (decide and append), reveal (the card from the vault), connector (the call), record (append the outcome), total (from the first to the reply).',
  { stage: STAGES },
);
const conflicts = counter(
  'sluice_append_conflicts_total',
  'Appends that were not made: another process had moved the payment (version), or the transaction or idempotency key was taken (claim).',
  { kind: ['version', 'claim'] },
);
const expired = counter(
  'sluice_commands_expired_total',
  'Commands that were older than their time to live and are recorded as not performed.',
);
const cases = counter(
  'sluice_cases_opened_total',
  'Transactions that recovery could not settle and a person has to look at.',
  { reason: caseReasons },
);
const rerouted = counter(
  'sluice_payments_rerouted_total',
  'Attempts to pay that another route followed in the same payment, by what became of them; each attempt may cost a fee.',
  { reason: rerouteReasons },
);
const calls = histogram(
  'sluice_connector_call_duration_seconds',
  'Calls to connectors by what was asked and what came of it.',
  {
    connector: connectorNames,
    operation: ['submit', 'inquire', 'reverse'],
    outcome: [
      ...['approved', 'declined', 'pending', 'notPerformed', 'unknown'],
      ...['found', 'notFound', 'unavailable', 'reversed', 'failed'],
    ],
  },
);
const openCalls = gauge(
  'sluice_connector_calls_open',
  'Payments that hold a place in the bulkhead of a connector.',
  { connector: connectorNames },
);
const callsMax = gauge('sluice_connector_calls_max', 'Places in the bulkhead of each connector.');
const refusedCalls = counter(
  'sluice_connector_calls_refused_total',
  'Payments that were not performed because the bulkhead of their connector was full.',
  { connector: connectorNames },
);
const unknownOpen = gauge(
  'sluice_unknown_open',
  'Payments whose outcome is not known, over all instances: pending, unknown, or under way for longer than a call may take; looked for among the first 10000 that recovery has a date for.',
);
const backlog = gauge(
  'sluice_inquiry_backlog',
  'Payments that recovery should have looked at by now; counted to 10000.',
);
const oldestInquiry = gauge(
  'sluice_inquiry_oldest_seconds',
  'How long the oldest of these has been due.',
);

/** The metrics of payments. */
export const paymentsMetrics: ServiceMetrics = {
  service: 'payments',
  declarations: [
    ...[payments, amounts, durations, conflicts, expired, cases, rerouted],
    ...[calls, openCalls, callsMax, refusedCalls, unknownOpen, backlog, oldestInquiry],
    ...Object.values(outboxGauges),
    ...[...databaseMetrics, ...internalServerMetrics],
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics, ...kafkaHandlerMetrics],
  ],
};

/** A stage of handling a command. */
export type PaymentStage = (typeof STAGES)[number];

/** What a scrape reads from the connectors. */
interface OpenCalls {
  readonly callsMax: number;
  open(): readonly Reading<'connector'>[];
}

/** Where payments counts. */
export class PaymentMetrics {
  readonly #payments;
  readonly #amounts;
  readonly #versionConflicts;
  readonly #claimConflicts;
  readonly #expired;
  readonly #cases;
  readonly #rerouted;
  readonly #calls;
  readonly #refused;
  readonly #stages: Readonly<Record<PaymentStage, HistogramSeries>>;

  constructor(private readonly metrics: Metrics = noMetrics) {
    this.#payments = metrics.counter(payments);
    this.#amounts = metrics.counter(amounts);
    this.#versionConflicts = metrics.counter(conflicts).of({ kind: 'version' });
    this.#claimConflicts = metrics.counter(conflicts).of({ kind: 'claim' });
    this.#expired = metrics.counter(expired).of({});
    this.#cases = metrics.counter(cases);
    for (const reason of caseReasons) this.#cases.of({ reason });
    this.#rerouted = metrics.counter(rerouted);
    for (const reason of rerouteReasons) this.#rerouted.of({ reason });
    this.#calls = metrics.histogram(calls);
    this.#refused = metrics.counter(refusedCalls);
    const stages = metrics.histogram(durations);
    const stageOf = (stage: PaymentStage): HistogramSeries => stages.of({ stage });
    this.#stages = {
      accept: stageOf('accept'),
      reveal: stageOf('reveal'),
      connector: stageOf('connector'),
      record: stageOf('record'),
      total: stageOf('total'),
    };
  }

  /** A stage that began at a time of performance.now() has ended. */
  passed(stage: PaymentStage, startMs: number): void {
    this.#stages[stage].observe((performance.now() - startMs) / 1_000);
  }

  /** The bulkhead of a connector was full. */
  refused(connector: string): void {
    this.#refused.add({ connector });
  }

  /** What an append came to, with the state after it. */
  appended(result: AppendResult, state: PaymentState, events: readonly PaymentEvent[]): void {
    switch (result.kind) {
      case 'appended':
        for (const event of events) this.#recorded(state, event);
        return;
      // Decided by what another process has changed meanwhile, as it is with a version.
      case 'markedMeanwhile':
      case 'versionConflict':
        this.#versionConflicts.add();
        return;
      case 'alreadyClaimed':
        this.#claimConflicts.add();
        return;
      case 'expired':
        this.#expired.add();
        return;
      case 'elsewhere': // The cell that has the shard counts it.
    }
  }

  #recorded(state: PaymentState, event: PaymentEvent): void {
    if (event.type === 'CaseOpened') this.#cases.add({ reason: event.data.reason });
    if (event.type === 'TransactionRerouted') this.#rerouted.add({ reason: event.data.reason });
    if (!measured[event.type].isOutcome) return;
    const transaction = findTransaction(state, event.data.transactionId);
    if (transaction !== undefined) this.#counted(state, transaction);
    if (event.type === 'TransactionApproved') this.#approved(transaction);
  }

  #counted(state: PaymentState, { operation, resultCode }: Transaction): void {
    const { instrument, request } = initialTransaction(state);
    // If nobody can pay with the instrument, its brand is any text that a merchant sent.
    const brand = instrument && isPayable(instrument) ? instrument.brand : undefined;
    this.#payments.add({
      payment_type: paymentTypeOf(operation),
      brand: brand ?? '',
      result_group: groupOf(resultCode),
      connector: request?.connector ?? 'none',
    });
  }

  #approved(transaction: Transaction | undefined): void {
    if (transaction?.amount === undefined) return;
    const { amount, operation } = transaction;
    const labels = { currency: amount.currency, payment_type: paymentTypeOf(operation) };
    this.#amounts.add(labels, majorUnits(amount));
  }

  /** The same connector, its calls timed. */
  timed(connector: Connector): Connector {
    const { name, takes } = connector;
    return {
      ...{ name, takes },
      get capabilities() {
        return connector.capabilities;
      },
      submit: (request, card, options) => {
        const startMs = performance.now();
        const call = this.#time(name, 'submit', connector.submit(request, card, options));
        return call.finally(() => this.passed('connector', startMs));
      },
      inquire: (reference, options) =>
        this.#time(name, 'inquire', connector.inquire(reference, options)),
      reverse: (reference, options) =>
        this.#time(name, 'reverse', connector.reverse(reference, options)),
      ...(connector.ofMerchant && {
        ofMerchant: (id: string) => this.timed(connector.ofMerchant?.(id) ?? connector),
      }),
      close: () => connector.close(),
    };
  }

  async #time<Outcome extends { readonly kind: string }>(
    connector: string,
    operation: string,
    call: Promise<Outcome>,
  ): Promise<Outcome> {
    const startMs = performance.now();
    let outcome = 'failed';
    try {
      const result = await call;
      outcome = result.kind;
      return result;
    } finally {
      const seconds = (performance.now() - startMs) / 1_000;
      this.#calls.observe({ connector, operation, outcome }, seconds);
    }
  }

  /** Shows how full the bulkheads are. */
  watchConnectors(connectors: OpenCalls): void {
    this.metrics.gauge(openCalls, () => connectors.open());
    this.metrics.gauge(callsMax, () => connectors.callsMax);
    for (const { labels } of connectors.open()) this.#refused.of(labels);
  }

  /** Shows how far publishing is behind, whether a relay runs or not. */
  watchOutbox(lag: () => Promise<OutboxLag>): void {
    watchOutbox(this.metrics, lag);
  }

  /**
   * Shows what recovery has to do: ranges of one small index, and the last events of the streams in
   * it.
   * @param underWayMs how long a request without an outcome is still normal
   */
  watchRecovery(pool: Pick<Pool, 'query'>, underWayMs: number): void {
    this.metrics.look(
      () => openPayments(pool, underWayMs),
      [
        gaugeOf(unknownOpen, ({ open }) => open),
        gaugeOf(backlog, ({ due }) => due),
        gaugeOf(oldestInquiry, ({ oldestSeconds }) => oldestSeconds),
      ],
    );
  }
}

/** Exact up to 2^53 minor units; beyond, a sum of rounded numbers is still good for a graph. */
function majorUnits({ minor, currency }: Amount): number {
  return Number(minor) / 10 ** exponentOf(currency);
}

/** Nothing is counted beyond this; a larger number would say no more. */
const COUNTED_MAX = 10_000;

/**
 * What a payment counts as while recovery has a date for it, by its last event:
 * - `open`: its outcome is not known;
 * - `underWay`: no reason for an alert while it is young;
 * - `settled`: recovery only inquires once more, an hour later, in case an approval comes late (D-27).
 *   If it counted as open, an outage would still show for an hour after its end.
 */
type Awaited = 'open' | 'underWay' | 'settled';

interface MeasuredEvent {
  /** Whether it is an outcome, which `sluice_payments_total` counts. */
  readonly isOutcome: boolean;
  readonly leavesIt: Awaited;
}

/** What the metrics make of each event. A new one does not compile until it has a line here. */
const measured: Readonly<Record<PaymentEventName, MeasuredEvent>> = {
  PaymentInitiated: { isOutcome: false, leavesIt: 'underWay' },
  TransactionRequested: { isOutcome: false, leavesIt: 'underWay' },
  RiskAssessed: { isOutcome: false, leavesIt: 'underWay' },
  AuthenticationPending: { isOutcome: false, leavesIt: 'open' },
  AuthenticationCompleted: { isOutcome: false, leavesIt: 'underWay' },
  AuthorizationRequested: { isOutcome: false, leavesIt: 'underWay' },
  StandaloneCompleted: { isOutcome: true, leavesIt: 'settled' },
  ReviewDecided: { isOutcome: false, leavesIt: 'settled' },
  TransactionRerouted: { isOutcome: false, leavesIt: 'underWay' },
  TransactionRejected: { isOutcome: true, leavesIt: 'open' },
  TransactionApproved: { isOutcome: true, leavesIt: 'open' },
  TransactionDeclined: { isOutcome: true, leavesIt: 'open' },
  TransactionPending: { isOutcome: true, leavesIt: 'open' },
  TransactionNotPerformed: { isOutcome: true, leavesIt: 'settled' },
  TransactionOutcomeUnknown: { isOutcome: true, leavesIt: 'open' },
  UnknownTransactionReversed: { isOutcome: true, leavesIt: 'settled' },
  ChargebackReceived: { isOutcome: true, leavesIt: 'open' },
  ChargebackReversed: { isOutcome: true, leavesIt: 'open' },
  LateApprovalReceived: { isOutcome: false, leavesIt: 'open' },
  LateApprovalRefundRequested: { isOutcome: false, leavesIt: 'open' },
  LateApprovalUndone: { isOutcome: false, leavesIt: 'open' },
  LateInquiryAnswered: { isOutcome: false, leavesIt: 'open' },
  CaseOpened: { isOutcome: false, leavesIt: 'open' },
};

/** The last events of payments that count as this. */
function eventsThatLeaveIt(awaited: Awaited): readonly string[] {
  return Object.entries(measured).flatMap(([name, { leavesIt }]) =>
    leavesIt === awaited ? [name] : [],
  );
}

const SETTLED_BY = eventsThatLeaveIt('settled');
const REQUESTED_BY = eventsThatLeaveIt('underWay');

interface OpenPayments {
  readonly open: number;
  readonly due: number;
  readonly oldestSeconds: number;
}

async function openPayments(pool: Pick<Pool, 'query'>, underWayMs: number): Promise<OpenPayments> {
  const text = `SELECT
      (SELECT count(*)::int FROM (SELECT stream_id, version FROM streams WHERE due_at IS NOT NULL
                                  LIMIT ${COUNTED_MAX}) o JOIN events USING (stream_id, version)
       WHERE type <> ALL($1)
         AND (type <> ALL($2) OR recorded_at < now() - make_interval(secs => $3))) AS open,
      (SELECT count(*)::int FROM (SELECT FROM streams WHERE due_at <= now()
                                  LIMIT ${COUNTED_MAX}) d) AS due,
      (SELECT coalesce(greatest(0, extract(epoch FROM now() - min(due_at))), 0)::float8
       FROM streams WHERE due_at IS NOT NULL) AS oldest`;
  const { rows } = await pool.query<{ open: number; due: number; oldest: number }>(text, [
    SETTLED_BY,
    REQUESTED_BY,
    underWayMs / 1_000,
  ]);
  const [row] = rows;
  return { open: row?.open ?? 0, due: row?.due ?? 0, oldestSeconds: row?.oldest ?? 0 };
}
