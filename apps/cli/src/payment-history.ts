import {
  evolve,
  initialState,
  initialTransaction,
  type PaymentEvent,
  paymentEventCodec,
  type PaymentState,
  type Totals,
  totals,
  type Transaction,
  transactionsOf,
} from '@sluice/domain-payments';
import type { RecordedEvent } from '@sluice/event-store';
import { isoDecimal, toMessage } from '@sluice/money';
import type { Currency } from '@sluice/money';
import { withoutPersonal } from './hidden-data.js';
import { moneyBar } from './money-bar.js';
import { amountText, eventWords } from './event-words.js';
import { eventData, eventsUntil, type HistoryEnd } from './stream-events.js';
import { instantText, shown, textTable } from './text-table.js';

/** One event, and the payment after it. */
export interface HistoryStep {
  readonly recorded: RecordedEvent;
  readonly event: PaymentEvent;
  readonly totals: Totals;
}

/** A payment as it was at some instant, and how it came there. */
export interface PaymentHistory {
  readonly streamId: string;
  readonly steps: readonly HistoryStep[];
  /** Of all events there are now, also those after the instant. */
  readonly latestVersion: number;
  readonly state: PaymentState;
}

/** Folds a payment's events up to an end, keeping the sums after each. */
export function historyOf(
  streamId: string,
  events: readonly RecordedEvent[],
  end: HistoryEnd,
): PaymentHistory {
  let state: PaymentState = initialState;
  const steps = eventsUntil(events, end).map((recorded) => {
    const event = paymentEventCodec.decode(recorded);
    state = evolve(state, event);
    return { recorded, event, totals: totals(state) };
  });
  return { streamId, steps, latestVersion: events.at(-1)?.version ?? 0, state };
}

/** The same as JSON, amounts as `{minor, currency}`, without personal data. */
export function historyData(history: PaymentHistory): object {
  const { streamId, steps, latestVersion, state } = history;
  return {
    ...{ paymentId: streamId, version: steps.length, latestVersion },
    totals: totals(state),
    transactions: [...transactionsOf(state).values()].map(transactionData),
    events: steps.map(({ recorded, totals: after }) => ({
      ...eventData(recorded),
      totals: after,
    })),
  };
}

function transactionData({ amount, ...transaction }: Transaction): object {
  const { personal: _, instrument, metadata, releases, excess, ...rest } = transaction;
  const { entityId, channelName, mode, ndc } = metadata;
  return {
    ...rest,
    ...{ entityId, channelName, mode, ndc },
    ...(amount !== undefined && { amount: toMessage(amount) }),
    ...(releases !== undefined && { releases: toMessage(releases) }),
    ...(excess !== undefined && { excess: toMessage(excess) }),
    ...(instrument !== undefined && { instrument: withoutPersonal(instrument) }),
  };
}

/** What a person reads: head, money bar, transactions, and the events with the sums after each. */
export function historyText(history: PaymentHistory): string {
  const { streamId, steps, latestVersion, state } = history;
  const last = steps.at(-1);
  if (last === undefined) return `Payment ${streamId} had no events yet.`;
  const { entityId, channelName, mode } = initialTransaction(state).metadata;
  const currency = currencyOf(state);
  const sums = totals(state);
  return [
    `Payment ${streamId}`,
    `Channel ${shown(channelName)} (${entityId}), mode ${mode}`,
    ...wayLines(state),
    `As of ${instantText(last.recorded.recordedAtMs)} UTC, event ${steps.length} of ${latestVersion}`,
    ...(currency === undefined ? [] : moneyLines(sums, currency)),
    '',
    transactionTable([...transactionsOf(state).values()]),
    '',
    timeline(steps, currency),
  ].join('\n');
}

/** By which route it went to which merchant account, and why; nothing if none had a say. */
function wayLines(state: PaymentState): readonly string[] {
  const { route, request } = initialTransaction(state);
  if (route?.merchantAccountId === undefined) return [];
  const { rule, candidates, routeId = '', merchantAccountId, weight, weights, drawn } = route;
  const share =
    weight === undefined ? '' : `, weight ${weight} of ${weights ?? 0}, drawn ${drawn ?? 0}`;
  const among = candidates === 1 ? '1 candidate' : `${candidates} candidates`;
  return [
    `Merchant account ${merchantAccountId} (${request?.connector ?? 'none'})`,
    `Route ${routeId}: ${rule} of ${among}${share}`,
  ];
}

function currencyOf(state: PaymentState): Currency | undefined {
  return initialTransaction(state).amount?.currency;
}

function moneyLines(sums: Totals, currency: Currency): readonly string[] {
  const text = (minor: bigint): string => isoDecimal({ minor, currency });
  const open = [
    ['capture', sums.captureOpen],
    ['reversal', sums.reversalOpen],
    ['refund', sums.refundOpen],
  ] as const;
  const waiting = open.filter(([, minor]) => minor > 0n);
  const bar = moneyBar(sums, currency);
  return [
    `${currency} authorized ${text(sums.authorized)}, captured ${text(sums.captured)}, ` +
      `refunded ${text(sums.refunded)}` +
      (sums.chargedBack > 0n ? `, charged back ${text(sums.chargedBack)}` : ''),
    ...(bar === '' ? [] : [bar]),
    ...waiting.map(([name, minor]) => `${name} of ${text(minor)} without an outcome yet`),
  ];
}

function transactionTable(transactions: readonly Transaction[]): string {
  return textTable(
    transactions,
    [
      { title: 'TRANSACTION', cell: ({ id }) => id },
      { title: 'OPERATION', cell: ({ operation }) => operation },
      { title: 'AMOUNT', cell: ({ amount }) => amountText(amount), alignRight: true },
      { title: 'STATUS', cell: ({ status }) => status },
      { title: 'RESULT', cell: ({ resultCode }) => resultCode },
      { title: 'REFERS TO', cell: ({ referencedId }) => referencedId ?? '' },
    ],
    'No transactions.',
  );
}

function timeline(steps: readonly HistoryStep[], currency: Currency | undefined): string {
  const sum = (minor: bigint): string =>
    currency === undefined ? '' : isoDecimal({ minor, currency });
  return textTable(
    steps,
    [
      { title: '#', cell: ({ recorded }) => String(recorded.version), alignRight: true },
      { title: 'TIME (UTC)', cell: ({ recorded }) => instantText(recorded.recordedAtMs) },
      { title: 'EVENT', cell: ({ event }) => event.type },
      { title: 'TRANSACTION', cell: ({ event }) => event.data.transactionId },
      { title: 'WHAT', cell: ({ event }) => eventWords(event) },
      { title: 'AUTHORIZED', cell: ({ totals: after }) => sum(after.authorized), alignRight: true },
      { title: 'CAPTURED', cell: ({ totals: after }) => sum(after.captured), alignRight: true },
      { title: 'REFUNDED', cell: ({ totals: after }) => sum(after.refunded), alignRight: true },
    ],
    'No events.',
  );
}
