import type { Connector } from '@sluice/connectors';
import type { InitiatePayment, PaymentCommand, ReferToPayment } from '@sluice/contracts';
import {
  acquirerReferenceOf,
  type AcquirerRequest,
  type ConnectorRules,
  type EventMetadata,
  type InitiatePayment as InitiateDecision,
  referenceCommandTypes,
  type ReferToTransaction,
} from '@sluice/domain-payments';
import { fromMessage } from '@sluice/money';

/** What a message does not say and the service adds. */
export interface CommandCircumstances {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly connector: Pick<Connector, 'name' | 'capabilities'>;
  readonly sendWindowMs: number;
  /** The sealed personal parameters, if there are any. */
  readonly personal: string | undefined;
  /** The work that decides, where it is recorded. */
  readonly traceparent?: string | undefined;
}

/** The domain's command for a new payment. */
export function initiateCommand(
  message: InitiatePayment,
  circumstances: CommandCircumstances,
): InitiateDecision {
  const { data } = message;
  const { transactionId, operation, card, parameters, numberOfCaptures, rejection } = data;
  return {
    type: 'InitiatePayment',
    transactionId,
    operation,
    amount: fromMessage(data.amount),
    card,
    request: acquirerRequest(message, circumstances),
    parameters,
    metadata: metadataOf(message, circumstances),
    ...personalOf(circumstances),
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
    ...(rejection !== undefined && { rejection }),
  };
}

/** The domain's command for an operation on an earlier transaction. */
export function referenceCommand(
  message: ReferToPayment,
  rules: ConnectorRules,
  circumstances: CommandCircumstances,
): ReferToTransaction {
  const { data } = message;
  const { operation, transactionId, referencedId, final, parameters, rejection } = data;
  const reference = {
    transactionId,
    referencedId,
    final,
    parameters,
    rules,
    metadata: metadataOf(message, circumstances),
    ...personalOf(circumstances),
    ...(data.amount !== undefined && { amount: fromMessage(data.amount) }),
    ...(data.currency !== undefined && { currency: data.currency }),
    ...(rejection !== undefined && { rejection }),
  };
  switch (operation) {
    case 'chargeback':
    case 'chargebackReversal':
      return chargebackCommand(operation, reference, data);
    case 'capture':
    case 'reversal':
    case 'refund':
    case 'rebill':
    case 'receipt':
    case 'incrementalAuthorization':
    case 'reauthorization': {
      const request = acquirerRequest(message, circumstances);
      return { ...reference, request, type: referenceCommandTypes[operation] };
    }
  }
}

function chargebackCommand(
  operation: 'chargeback' | 'chargebackReversal',
  reference: Omit<ReferToTransaction, 'type' | 'source' | 'manualChargebacks' | 'request'>,
  { chargebackResultCode, context }: ReferToPayment['data'],
): ReferToTransaction {
  const { manualChargebacks } = context;
  const fact = { ...reference, source: 'merchant', manualChargebacks } as const;
  if (operation === 'chargebackReversal') {
    return { ...fact, type: referenceCommandTypes[operation] };
  }
  const resultCode = chargebackResultCode === undefined ? {} : { resultCode: chargebackResultCode };
  return { ...fact, ...resultCode, type: referenceCommandTypes[operation] };
}

function acquirerRequest(
  { data }: PaymentCommand,
  { nowMs, sendWindowMs, connector }: CommandCircumstances,
): AcquirerRequest {
  return {
    connector: connector.name,
    acquirerReference: acquirerReferenceOf(data.transactionId),
    deadlineMs: nowMs + sendWindowMs + connector.capabilities.callTimeoutMs,
  };
}

function metadataOf(
  { id, correlationId, data }: PaymentCommand,
  { nowMs, traceparent }: CommandCircumstances,
): EventMetadata {
  const { entityId, channelName, ndc, mode, actor } = data.context;
  return {
    recordedAtMs: nowMs,
    entityId,
    channelName,
    ndc,
    mode,
    actor,
    correlationId,
    causationId: id,
    ...(traceparent !== undefined && { traceparent }),
  };
}

function personalOf({ personal }: CommandCircumstances): { personal?: string } {
  return personal === undefined ? {} : { personal };
}
