import { type RevealedInstrument, walletBrands } from '@sluice/contracts';
import { type Amount, formatAmount, isOnWire } from '@sluice/money';
import { INSTALLMENTS, isInInstallments } from '@sluice/parameters';
import type { ConnectorOperation, ConnectorRequest, RequestParameters } from '../connector.js';

/** One request to the other gateway. */
export interface GatewayMessage {
  readonly path: string;
  /** A form, percent-encoded. */
  readonly body: string;
}

/** Interface 2.3 `paymentType` of each operation. */
export const paymentTypes = {
  authorization: 'PA',
  debit: 'DB',
  credit: 'CD',
  capture: 'CP',
  reversal: 'RV',
  refund: 'RF',
  rebill: 'RB',
  receipt: 'RC',
  incrementalAuthorization: 'PA',
  reauthorization: 'PA',
} as const satisfies Readonly<Record<ConnectorOperation, string>>;

const INITIAL: readonly ConnectorOperation[] = ['authorization', 'debit', 'credit'];
/** Those that name what they refer to in `referenceUuid`, and how they say so (Interface 2.3, 2.18). */
const PRACTICES: Readonly<Partial<Record<ConnectorOperation, string>>> = {
  incrementalAuthorization: 'INCREMENTAL_AUTH',
  reauthorization: 'REAUTHORIZATION',
};
/** Details of other structures belong to transfers, which need more than this connector takes. */
const DETAILS_SENT = /^(?:card|bankAccount|tokenAccount|virtualAccount|giftCard|threeDSecure)\./;
const PAYMENTS_PATH = '/v1/payments';
/** Interface 2.1. */
const TRANSACTION_ID = /^[a-zA-Z0-9]{32}$/;

/**
 * The request for an operation; undefined where the interface has none for it: an amount that it cannot
 * say, details of a transfer, a reference to what has no id there.
 *
 * What is paid with is in clear here and nowhere else in this library; the text is sent and dropped.
 */
export function transactionMessage(
  request: ConnectorRequest,
  instrument: RevealedInstrument | undefined,
  entityId: string,
): GatewayMessage | undefined {
  const { operation, originalConnectorTxId: original } = request;
  const amount = wireAmount(request.amount);
  if (amount === undefined || INITIAL.includes(operation) !== (instrument !== undefined)) {
    return undefined;
  }
  const details = Object.entries(instrument?.details ?? {});
  if (details.some(([name]) => !DETAILS_SENT.test(name))) return undefined;
  const form = new URLSearchParams({ entityId });
  form.set('amount', amount);
  form.set('currency', request.amount.currency);
  form.set('paymentType', paymentTypes[operation]);
  form.set('merchantTransactionId', request.acquirerReference);
  // Also where it is the default: a live gateway refuses it, instead of moving money for a test.
  if (request.mode !== 'LIVE') form.set('testMode', request.mode);
  if (request.final === true) form.set('sequence', 'FINAL');
  if (request.brand !== undefined) form.set('paymentBrand', request.brand);
  for (const [name, value] of walletFields(request)) form.set(name, value);
  if (request.returnUrl !== undefined) form.set('shopperResultUrl', request.returnUrl);
  for (const [name, value] of flattened(request.parameters ?? {})) form.set(name, value);
  // What is paid at once is what a gateway does that knows no installments.
  if (!isInInstallments(form.get(INSTALLMENTS) ?? '')) form.delete(INSTALLMENTS);
  for (const [name, detail] of details) form.set(name, detail.reveal());
  if (instrument !== undefined) return { path: PAYMENTS_PATH, body: form.toString() };
  if (original === undefined || !TRANSACTION_ID.test(original)) return undefined;
  const practice = PRACTICES[operation];
  if (practice === undefined) {
    return { path: `${PAYMENTS_PATH}/${original}`, body: form.toString() };
  }
  form.set('referenceUuid', original);
  form.set('standingInstruction.industryPractice', practice);
  return { path: PAYMENTS_PATH, body: form.toString() };
}

/**
 * A card out of a wallet goes there as merchants send one that they have decrypted (Interface 2.5): beside
 * the card its proof, and by its source that it is one. Where the shopper was, only the merchant knows; a
 * token alone does not tell, and `web` is then as good as `app`.
 */
function walletFields({ wallet }: ConnectorRequest): readonly [string, string][] {
  if (wallet === undefined) return [];
  const { name, numberType } = wallet;
  const fields: [string, string][] = [
    ['paymentBrand', walletBrands[name]],
    [`${name}.source`, 'web'],
  ];
  return numberType === undefined ? fields : [...fields, ['card.numberType', numberType]];
}

/** The request that undoes what was found under a reference: all of it, so without an amount (D-30). */
export function undoMessage(
  transactionId: string,
  undoReference: string,
  entityId: string,
): GatewayMessage {
  const form = new URLSearchParams({ entityId });
  form.set('paymentType', paymentTypes.reversal);
  form.set('merchantTransactionId', undoReference);
  return { path: `${PAYMENTS_PATH}/${transactionId}`, body: form.toString() };
}

/** Always two decimals (Interface 2.3); undefined for an amount that has more, or too many digits. */
function wireAmount(amount: Amount): string | undefined {
  if (!isOnWire(amount)) return undefined;
  try {
    return formatAmount(amount);
  } catch {
    return undefined;
  }
}

/** `{billing: {city}, cart: {items: [{name}]}}` by wire name: `billing.city`, `cart.items[0].name`. */
function flattened(fields: RequestParameters, prefix = ''): [string, string][] {
  return Object.entries(fields).flatMap(([field, value]): [string, string][] => {
    const name = `${prefix}${field}`;
    if (typeof value === 'string') return [[name, value]];
    return isList(value)
      ? value.flatMap((each, index) => flattened(each, `${name}[${String(index)}].`))
      : flattened(value, `${name}.`);
  });
}

function isList(
  value: Exclude<RequestParameters[string], string>,
): value is readonly RequestParameters[] {
  return Array.isArray(value);
}
