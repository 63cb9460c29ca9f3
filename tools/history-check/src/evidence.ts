import {
  bookOf,
  disagreements,
  type EventName,
  type MerchantRequest,
  paymentEvents,
  type ReadBack,
  type RecordedTransaction,
  upcast,
  type Violation,
  withClient,
} from '@sluice/kill-test';
import { readFile } from 'node:fs/promises';
import { idOf, type ObservedPayment, type SentRequest } from './observations.js';

/**
 * The fields of an event that money depends on, as plain JSON in today's shape: nothing of the
 * gateway reads them.
 */
interface EventData {
  readonly transactionId: string;
  readonly operation?: string;
  readonly amount?: { readonly minor: string; readonly currency: string };
  readonly resultCode?: string;
  readonly request?: { readonly acquirerReference: string };
  readonly parameters?: Readonly<Record<string, string>>;
}

interface EventRow {
  readonly stream_id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly data: EventData;
}

type Outcome = RecordedTransaction['outcome'];

/** By the type of an event; undefined is what happens to a transaction after its end. */
const OUTCOMES: Readonly<Record<string, Outcome | undefined>> = {
  PaymentInitiated: 'requested',
  TransactionRequested: 'requested',
  TransactionRerouted: 'requested',
  TransactionRejected: 'rejected',
  ChargebackReceived: 'approved',
  ChargebackReversed: 'approved',
  TransactionApproved: 'approved',
  TransactionDeclined: 'declined',
  TransactionPending: 'pending',
  TransactionNotPerformed: 'notPerformed',
  TransactionOutcomeUnknown: 'unknown',
  UnknownTransactionReversed: 'reversedAfterUnknown',
  RiskAssessed: undefined,
  AuthenticationPending: 'pending',
  AuthenticationCompleted: undefined,
  AuthorizationRequested: 'requested',
  StandaloneCompleted: undefined,
  ReviewDecided: undefined,
  LateApprovalReceived: undefined,
  LateApprovalRefundRequested: undefined,
  LateApprovalUndone: undefined,
  LateInquiryAnswered: undefined,
  CaseOpened: undefined,
} satisfies Record<EventName, Outcome | undefined>;
const FACTS: Readonly<Record<string, string>> = {
  ChargebackReceived: 'chargeback',
  ChargebackReversed: 'chargebackReversal',
};

/** What the merchants were told, the events and the acquirer's book, compared (R-MON-02, R-MON-03). */
export async function compareBooks(
  payments: readonly ObservedPayment[],
  databaseUrl: string,
  bookFile: string,
): Promise<readonly Violation[]> {
  const requests = payments.flatMap((payment) => payment.requests);
  return disagreements({
    merchant: requests.map(merchantRequestOf),
    recorded: await recordedIn(databaseUrl),
    book: bookOf(await readFile(bookFile, 'utf8')),
    readBack: requests.flatMap(readBackOf),
  });
}

async function recordedIn(databaseUrl: string): Promise<readonly RecordedTransaction[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<EventRow>(
      'SELECT stream_id, type, schema_version, data FROM payments.events ORDER BY stream_id, version',
    ),
  );
  const recorded = new Map<string, RecordedTransaction>();
  for (const { stream_id, type, schema_version: schemaVersion, data: stored } of rows) {
    const outcome = OUTCOMES[type];
    if (outcome === undefined) continue;
    const data = upcast(paymentEvents, { type, schemaVersion, data: stored }) as EventData;
    const before = recorded.get(data.transactionId) ?? begunBy(stream_id, type, data);
    recorded.set(before.id, {
      ...before,
      outcome,
      ...(data.request && { acquirerReference: data.request.acquirerReference }),
      ...(data.resultCode === undefined ? {} : { resultCode: data.resultCode }),
    });
  }
  return [...recorded.values()];
}

function begunBy(streamId: string, type: string, data: EventData): RecordedTransaction {
  const { transactionId: id, operation, amount, request, parameters } = data;
  const reference = parameters?.['merchantTransactionId'];
  return {
    id,
    streamId,
    operation: FACTS[type] ?? operation ?? '',
    outcome: 'requested',
    ...(amount && { amountMinor: BigInt(amount.minor), currency: amount.currency }),
    ...(reference === undefined ? {} : { reference }),
    ...(request && { acquirerReference: request.acquirerReference }),
  };
}

function merchantRequestOf(request: SentRequest): MerchantRequest {
  const { reference, type, minor, key, on, attempts } = request;
  return {
    reference,
    operation: type,
    currency: 'EUR',
    ...(minor === undefined ? {} : { amountMinor: BigInt(minor) }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(on === undefined ? {} : { refersTo: on.reference }),
    attempts: attempts.map(({ answer }) =>
      answer === undefined
        ? { kind: 'indefinite', why: 'no answer' }
        : {
            kind: 'answered',
            status: answer.status,
            code: answer.code,
            ...(answer.id === undefined ? {} : { id: answer.id }),
          },
    ),
  };
}

/** What the last look showed. */
function readBackOf(request: SentRequest): ReadBack[] {
  const answer = request.reads.at(-1)?.answer;
  const id = answer?.id ?? idOf(request);
  if (answer === undefined || id === undefined) return [];
  const { status, code, id: shownId } = answer;
  return [{ id, status, code, ...(shownId !== undefined && { shownId }) }];
}
