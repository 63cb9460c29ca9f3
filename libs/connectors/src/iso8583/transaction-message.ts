import type { RevealedInstrument } from '@sluice/contracts';
import { type Amount, numberOf } from '@sluice/money';
import type { ConnectorOperation, ConnectorRequest, RequestParameters } from '../connector.js';
import { additionalText } from './additional-data.js';
import { circumstancesOf, ORDINARY } from './payment-circumstances.js';
import type { Message, MessageFields } from './message-format.js';
import { keysOf, type MessageKeys } from './message-keys.js';

/** Who the installation is to its acquirer. */
export interface Acceptance {
  /** Field 42. */
  readonly merchant: string;
  /** Field 41: payments are spread over these. */
  readonly terminals: readonly string[];
  /** Field 32. */
  readonly acquirerId?: string;
  /** Field 18. */
  readonly merchantCategory?: string;
}

/** Type, processing code and condition of what each operation sends; what has no row is not sent. */
const operations: Readonly<Partial<Record<ConnectorOperation, readonly [string, string, string]>>> =
  {
    authorization: ['0100', '000000', '59'],
    debit: ['0200', '000000', '59'],
    credit: ['0200', '200000', '59'],
    // The completion of an authorization, an advice: it is told, not asked.
    capture: ['0220', '000000', '06'],
    refund: ['0200', '200000', '59'],
    reversal: ['0400', '000000', '59'],
  };

/** Those that begin a payment, with the card. */
const initial: readonly ConnectorOperation[] = ['authorization', 'debit', 'credit'];

/** An undo that nobody asked for, because its outcome was never heard; the second is a repetition. */
const UNDO_TYPES = { first: '0420', again: '0421' } as const;

const AMOUNT_DIGITS = 12;
/** Of acquirer and forwarder in field 90. */
const INSTITUTION_DIGITS = 11;

/**
 * The message of a request; undefined where ISO 8583 has none for it: an operation without a row, an
 * amount of more than 12 digits, a reference without a time, a name that no field has room for.
 *
 * The card is in clear here and in the frame that is made of it, and nowhere else in this library.
 */
export function transactionMessage(
  request: ConnectorRequest,
  instrument: RevealedInstrument | undefined,
  acceptance: Acceptance,
): Message | undefined {
  const { acquirerReference, operation, originalOperation, originalReference } = request;
  const row = operations[operation];
  if (row === undefined) return undefined;
  if (initial.includes(operation) !== (instrument?.kind === 'card')) return undefined;
  // No field of this dialect has room for the proof of a wallet, and its number alone is no payment.
  if (request.wallet !== undefined) return undefined;
  const [type, processingCode, conditionCode] = row;
  const keys = keysOf(acquirerReference, acceptance.terminals);
  const amount = amountFields(request.amount);
  const circumstances = circumstancesOf(request.parameters);
  if (keys === undefined || amount === undefined || circumstances === undefined) return undefined;
  const { initialTransaction, ...told } = circumstances;
  const original = originalFields(originalReference, originalOperation, acceptance);
  if (instrument === undefined && original === undefined) return undefined;
  return {
    type,
    fields: {
      ...commonFields(keys, acceptance),
      ...amount,
      processingCode,
      ...ORDINARY,
      conditionCode,
      ...(instrument && { ...told, ...cardFields(instrument, request, initialTransaction) }),
      ...original?.fields,
      // A reversal goes by the retrieval reference of what it reverses.
      ...(operation === 'reversal' && { retrievalReference: original?.retrievalReference ?? '' }),
      reference: acquirerReference,
    },
  };
}

/** The message that undoes what was sent under a reference, the same one whenever it is made. */
export function undoMessage(
  acquirerReference: string,
  original: Pick<ConnectorRequest, 'operation' | 'amount'>,
  acceptance: Acceptance,
  time: keyof typeof UNDO_TYPES,
): Message | undefined {
  const keys = keysOf(acquirerReference, acceptance.terminals, 'undo');
  const amount = amountFields(original.amount);
  const named = originalFields(acquirerReference, original.operation, acceptance);
  const row = operations[original.operation];
  if (!keys || !amount || !named || !row) return undefined;
  const [, processingCode, conditionCode] = row;
  return {
    type: UNDO_TYPES[time],
    fields: {
      ...commonFields(keys, acceptance),
      ...amount,
      processingCode,
      ...ORDINARY,
      conditionCode,
      ...named.fields,
      reference: acquirerReference,
    },
  };
}

function commonFields(keys: MessageKeys, acceptance: Acceptance): MessageFields {
  const { terminals: _, ...told } = acceptance;
  return { ...keys, ...told };
}

/** Minor units, whatever the currency's number of decimals; its number says how many those are. */
function amountFields({ minor, currency }: Amount): MessageFields | undefined {
  const digits = minor.toString();
  if (digits.length > AMOUNT_DIGITS) return undefined;
  return { amount: digits.padStart(AMOUNT_DIGITS, '0'), currency: numberOf(currency) };
}

/** How a message names the one that it is about: by all that is known of that one. */
function originalFields(
  reference: string | undefined,
  operation: ConnectorOperation | undefined,
  { terminals, acquirerId = '' }: Acceptance,
) {
  if (reference === undefined || operation === undefined) return undefined;
  const keys = keysOf(reference, terminals);
  const row = operations[operation];
  if (keys === undefined || row === undefined) return undefined;
  const { trace, transmittedAt, retrievalReference, terminal } = keys;
  const institution = acquirerId.padStart(INSTITUTION_DIGITS, '0');
  const forwarder = '0'.repeat(INSTITUTION_DIGITS);
  return {
    retrievalReference,
    fields: {
      terminal,
      originalReference: reference,
      originalData: row[0] + trace + transmittedAt + institution + forwarder,
    },
  };
}

function cardFields(
  { details }: RevealedInstrument,
  { parameters }: ConnectorRequest,
  initialTransaction: string | undefined,
): MessageFields {
  const expiryYear = details['card.expiryYear']?.reveal();
  const expiryMonth = details['card.expiryMonth']?.reveal();
  const primaryAccountNumber = details['card.number']?.reveal();
  const securityCode = details['card.cvv']?.reveal();
  const cryptogram = details['threeDSecure.verificationId']?.reveal();
  const commerceIndicator = indicatorIn(parameters);
  const additionalData = additionalText({
    ...(commerceIndicator !== undefined && { commerceIndicator }),
    ...(cryptogram !== undefined && { cryptogram }),
    ...(initialTransaction !== undefined && { initialTransaction }),
    ...(securityCode !== undefined && { securityCode }),
  });
  return {
    ...(primaryAccountNumber !== undefined && { primaryAccountNumber }),
    ...(expiryYear !== undefined &&
      expiryMonth !== undefined && { expiry: expiryYear.slice(-2) + expiryMonth }),
    ...(additionalData !== undefined && { additionalData }),
  };
}

function indicatorIn(parameters: RequestParameters | undefined): string | undefined {
  const sent = parameters?.['threeDSecure'];
  if (typeof sent !== 'object' || !('eci' in sent)) return undefined;
  return typeof sent.eci === 'string' ? sent.eci : undefined;
}
