import {
  eventTopics,
  type Mode,
  type PaymentEventMetadata,
  type PaymentEvents,
  paymentEvents,
  paymentMethodOf,
  type ShownAuthentication,
  shownInstrument,
} from '@sluice/contracts';
import { isTransactionId } from '@sluice/identifiers';
import type { EventToFold, Projection, Row } from '@sluice/projections';
import { codes, reviewedCode } from '@sluice/result-codes';
import { existing, metadataOf } from './transaction-rows.js';

/** The columns of the table, in their order; those of registrations are the same. */
export const transactionColumns = {
  transactionId: { type: 'hexId' },
  /** The payment the transaction belongs to. */
  streamId: { type: 'hexId' },
  referencedId: { type: 'hexId', optional: true },
  /** Of a payment the registration that it is made by or stores, of a registration its payment. */
  linkedId: { type: 'hexId', optional: true },
  entityId: { type: 'hexId' },
  merchantTransactionId: { type: 'text', optional: true },
  operation: { type: 'text' },
  /** Absent where nobody can tell, as of a registration that is not served. */
  paymentMethod: { type: 'text', optional: true },
  status: { type: 'text' },
  resultCode: { type: 'text' },
  /** In place of the code's own text. */
  resultDescription: { type: 'text', optional: true },
  amountMinor: { type: 'bigint', optional: true },
  currency: { type: 'text', optional: true },
  channelName: { type: 'text' },
  mode: { type: 'text' },
  /** Of the request that made the transaction. */
  ndc: { type: 'text' },
  /** Of a payment that a schedule asked for. */
  source: { type: 'text', optional: true },
  recordedAtMs: { type: 'bigint' },
  connectorTxId: { type: 'text', optional: true },
  /** JSON, of a transaction that begins a payment: what is shown of its instrument. */
  instrument: { type: 'text', optional: true },
  /** JSON: texts by name. */
  resultDetails: { type: 'text', optional: true },
  avsResponse: { type: 'text', optional: true },
  cvvResponse: { type: 'text', optional: true },
  riskScore: { type: 'bigint', optional: true },
  /** JSON: how the shopper was authenticated. */
  authentication: { type: 'text', optional: true },
  /** JSON: texts by wire name. */
  parameters: { type: 'text' },
  /** Sealed under the payment's own key; only its owner can open it (D-22). */
  personal: { type: 'text', optional: true },
} as const;

/** What queries search by, in both tables. */
export const transactionIndexes = [
  {
    columns: ['merchantTransactionId', 'entityId'],
    where: 'merchant_transaction_id IS NOT NULL',
  },
  // Ids begin with their time: this is also the order of time within an entity.
  { columns: ['entityId', 'transactionId'] },
  // The first transaction of a stream has the stream's id, and needs no second entry.
  { columns: ['streamId'], where: 'stream_id <> transaction_id' },
  { columns: ['linkedId'], where: 'linked_id IS NOT NULL' },
] as const satisfies Projection<TransactionColumn>['indexes'];

/** A property of a row. */
export type TransactionColumn = keyof typeof transactionColumns;

/** One transaction as queries find it. */
export type TransactionRow = Row<TransactionColumn>;

/** Of what refers to a payment and says nothing else (Interface 2.19, `paymentMethods`). */
const BY_CARD = 'CC';

type Event = EventToFold<typeof paymentEvents, PaymentEventMetadata>;
type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;

/** The events that begin a transaction: its row is made of their metadata too. */
const beginnings = [
  ...(['PaymentInitiated', 'TransactionRequested', 'TransactionRejected'] as const),
  ...(['ChargebackReceived', 'ChargebackReversed'] as const),
] satisfies readonly Event['type'][];
type BeginningEvent = EventOf<(typeof beginnings)[number]>;

/** One row per transaction, from the events of payments. */
export const transactions: Projection<TransactionColumn, Event> = {
  name: 'transactions',
  version: 7,
  owner: 'payments',
  topic: eventTopics.payments,
  columns: transactionColumns,
  key: 'transactionId',
  indexes: transactionIndexes,
  events: paymentEvents,
  readsMetadataOf: beginnings,
  keyOf: ({ data }) => data.transactionId,
  fold,
};

