import {
  type AppChallenge,
  type DefaultTerms,
  defaultTermsOf,
  FIRST_PAYMENT_DETAIL,
  initialTransactionIdOf,
  paymentMethodOf,
  type Precondition,
  type RunSource,
  type ShownInstrument,
  type TransactionOutcome,
  walletBrands,
} from '@sluice/contracts';
import { shortIdOf, type TransactionId } from '@sluice/identifiers';
import { type AmountText, formatAmount, fromMessage } from '@sluice/money';
import { answeredInstrument, echo, type EchoedFields, paymentTypeOf } from '@sluice/parameters';
import { codes, describeResult, outcomeOf } from '@sluice/result-codes';
import { resultOf } from './answer-result.js';
import type { BinTable } from './bin-table.js';
import { redirectUrl } from './redirect-address.js';

/** A transaction with what its answer echoes of the request. */
export interface ShownTransaction {
  readonly outcome: TransactionOutcome;
  readonly channelName: string;
  /** Of a payment that a schedule asked for. */
  readonly source?: RunSource;
  /** Where its shopper may have to go; absent where no shopper is sent on by the answer. */
  readonly publicUrl?: string;
  /** Of an authentication alone (CAVV, AAV), for the merchant who pays with it later. */
  readonly cryptogram?: string;
  /** Only for the transaction that begins a payment. */
  readonly instrument?: ShownInstrument;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

/** Refusals because of the amount itself: it cannot be shown, so the answer has none. */
const AMOUNT_REFUSALS: ReadonlySet<string> = new Set([codes.amountTooLow, codes.amountFormat]);

/** Running and unknown transactions look pending from outside (D-34). */
export function codeOf({ status, resultCode }: TransactionOutcome): string {
  return status === 'requested' || status === 'unknown' ? codes.pending : resultCode;
}

/** What an answer says of a transaction, without the three fields of the answer itself. */
export function paymentFields(
  shown: ShownTransaction,
  bins: BinTable,
  code = codeOf(shown.outcome),
): PaymentFields {
  const { outcome, instrument, personal } = shown;
  const { standingInstruction, ...echoed } = echo(shown.parameters, personal);
  const { avsResponse, cvvResponse, riskScore } = outcome;
  const shortId = shortIdOf(outcome.id);
  return {
    id: outcome.id,
    referencedId: outcome.referencedId,
    paymentType: paymentTypeOf(outcome.operation),
    paymentMethod: instrument && paymentMethodOf(instrument),
    source: shown.source,
    ...brandFields(instrument),
    ...amountFields(outcome, code),
    shortId,
    descriptor: defaultDescriptor(shortId, shown.channelName),
    ...echoed,
    ...authenticationFields(shown, echoed),
    ...(riskScore !== undefined && {
      risk: { score: String(riskScore) },
    }),
    ...registrationOf(shown),
    ...descriptorOfMerchant(shown.parameters),
    result: { ...resultOf(code, descriptionOf(outcome, code)), avsResponse, cvvResponse },
    resultDetails: resultDetails(shown, code),
    redirect: redirectOf(shown),
    ...(instrument && answeredInstrument(instrument, { personal, bins })),
    standingInstruction: standingInstructionFields(standingInstruction, shown, code),
  };
}

/** To our own address, which goes on as the acquirer wants it, however a client follows it. */
function redirectOf({ outcome, publicUrl }: ShownTransaction): object | undefined {
  if (outcome.redirect === undefined || publicUrl === undefined) return undefined;
  const { preconditions } = outcome.redirect;
  return {
    ...{ url: redirectUrl(publicUrl, outcome.id), method: 'GET', parameters: [] },
    preconditions: preconditions?.map(preconditionOf),
  };
}

/**
 * To the acquirer's own address: the merchant's page loads it, and waits for that alone. Sorted by name,
 * because stores change the order, and a repeated request is answered the same bytes (D-36).
 */
function preconditionOf({ parameters, ...rest }: Precondition): object {
  const { origin, waitUntil, description, url, method } = rest;
  const sorted = Object.entries(parameters).sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    ...{ origin, waitUntil, description, url, method },
    parameters: sorted.map(([name, value]) => ({ name, value })),
  };
}

