import {
  eventTopics,
  paymentMethodOf,
  type RegistrationEventMetadata,
  registrationEvents,
  type RegistrationOperation,
  shownInstrument,
} from '@sluice/contracts';
import type { EventToFold, Projection } from '@sluice/projections';
import { codes } from '@sluice/result-codes';
import { existing, metadataOf, unsaid } from './transaction-rows.js';
import {
  type TransactionColumn,
  transactionColumns,
  transactionIndexes,
  type TransactionRow,
} from './transactions.projection.js';

type Event = EventToFold<typeof registrationEvents, RegistrationEventMetadata>;
type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;

/** The events that a request records of itself: its row is made of their metadata too. */
const beginnings = [
  ...(['RegistrationRequested', 'RegistrationRejected', 'UpdateRequested'] as const),
  ...(['LifeExtended', 'RegistrationDeleted'] as const),
] satisfies readonly Event['type'][];
type BeginningEvent = EventOf<(typeof beginnings)[number]>;

/**
 * One row for each thing that was done to a registration (RG, RR, TE, DR), with the columns of
 * transactions, so that queries search both at once.
 */
export const registrations: Projection<TransactionColumn, Event> = {
  name: 'registrations',
  version: 4,
  owner: 'registrations',
  topic: eventTopics.registrations,
  columns: transactionColumns,
  key: 'transactionId',
  indexes: transactionIndexes,
  events: registrationEvents,
  readsMetadataOf: beginnings,
  keyOf: ({ data }) => ('transactionId' in data ? data.transactionId : data.registrationId),
  fold,
};

function fold(row: TransactionRow | undefined, event: Event): TransactionRow {
  switch (event.type) {
    case 'RegistrationRequested':
    case 'RegistrationRejected':
      return made(event);
    case 'DetailsKept':
      return kept(existing(row), event.data.resultCode);
    case 'ExistingFound':
      return existingFound(existing(row), event.data);
    case 'PaymentAwaited':
      return existing(row);
    case 'RegistrationConfirmed':
      return decided(existing(row), 'approved', event.data);
    case 'RegistrationAbandoned':
      return decided(existing(row), 'rejected', event.data);
    case 'UpdateRequested':
      return begun(event, { operation: 'update', status: 'requested', resultCode: codes.pending });
    case 'RegistrationUpdated':
      return { ...existing(row), status: 'approved', resultCode: event.data.resultCode };
    case 'DetailsNotKept':
    case 'RegistrationNotUpdated':
      return { ...existing(row), status: 'notPerformed', resultCode: event.data.resultCode };
    case 'LifeExtended':
      return done(event, 'extension');
    case 'RegistrationDeleted':
      return done(event, 'deletion');
    case 'RegistrationExpired':
      return existing(row);
    case 'DetailsForgotten':
      // Nothing is told any more of what is forgotten.
      return { ...existing(row), instrument: null, personal: null };
  }
}

/** What made a registration shows what was stored, and the payment that it was asked for with. */
function made(event: EventOf<'RegistrationRequested' | 'RegistrationRejected'>): TransactionRow {
  const { instrument, personal = null } = event.data;
  const paymentId = 'paymentId' in event.data ? event.data.paymentId : undefined;
  const { resultCode, resultDescription = null } =
    event.type === 'RegistrationRejected' ? event.data : { resultCode: codes.pending };
  const status = event.type === 'RegistrationRejected' ? 'rejected' : 'requested';
  return {
    ...begun(event, { operation: 'registration', status, resultCode }),
    ...{ resultDescription, personal },
    instrument: JSON.stringify(shownInstrument(instrument)),
    paymentMethod: paymentMethodOf(instrument) ?? null,
    // The payment has the same reference, and must not be hidden by what was stored with it.
    ...(paymentId !== undefined && { ...named(paymentId), merchantTransactionId: null }),
  };
}

/** One that belongs to a payment can be used when that is approved. */
function kept(row: TransactionRow, resultCode: string): TransactionRow {
  return row.referencedId === null ? { ...row, status: 'approved', resultCode } : row;
}

/** By a payment: the one that it names already, unless another one has come in its place. */
function decided(
  row: TransactionRow,
  status: string,
  { resultCode, paymentId }: EventOf<'RegistrationConfirmed'>['data'],
): TransactionRow {
  const paid = paymentId === undefined ? {} : named(paymentId);
  return { ...row, status, resultCode, ...paid };
}

/** What is stored is shown by the entry of the registration that was there, which this one names. */
function existingFound(
  row: TransactionRow,
  { registrationId, resultCode }: EventOf<'ExistingFound'>['data'],
): TransactionRow {
  const bare = { ...row, instrument: null, personal: null, paymentMethod: null };
  return row.referencedId === null
    ? { ...bare, ...named(registrationId), status: 'approved', resultCode }
    : bare;
}

/** It names the payment that stored it, or the registration that was there. */
function named(id: string): Pick<TransactionRow, 'referencedId' | 'linkedId'> {
  return { referencedId: id, linkedId: id };
}

function done(
  event: EventOf<'LifeExtended' | 'RegistrationDeleted'>,
  operation: RegistrationOperation,
): TransactionRow {
  const { resultCode } = event.data;
  return begun(event, { operation, status: 'approved', resultCode });
}

function begun(
  event: BeginningEvent,
  outcome: {
    readonly operation: RegistrationOperation;
    readonly status: string;
    readonly resultCode: string;
  },
): TransactionRow {
  const { streamId, data } = event;
  const { entityId, channelName, ndc, mode, recordedAtMs } = metadataOf(event);
  const { transactionId, parameters } = data;
  return {
    ...{ ...unsaid, transactionId, streamId, entityId, ...outcome, linkedId: null },
    referencedId: 'referencedId' in data ? data.referencedId : null,
    merchantTransactionId: parameters['merchantTransactionId'] ?? null,
    ...{ channelName, mode, ndc, recordedAtMs: String(recordedAtMs) },
    parameters: JSON.stringify(parameters),
  };
}
