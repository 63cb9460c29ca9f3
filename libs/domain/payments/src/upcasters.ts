import type { PaymentEventType } from './events.js';

/** Event data of some schema version. */
export interface VersionedEvent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: Readonly<Record<string, unknown>>;
}

type Upcaster = (data: VersionedEvent['data']) => VersionedEvent['data'];

/** The schema version in which each event is written today. */
export const currentSchemaVersions: Readonly<Record<PaymentEventType, number>> = {
  PaymentInitiated: 1,
  TransactionRequested: 1,
  TransactionRejected: 1,
  TransactionApproved: 1,
  TransactionDeclined: 1,
  TransactionPending: 1,
  TransactionNotPerformed: 1,
  TransactionOutcomeUnknown: 1,
  UnknownTransactionReversed: 1,
  ChargebackReceived: 1,
  ChargebackReversed: 1,
  LateApprovalReceived: 1,
  LateApprovalRefundRequested: 1,
  LateApprovalUndone: 1,
  LateInquiryAnswered: 1,
  CaseOpened: 1,
};

/**
 * The ladder: `upcasters[type][n]` turns version n + 1 into version n + 2. A step, once released,
 * stays for ever, because streams do. An optional field that is added needs no step; a changed
 * meaning needs a new event type instead.
 */
export const upcasters: Readonly<Partial<Record<PaymentEventType, readonly Upcaster[]>>> = {};

/**
 * Brings stored event data to the current version.
 * @throws Error for an unknown type or a newer version: a newer release wrote it (D-18).
 */
export function upcast(
  event: VersionedEvent,
  ladder: typeof upcasters = upcasters,
  versions: Readonly<Record<string, number>> = currentSchemaVersions,
): { readonly type: PaymentEventType; readonly data: VersionedEvent['data'] } {
  const current = Object.hasOwn(versions, event.type) ? versions[event.type] : undefined;
  if (current === undefined || event.schemaVersion > current || event.schemaVersion < 1) {
    throw new Error(`Newer writer: ${event.type} version ${event.schemaVersion} is unknown here`);
  }
  const type = event.type as PaymentEventType;
  let { data } = event;
  for (let version = event.schemaVersion; version < current; version++) {
    const step = ladder[type]?.[version - 1];
    if (step === undefined) throw new Error(`No upcaster for ${type} from version ${version}`);
    data = step(data);
  }
  return { type, data };
}