/** A field with fields of its own, as it was sent. */
function objectIn(echoed: Readonly<EchoedFields>, name: string): object {
  const field = echoed[name];
  return typeof field === 'object' ? field : {};
}

/** What we found out of the shopper, beside what was sent (Interface 2.17). */
function authenticationFields(
  { outcome: { authentication, appChallenge }, cryptogram }: ShownTransaction,
  echoed: Readonly<EchoedFields>,
): { readonly threeDSecure?: object } {
  if (appChallenge !== undefined) {
    return {
      threeDSecure: { ...objectIn(echoed, 'threeDSecure'), ...challengeOfApp(appChallenge) },
    };
  }
  if (authentication === undefined) return {};
  const {
    status,
    statusReason,
    flow,
    cardholderInfo,
    authenticated,
    serverTransactionId: _,
    ...found
  } = authentication;
  const threeDSecure = {
    ...objectIn(echoed, 'threeDSecure'),
    ...found,
    ...(authenticated !== undefined && amountOf(authenticated)),
    ...(cryptogram !== undefined && { verificationId: cryptogram }),
    ...(flow !== 'none' && { flow }),
    authenticationStatus: status,
    transactionStatusReason: statusReason,
    cardHolderInfo: cardholderInfo,
  };
  return { threeDSecure };
}

/** What the app gives to its SDK: by the interface's names where it has them, and else by those of EMV. */
function challengeOfApp({
  serverTransactionId: threeDSServerTransID,
  sdkTransactionId: sdkTransID,
  ...challenge
}: AppChallenge): object {
  return { authenticationStatus: 'C', threeDSServerTransID, sdkTransID, ...challenge };
}

const FAILED: ReadonlySet<TransactionOutcome['status']> = new Set([
  ...(['declined', 'rejected', 'notPerformed', 'reversedAfterUnknown'] as const),
]);

/** What a payment was to store is kept only if it is approved: a failed one names nothing. */
function registrationOf({ outcome, parameters }: ShownTransaction): {
  readonly registrationId?: undefined;
} {
  const isAbandoned = parameters.createRegistration === 'true' && FAILED.has(outcome.status);
  return isAbandoned ? { registrationId: undefined } : {};
}

/** The outcome's own description belongs to its own code, not to one that is shown in its place. */
function descriptionOf(outcome: TransactionOutcome, code: string): string | undefined {
  return outcome.resultCode === code ? outcome.resultDescription : undefined;
}

/** The fields of a transaction; absent ones are undefined. */
export interface PaymentFields {
  readonly id: TransactionId;
  readonly amount?: string;
  readonly [field: string]: unknown;
}

/** Texts with two decimals, also where the request had none (wire contract D3). */
function amountFields(
  { amount }: TransactionOutcome,
  code: string,
): { readonly amount?: string; readonly currency?: string } {
  if (amount === undefined || AMOUNT_REFUSALS.has(code)) {
    return {};
  }
  return amountOf(amount);
}

function amountOf(amount: AmountText): { readonly amount: string; readonly currency: string } {
  return { amount: formatAmount(fromMessage(amount)), currency: amount.currency };
}

function brandFields(instrument: ShownInstrument | undefined): {
  readonly paymentBrand?: string;
  readonly brandResult?: string;
} {
  const paymentBrand = instrument && paymentBrandOf(instrument);
  if (instrument === undefined || paymentBrand === undefined) return {};
  const brandResult = isDetected(instrument) ? instrument.brand : undefined;
  return { paymentBrand, ...(brandResult !== undefined && { brandResult }) };
}

function isDetected(instrument: ShownInstrument): boolean {
  return 'brandDetected' in instrument && instrument.brandDetected;
}

