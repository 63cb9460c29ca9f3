import type { RevealedInstrument } from '@sluice/contracts';
import { type Amount, numberOf } from '@sluice/money';
import type { ConnectorOperation, ConnectorRequest, RequestParameters } from '../connector.js';
import { additionalText } from './additional-data.js';
import type { Version } from './message-fields.js';
import type { Message, MessageFields } from './message-format.js';
import { keysOf, type MessageKeys } from './message-keys.js';
import { circumstancesOf } from './payment-circumstances.js';
import type { Standard } from './standard.js';
import { standards } from './standards.js';

/** Who the installation is to its acquirer. */
export interface Acceptance {
  /** Field 42. */
  readonly merchant: string;
  /** Field 41: payments are spread over these. */
  readonly terminals: readonly string[];
  /** Field 32. */
  readonly acquirerId?: string;
  /** Field 18 of 1987, 26 of 1993. */
  readonly merchantCategory?: string;
}

/** Who sends a message, and in which version. */
export interface Sender extends Acceptance {
  readonly version: Version;
}

/** Those that begin a payment, with the card. */
const initial: readonly ConnectorOperation[] = ['authorization', 'debit', 'credit'];

const AMOUNT_DIGITS = 12;

/**
 * The message of a request; undefined where ISO 8583 has none for it: an operation without a row, an
 * amount of more than 12 digits, a reference without a time, a name that no field has room for, in
 * 1993 a capture of nobody knows how much.
 *
 * The card is in clear here and in the frame that is made of it, and nowhere else in this library.
 */
export function transactionMessage(
  request: ConnectorRequest,
  instrument: RevealedInstrument | undefined,
  sender: Sender,
): Message | undefined {
  const { acquirerReference, operation, originalReference } = request;
  const standard = standards[sender.version];
  const row = standard.operations[operation];
  if (row === undefined) return undefined;
  if (initial.includes(operation) !== (instrument?.kind === 'card')) return undefined;
  // No field of this dialect has room for the proof of a wallet, and its number alone is no payment.
  if (request.wallet !== undefined) return undefined;
  const keys = keysOf(acquirerReference, sender.terminals);
  const amount = amountFields(request.amount);
  const circumstances = circumstancesOf(request.parameters);
  if (keys === undefined || amount === undefined || circumstances === undefined) return undefined;
  const original = originalFields(originalReference, request.originalOperation, sender);
  if (instrument === undefined && original === undefined) return undefined;
  const capture = operation === 'capture' ? captureFields(request, standard) : {};
  if (capture === undefined) return undefined;
  return {
    type: row.type,
    fields: {
      ...commonFields(keys, sender),
      ...amount,
      ...row.fields,
      ...(instrument && {
        ...standard.circumstanceFields(circumstances),
        ...cardFields(instrument, request, circumstances.initialTransaction),
      }),
      ...original?.fields,
      ...capture,
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
  sender: Sender,
  time: 'first' | 'again',
): Message | undefined {
  const { operations, undo } = standards[sender.version];
  const keys = keysOf(acquirerReference, sender.terminals, 'undo');
  const amount = amountFields(original.amount);
  const named = originalFields(acquirerReference, original.operation, sender);
  const row = operations[original.operation];
  if (!keys || !amount || !named || !row) return undefined;
  return {
    type: undo[time],
    fields: {
      ...commonFields(keys, sender),
      ...amount,
      ...row.fields,
      ...undo.fields,
      ...named.fields,
      reference: acquirerReference,
    },
  };
}

function commonFields(keys: MessageKeys, sender: Sender): MessageFields {
  const { terminals: _, version, ...told } = sender;
  return { ...standards[version].keyFields(keys), ...told };
}

function captureFields({ amount, originalAmount }: ConnectorRequest, standard: Standard) {
  return standard.captureFields(amount.minor, originalAmount?.minor);
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
  { terminals, acquirerId = '', version }: Sender,
) {
  if (reference === undefined || operation === undefined) return undefined;
  const { operations, originalData } = standards[version];
  const keys = keysOf(reference, terminals);
  const row = operations[operation];
  if (keys === undefined || row === undefined) return undefined;
  const { retrievalReference, terminal } = keys;
  return {
    retrievalReference,
    fields: {
      terminal,
      originalReference: reference,
      originalData: originalData({ type: row.type, keys, acquirerId }),
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