function fold(row: TransactionRow | undefined, event: Event): TransactionRow {
  switch (event.type) {
    case 'PaymentInitiated':
    case 'TransactionRequested':
      return begun(event, { operation: event.data.operation, status: 'requested' });
    case 'TransactionRejected': {
      const { operation, resultCode, resultDescription = null } = event.data;
      return { ...begun(event, { operation, status: 'rejected', resultCode }), resultDescription };
    }
    case 'ChargebackReceived':
      return issued(event, 'chargeback');
    case 'ChargebackReversed':
      return issued(event, 'chargebackReversal');
    case 'TransactionApproved':
      return settled(row, event.data, 'approved');
    case 'StandaloneCompleted':
      return settled(row, event.data, 'approved');
    case 'TransactionDeclined':
      return settled(row, event.data, 'declined');
    case 'TransactionPending':
      return settled(row, event.data, 'pending');
    case 'UnknownTransactionReversed':
      return settled(row, event.data, 'reversedAfterUnknown');
    case 'TransactionNotPerformed':
      return { ...existing(row), status: 'notPerformed', resultCode: event.data.resultCode };
    case 'RiskAssessed':
      return { ...existing(row), riskScore: String(event.data.score) };
    case 'AuthenticationCompleted':
      return { ...existing(row), authentication: JSON.stringify(shownOf(event.data)) };
    case 'AuthenticationPending':
      return { ...existing(row), status: 'pending', resultCode: codes.pending };
    case 'AuthorizationRequested':
      return { ...existing(row), status: 'requested', resultCode: codes.pending };
    case 'ReviewDecided':
      return reviewed(existing(row), event);
    case 'TransactionOutcomeUnknown':
      // D-34: an unknown outcome looks pending.
      return { ...existing(row), status: 'unknown', resultCode: codes.pending };
    // What happens after a transaction's end leaves its status and result alone (R-MON-03), and whom
    // it is asked of is not shown.
    case 'TransactionRerouted':
    case 'LateApprovalReceived':
    case 'LateApprovalRefundRequested':
    case 'LateApprovalUndone':
    case 'LateInquiryAnswered':
    case 'CaseOpened':
      return existing(row);
  }
}

function begun(
  event: BeginningEvent,
  outcome: { readonly operation: string; readonly status: string; readonly resultCode?: string },
): TransactionRow {
  const { streamId, data } = event;
  const { entityId, channelName, ndc, mode, source, recordedAtMs } = metadataOf(event);
  const { operation, status, resultCode = codes.pending } = outcome;
  const { parameters } = data;
  const { registrationId = '' } = parameters;
  const { minor, currency } = ('amount' in data ? data.amount : undefined) ?? {};
  const instrument = 'instrument' in data ? data.instrument : undefined;
  const ofReference = 'paymentMethod' in data ? data.paymentMethod : undefined;
  const paymentMethod = instrument ? paymentMethodOf(instrument) : (ofReference ?? BY_CARD);
  return {
    transactionId: data.transactionId,
    streamId,
    referencedId: ('referencedId' in data ? data.referencedId : undefined) ?? null,
    // What was refused may name anything.
    linkedId: isTransactionId(registrationId) ? registrationId : null,
    entityId,
    merchantTransactionId: parameters['merchantTransactionId'] ?? null,
    operation,
    paymentMethod: paymentMethod ?? null,
    status,
    resultCode,
    resultDescription: null,
    amountMinor: minor ?? null,
    currency: currency ?? null,
    channelName,
    mode,
    ndc,
    source: source ?? null,
    recordedAtMs: String(recordedAtMs),
    connectorTxId: null,
    instrument: instrument ? JSON.stringify(shownInstrument(instrument)) : null,
    resultDetails: null,
    avsResponse: null,
    cvvResponse: null,
    riskScore: null,
    authentication: null,
    parameters: JSON.stringify(parameters),
    personal: data.personal ?? null,
  };
}

/** A fact, which nobody decides about any more. */
function issued(
  event: EventOf<'ChargebackReceived' | 'ChargebackReversed'>,
  operation: string,
): TransactionRow {
  return begun(event, { operation, status: 'approved', resultCode: event.data.resultCode });
}

/** What an acquirer's answer says, and not each of them says all of it. */
type Settling = Pick<PaymentEvents['TransactionPending'], 'resultCode'> &
  Partial<PaymentEvents['TransactionPending']>;

function settled(
  row: TransactionRow | undefined,
  { resultCode, connectorTxId, resultDetails, avsResponse, cvvResponse }: Settling,
  status: string,
): TransactionRow {
  const before = existing(row);
  return {
    ...before,
    status,
    resultCode,
    // As the owner's own fold has it: what is not said again stays.
    connectorTxId: connectorTxId ?? before.connectorTxId,
    resultDetails:
      resultDetails === undefined ? before.resultDetails : JSON.stringify(resultDetails),
    avsResponse: avsResponse ?? before.avsResponse,
    cvvResponse: cvvResponse ?? before.cvvResponse,
  };
}

/** What is shown of an authentication. */
function shownOf({
  transactionId: _,
  authenticationId: _authenticationId,
  goesOn: _goesOn,
  proofReference: _proofReference,
  resultCode: _resultCode,
  ...shown
}: PaymentEvents['AuthenticationCompleted']): ShownAuthentication {
  return shown;
}

/** As the owner's own fold has it: an approval is answered with what was decided of it from then on. */
function reviewed(row: TransactionRow, { data }: EventOf<'ReviewDecided'>): TransactionRow {
  if (row.status !== 'approved') return row;
  return { ...row, resultCode: reviewedCode(data.decision, row.mode as Mode) };
}
