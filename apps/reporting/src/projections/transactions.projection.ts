import { eventTopics } from '@sluice/contracts';
import type { ProjectedEvent, Projection, Row } from '@sluice/projections';

/** The columns of the table, in their order. */
const columns = {
  transactionId: { type: 'hexId' },
  /** The payment the transaction belongs to. */
  streamId: { type: 'hexId' },
  referencedId: { type: 'hexId', optional: true },
  entityId: { type: 'hexId' },
  merchantTransactionId: { type: 'text', optional: true },
  operation: { type: 'text' },
  /** Absent where nobody can tell, as of a registration that is not served. */
  paymentMethod: { type: 'text', optional: true },
  /** `paymentBrand` of what is not by card. */
  brand: { type: 'text', optional: true },
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
  recordedAtMs: { type: 'bigint' },
  connectorTxId: { type: 'text', optional: true },
  /** JSON: bin, last4, brand, brandDetected, expiryMonth, expiryYear. */
  card: { type: 'text', optional: true },
  /** JSON: texts by name. */
  resultDetails: { type: 'text', optional: true },
  avsResponse: { type: 'text', optional: true },
  cvvResponse: { type: 'text', optional: true },
  /** JSON: texts by wire name. */
  parameters: { type: 'text' },
  /** Sealed under the payment's own key; only its owner can open it (D-22). */
  personal: { type: 'text', optional: true },
} as const;

/** A property of a row. */
export type TransactionColumn = keyof typeof columns;

/** One transaction as queries find it. */
export type TransactionRow = Row<TransactionColumn>;

/** By card (Interface 2.19, `paymentMethods`); all else is rejected as yet, and says itself what it is. */
const CARD = 'CC';
/** D-34: what nobody knows the end of looks pending. */
const PENDING = '000.200.000';

interface EventData {
  readonly transactionId: string;
  readonly referencedId?: string;
  readonly operation?: string;
  readonly amount?: { readonly minor: string; readonly currency: string };
  readonly card?: Readonly<Record<string, string | boolean>>;
  readonly method?: { readonly paymentMethod?: string; readonly brand?: string };
  readonly parameters?: Readonly<Record<string, string>>;
  readonly personal?: string;
  readonly resultCode?: string;
  readonly resultDescription?: string;
  readonly connectorTxId?: string;
  readonly resultDetails?: Readonly<Record<string, string>>;
  readonly avsResponse?: string;
  readonly cvvResponse?: string;
}

interface EventMetadata {
  readonly recordedAtMs: number;
  readonly entityId: string;
  readonly channelName: string;
  readonly ndc: string;
  readonly mode: string;
}

/** One row per transaction, from the events of payments. */
export const transactions: Projection<TransactionColumn> = {
  name: 'transactions',
  version: 3,
  topic: eventTopics.payments,
  columns,
  key: 'transactionId',
  indexes: [
    {
      columns: ['merchantTransactionId', 'entityId'],
      where: 'merchant_transaction_id IS NOT NULL',
    },
    // Ids begin with their time: this is also the order of time within an entity.
    { columns: ['entityId', 'transactionId'] },
    // The first transaction of a payment has the payment's id, and needs no second entry.
    { columns: ['streamId'], where: 'stream_id <> transaction_id' },
  ],
  schemaVersions: {
    PaymentInitiated: 1,
    TransactionRequested: 1,
    TransactionRejected: 1,
    ChargebackReceived: 1,
    ChargebackReversed: 1,
    TransactionApproved: 1,
    TransactionDeclined: 1,
    TransactionPending: 1,
    TransactionNotPerformed: 1,
    TransactionOutcomeUnknown: 1,
    UnknownTransactionReversed: 1,
    LateApprovalReceived: 1,
    LateApprovalRefundRequested: 1,
    LateApprovalUndone: 1,
    LateInquiryAnswered: 1,
    CaseOpened: 1,
  },
  readsMetadataOf: [
    'PaymentInitiated',
    'TransactionRequested',
    'TransactionRejected',
    'ChargebackReceived',
    'ChargebackReversed',
  ],
  keyOf: ({ data }) => (data as EventData).transactionId,
  fold,
};