/** Whoever named a brand of cards reads that one; else the wallet that the card came out of. */
export function paymentBrandOf(instrument: ShownInstrument): string | undefined {
  const { brand } = instrument;
  if (brand === undefined || brand === '') return undefined;
  const wallet = 'wallet' in instrument ? instrument.wallet : undefined;
  return wallet !== undefined && isDetected(instrument) ? walletBrands[wallet] : brand;
}

/** Interface 2.2: AN127, also where a channel has a long name. */
const DESCRIPTOR_CHARACTERS_MAX = 127;

/**
 * `NNNN.NNNN.NNNN <channel name>` (wire contract 2), the same in every answer; a `descriptor` that
 * was sent is echoed in its place.
 */
function defaultDescriptor(shortId: string, channelName: string): string {
  const text = `${shortId} ${channelName}`;
  return text.length <= DESCRIPTOR_CHARACTERS_MAX
    ? text
    : Array.from(text).slice(0, DESCRIPTOR_CHARACTERS_MAX).join('');
}

/** Interface 2.3: the name of the merchant overrides whatever else the statement would say. */
function descriptorOfMerchant({ 'merchant.name': name }: ShownTransaction['parameters']): {
  readonly descriptor?: string;
} {
  return name === undefined ? {} : { descriptor: name };
}

/** Wire contract 2: a detail that clients read beside `threeDSecure.eci`. */
const ISSUERS_ECI = '3ds.acsEci';

/**
 * What the acquirer said; a client refuses the map without `ExtendedDescription` (wire contract 2).
 * Sorted by name, because the answer to a repeated request must be equal byte for byte, and stores
 * change the order (D-36).
 */
function resultDetails(shown: ShownTransaction, code: string): object | undefined {
  const { outcome } = shown;
  const details: [string, string][] = Object.entries(outcome.resultDetails ?? {});
  const has = (wanted: string) => details.some(([name]) => name === wanted);
  const { eci } = outcome.authentication ?? {};
  if (eci !== undefined && !has(ISSUERS_ECI)) details.push([ISSUERS_ECI, eci]);
  if (outcome.connectorTxId !== undefined) {
    if (!has('ConnectorTxID1')) {
      details.push(['ConnectorTxID1', outcome.connectorTxId]);
    }
    if (isApprovedInitial(shown, code) && !has(FIRST_PAYMENT_DETAIL)) {
      details.push([FIRST_PAYMENT_DETAIL, outcome.connectorTxId]);
    }
  }
  if (details.length === 0) {
    return undefined;
  }
  if (!has('ExtendedDescription')) {
    details.push(['ExtendedDescription', describeResult(code)]);
  }
  return Object.fromEntries(details.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/**
 * The echo; of a first payment with the terms that it did not say, and once it is approved with what
 * later ones have to name (wire contract 2 and 4, page 0049).
 */
function standingInstructionFields(
  sent: EchoedFields[string] | undefined,
  shown: ShownTransaction,
  code: string,
): object | undefined {
  if (typeof sent !== 'object' || Array.isArray(sent)) {
    return undefined;
  }
  if (!isInitial(shown)) return sent;
  const { outcome, instrument, parameters } = shown;
  const fields = { ...sent, ...withoutWhatWasSent(defaultTermsOf(instrument?.brand), sent) };
  if (!isApprovedInitial(shown, code)) return fields;
  const { id } = outcome;
  const initialTransactionId = initialTransactionIdOf(outcome);
  return {
    ...fields,
    ...(initialTransactionId !== undefined && { initialTransactionId }),
    // Its own id is one that nobody else gives to an agreement.
    agreementId: parameters['standingInstruction.agreementId'] ?? id,
  };
}

function withoutWhatWasSent(defaults: DefaultTerms, sent: EchoedFields): object {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !(name in sent)));
}

/** An operation on a transaction begins no agreement, whatever it says. */
function isInitial({ outcome, parameters }: ShownTransaction): boolean {
  return outcome.referencedId === undefined && parameters['standingInstruction.mode'] === 'INITIAL';
}

function isApprovedInitial(shown: ShownTransaction, code: string): boolean {
  return isInitial(shown) && outcomeOf(code) === 'success';
}
