import {
  BANK_ACTOR,
  type InitiatePayment,
  isStandalone,
  type Mode,
  type ReferToPayment,
} from '@sluice/contracts';
import {
  acquirerReferenceOf,
  type AgreementSoFar,
  type AcquirerRequest,
  type ConnectorRules,
  type EventMetadata,
  type InitiatePayment as InitiatePaymentCommand,
  referenceCommandTypes,
  type ReferToTransaction,
} from '@sluice/domain-payments';
import type { Opened } from '@sluice/messaging';
import { fromMessage } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import type { NoWay, WayTaken } from './payment-routing.js';

/** Any command to payments, opened. */
export type OpenedCommand = Opened<InitiatePayment> | Opened<ReferToPayment>;

/** What a message does not contain and the service adds. */
export interface CommandCircumstances {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /**
   * Where it goes, or the refusal of a new payment that no route takes. Undefined if nothing leads to
   * an acquirer: the command is then refused without a call.
   */
  readonly way: WayTaken | NoWay | undefined;
  readonly sendWindowMs: number;
  /** What is known of the agreement that a new payment or a rebill is under. */
  readonly agreement?: AgreementSoFar | undefined;
  /** The sealed personal parameters, if there are any. */
  readonly personal: string | undefined;
  /** The trace of the deciding work, if it is recorded. */
  readonly traceparent?: string | undefined;
}

/** What an operation takes over from the payment it refers to. */
export interface PaymentSoFar {
  readonly rules: ConnectorRules;
  /** Of its first transaction; a reference without a mode has the same (D-64). */
  readonly mode: Mode;
}

/** The domain's command for a new payment. */
export function initiateCommand(
  message: Opened<InitiatePayment>,
  circumstances: CommandCircumstances,
): InitiatePaymentCommand {
  const { data } = message;
  const { transactionId, operation, instrument, parameters, numberOfCaptures } = data;
  const { accountFingerprint, issuerCountry } = data;
  const { route } = takenOf(circumstances) ?? {};
  return {
    type: 'InitiatePayment',
    transactionId,
    operation,
    amount: fromMessage(data.amount),
    instrument,
    request: acquirerRequest(message, circumstances),
    ...(route !== undefined && { route }),
    // Only routes ask for it.
    ...(route !== undefined && issuerCountry !== undefined && { issuerCountry }),
    ...(accountFingerprint !== undefined && { accountFingerprint }),
    ...agreementOf(circumstances),
    parameters,
    metadata: metadataOf(message, data.context.mode, circumstances),
    ...personalOf(circumstances),
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
    ...rejectionOf(message, circumstances),
  };
}

/** The domain's command for an operation on an earlier transaction. */
export function referenceCommand(
  message: Opened<ReferToPayment>,
  { rules, mode }: PaymentSoFar,
  circumstances: CommandCircumstances,
): ReferToTransaction {
  const { data } = message;
  const { operation, transactionId, referencedId, final, parameters } = data;
  const reference = {
    transactionId,
    referencedId,
    final,
    parameters,
    rules,
    metadata: metadataOf(message, data.context.mode ?? mode, circumstances),
    ...personalOf(circumstances),
    ...agreementOf(circumstances),
    ...(data.amount !== undefined && { amount: fromMessage(data.amount) }),
    ...(data.currency !== undefined && { currency: data.currency }),
  };
  switch (operation) {
    case 'chargeback':
    case 'chargebackReversal': {
      // A fact: there is no call, so it needs no connector (D-32).
      return chargebackCommand(operation, { ...reference, ...rejectionAtEdge(data) }, data);
    }
    case 'capture':
    case 'reversal':
    case 'refund':
    case 'rebill':
    case 'receipt':
    case 'incrementalAuthorization':
    case 'reauthorization': {
      const request = acquirerRequest(message, circumstances);
      const rejection = rejectionOf(message, circumstances);
      return { ...reference, ...rejection, request, type: referenceCommandTypes[operation] };
    }
  }
}

function chargebackCommand(
  operation: 'chargeback' | 'chargebackReversal',
  reference: Omit<ReferToTransaction, 'type' | 'source' | 'manualChargebacks' | 'request'>,
  { chargebackResultCode, context }: Opened<ReferToPayment>['data'],
): ReferToTransaction {
  const { actor, manualChargebacks } = context;
  const source = actor === BANK_ACTOR ? 'settlement' : 'merchant';
  const fact = { ...reference, source, manualChargebacks } as const;
  if (operation === 'chargebackReversal') {
    return { ...fact, type: referenceCommandTypes[operation] };
  }
  const resultCode = chargebackResultCode === undefined ? {} : { resultCode: chargebackResultCode };
  return { ...fact, ...resultCode, type: referenceCommandTypes[operation] };
}

/** A refusal, and what is recorded beside its code. */
interface Rejection {
  readonly rejection?: string;
  readonly resultDescription?: string;
}

/** The refusal that edge found, or that no acquirer can be asked. */
function rejectionOf({ data }: OpenedCommand, { way }: CommandCircumstances): Rejection {
  if (data.rejection !== undefined) return rejectionAtEdge(data);
  if (way === undefined) {
    return isStandalone(data.operation) ? {} : { rejection: codes.connectorNotAvailable };
  }
  if ('connector' in way) return {};
  const { resultCode: rejection, resultDescription } = way;
  return { rejection, ...(resultDescription !== undefined && { resultDescription }) };
}

function rejectionAtEdge({ rejection, rejectionDescription }: OpenedCommand['data']): Rejection {
  return {
    ...(rejection !== undefined && { rejection }),
    ...(rejectionDescription !== undefined && { resultDescription: rejectionDescription }),
  };
}

function takenOf({ way }: CommandCircumstances): WayTaken | undefined {
  return way !== undefined && 'connector' in way ? way : undefined;
}

/**
 * Without a connector it is never used, because the command is rejected and recorded without a
 * request.
 */
function acquirerRequest(
  { data }: OpenedCommand,
  circumstances: CommandCircumstances,
): AcquirerRequest {
  const { nowMs, sendWindowMs } = circumstances;
  const { connector } = takenOf(circumstances) ?? {};
  return {
    connector: connector?.name ?? 'none',
    acquirerReference: acquirerReferenceOf(data.transactionId),
    deadlineMs: nowMs + sendWindowMs + (connector?.capabilities.callTimeoutMs ?? 0),
  };
}

function metadataOf(
  { id, correlationId, data }: OpenedCommand,
  mode: Mode,
  { nowMs, traceparent }: CommandCircumstances,
): EventMetadata {
  const { entityId, channelName, ndc, actor } = data.context;
  const source = 'source' in data ? data.source : undefined;
  return {
    recordedAtMs: nowMs,
    entityId,
    channelName,
    ndc,
    mode,
    actor,
    ...(source !== undefined && { source }),
    correlationId,
    causationId: id,
    ...(traceparent !== undefined && { traceparent }),
    ...(data.personal?.['notificationUrl'] !== undefined && { hasNotificationUrl: true }),
  };
}

function agreementOf({ agreement }: CommandCircumstances): { agreement?: AgreementSoFar } {
  return agreement === undefined ? {} : { agreement };
}

function personalOf({ personal }: CommandCircumstances): { personal?: string } {
  return personal === undefined ? {} : { personal };
}