function fold(row: TransactionRow | undefined, event: ProjectedEvent): TransactionRow {
  const data = event.data as EventData;
  switch (event.type) {
    case 'PaymentInitiated':
    case 'TransactionRequested':
      return begun(event, data, data.operation, 'requested', PENDING);
    case 'TransactionRejected':
      return begun(event, data, data.operation, 'rejected', data.resultCode);
    case 'ChargebackReceived':
      return begun(event, data, 'chargeback', 'approved', data.resultCode);
    case 'ChargebackReversed':
      return begun(event, data, 'chargebackReversal', 'approved', data.resultCode);
    case 'TransactionApproved':
      return settled(row, data, 'approved');
    case 'TransactionDeclined':
      return settled(row, data, 'declined');
    case 'TransactionPending':
      return settled(row, data, 'pending');
    case 'UnknownTransactionReversed':
      return settled(row, data, 'reversedAfterUnknown');
    case 'TransactionNotPerformed':
      return { ...existing(row), status: 'notPerformed', resultCode: data.resultCode ?? null };
    case 'TransactionOutcomeUnknown':
      return { ...existing(row), status: 'unknown', resultCode: PENDING };
    // What happens after a transaction's end leaves its status and result alone (R-MON-03).
    case 'LateApprovalReceived':
    case 'LateApprovalRefundRequested':
    case 'LateApprovalUndone':
    case 'LateInquiryAnswered':
    case 'CaseOpened':
      return existing(row);
    default:
      throw new TypeError(`${event.type} is no event of a payment.`);
  }
}

function begun(
  { streamId, metadata }: ProjectedEvent,
  data: EventData,
  operation: string | undefined,
  status: string,
  resultCode: string | undefined,
): TransactionRow {
  const { entityId, channelName, ndc, mode, recordedAtMs } = metadata as EventMetadata;
  const { amount, card, method = { paymentMethod: CARD }, parameters = {} } = data;
  return {
    transactionId: data.transactionId,
    streamId,
    referencedId: data.referencedId ?? null,
    entityId,
    merchantTransactionId: parameters['merchantTransactionId'] ?? null,
    operation: operation ?? null,
    paymentMethod: method.paymentMethod ?? null,
    brand: method.brand ?? null,
    status,
    resultCode: resultCode ?? null,
    resultDescription: data.resultDescription ?? null,
    amountMinor: amount?.minor ?? null,
    currency: amount?.currency ?? null,
    channelName,
    mode,
    ndc,
    recordedAtMs: String(recordedAtMs),
    connectorTxId: null,
    card: card === undefined ? null : shownOf(card),
    resultDetails: null,
    avsResponse: null,
    cvvResponse: null,
    parameters: JSON.stringify(parameters),
    personal: data.personal ?? null,
  };
}

/** Without the vault's reference, which is of no use to readers. */
function shownOf({
  bin,
  last4,
  brand,
  brandDetected,
  expiryMonth,
  expiryYear,
}: EventData['card'] & object): string {
  return JSON.stringify({ bin, last4, brand, brandDetected, expiryMonth, expiryYear });
}

function settled(row: TransactionRow | undefined, data: EventData, status: string): TransactionRow {
  const { resultCode, connectorTxId, resultDetails, avsResponse, cvvResponse } = data;
  const before = existing(row);
  return {
    ...before,
    status,
    resultCode: resultCode ?? null,
    // As the owner's own fold has it: what is not said again stays.
    connectorTxId: connectorTxId ?? before.connectorTxId,
    resultDetails:
      resultDetails === undefined ? before.resultDetails : JSON.stringify(resultDetails),
    avsResponse: avsResponse ?? before.avsResponse,
    cvvResponse: cvvResponse ?? before.cvvResponse,
  };
}

function existing(row: TransactionRow | undefined): TransactionRow {
  if (row === undefined) throw new TypeError('The transaction was never begun.');
  return row;
}
