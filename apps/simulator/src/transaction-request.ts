import { AVS_FORM, type CheckedCard, CVV_FORM, isAvs, isCvv } from './card-checks.js';
import type { PageOfShopper } from './book.js';
import { modes } from './shopper-visit.js';
import { type Claimed, type MadeHere, madeHere } from './three-d-secure/cryptogram.js';
import { FAULT_FORMS, type Fault, parseFault } from './fault.js';

type Fields = Readonly<Record<string, unknown>>;

const OPERATIONS = [
  'authorization',
  'debit',
  'credit',
  'capture',
  'reversal',
  'refund',
  'rebill',
  'receipt',
  'incrementalAuthorization',
  'reauthorization',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** Test mode of the request; live traffic never comes here (D-41). */
export type Mode = 'INTERNAL' | 'EXTERNAL';

/** A request as the book may know it: of the card only what may be shown. */
export interface TransactionRequest {
  readonly reference: string;
  readonly operation: Operation;
  /** Exact decimal text, kept as it came. */
  readonly amount: string;
  readonly currency: string;
  readonly originalReference?: string;
  readonly mode: Mode;
  readonly bin?: string;
  readonly last4?: string;
  readonly holder?: string;
  /** Of requests that came with a card. */
  readonly checkedCard?: CheckedCard;
  /** Of a cryptogram that an issuer of this simulator has made. */
  readonly cryptogram?: MadeHere;
  /** Of requests that came with a gift card whose PIN is none. */
  readonly isPinWrong?: true;
  readonly forceResultCode?: string;
  /** What the issuer advises if it declines, in place of what it would say. */
  readonly advice?: string;
  /** In how many installments the shopper pays it, of what is not paid at once. */
  readonly installments?: number;
  /** Of requests for which a shopper has to decide. */
  readonly shopper?: AwaitedShopper;
  readonly fault?: Fault;
}

/** Whom the acquirer waits for, and where to send that shopper afterwards. */
export type AwaitedShopper = Pick<
  PageOfShopper,
  'kind' | 'brand' | 'returnUrl' | 'hasPrecondition' | 'mode' | 'mobileEnding'
>;

/** A request, or the parameter that is wrong; the value is never repeated (S-PCI-04). */
export type ParsedRequest =
  | { readonly request: TransactionRequest }
  | { readonly parameter: string; readonly message: string };

const REFERENCE = /^[0-9A-Za-z._-]{1,64}$/;
const AMOUNT = /^[0-9]{1,15}(?:\.[0-9]{1,4})?$/;
const CURRENCY = /^[A-Z]{3}$/;
const CARD_NUMBER = /^[0-9]{8,19}$/;
const ADVICE = /^[0-9]{2}$/;
const ECI = /^[0-9]{2}$/;
const INSTALLMENTS = /^[0-9]{1,2}$/;
const HOLDER_LENGTH_MAX = 128;
const CODE_LENGTH_MAX = 11;
const URL_LENGTH_MAX = 2_048;
const BRAND = /^[0-9A-Za-z_]{1,32}$/;
const BIN_LENGTH = 6;
const MOBILE_DIGITS = 3;
const LAST_DIGITS = 4;

/** Reads the body of `POST /transactions`. */
export function parseTransactionRequest(body: unknown): ParsedRequest {
  if (typeof body !== 'object' || body === null) return wrong('body', 'must be a JSON object');
  const fields = body as Readonly<Record<string, unknown>>;
  const { reference, operation, amount, currency, originalReference, mode, card } = fields;
  if (!matches(reference, REFERENCE)) return wrong('reference', 'must be 1 to 64 of 0-9A-Za-z._-');
  if (!isOperation(operation)) return wrong('operation', `must be one of ${OPERATIONS.join(', ')}`);
  if (!matches(amount, AMOUNT)) return wrong('amount', 'must be exact decimal text');
  if (!matches(currency, CURRENCY)) return wrong('currency', 'must be three capital letters');
  if (originalReference !== undefined && !matches(originalReference, REFERENCE)) {
    return wrong('originalReference', 'must be a reference');
  }
  if (mode !== 'INTERNAL' && mode !== 'EXTERNAL') {
    return wrong('mode', 'must be INTERNAL or EXTERNAL');
  }
  const { avs, cvv } = fields;
  if (avs !== undefined && !isAvs(avs)) return wrong('avs', AVS_FORM);
  if (cvv !== undefined && !isCvv(cvv)) return wrong('cvv', CVV_FORM);
  const addressSent = isAddressed(fields['parameters']);
  const wished = { ...(avs !== undefined && { avs }), ...(cvv !== undefined && { cvv }) };
  const eci = eciIn(fields['parameters']);
  const shown = shownOfCard(card, { addressSent, wished }, { amount, currency, ...eci });
  if (!shown) return wrong('card', 'must have a number of 8 to 19 digits');
  if (!isAccountOrAbsent(fields['account'])) return wrong('account', 'must name its details');
  const forceResultCode = fields['forceResultCode'];
  if (forceResultCode !== undefined && !isText(forceResultCode, CODE_LENGTH_MAX)) {
    return wrong('forceResultCode', `must be text of at most ${CODE_LENGTH_MAX} characters`);
  }
  const shopper = shopperOf(fields);
  if (shopper === 'malformed') return wrong('returnUrl', 'must be an address of the web');
  const { precondition } = fields;
  if (precondition !== undefined && precondition !== HIDDEN_FRAME) {
    return wrong('precondition', `must be ${HIDDEN_FRAME}`);
  }
  const { advice } = fields;
  if (advice !== undefined && !matches(advice, ADVICE))
    return wrong('advice', 'must be two digits');
  const installments = installmentsOf(fields);
  if (installments === 'malformed') {
    return wrong('numberOfInstallments', 'must be two digits at the most, of DB or PA by card');
  }
  const fault = faultOf(fields['fault']);
  if (fault === 'malformed') return wrong('fault', `must be one of ${FAULT_FORMS}`);
  return {
    request: {
      reference,
      operation,
      amount,
      currency,
      mode,
      ...shown,
      ...(originalReference === undefined ? undefined : { originalReference }),
      ...(forceResultCode === undefined ? undefined : { forceResultCode }),
      ...(advice === undefined ? undefined : { advice }),
      ...(installments === undefined ? undefined : { installments }),
      ...(isPinWrong(fields['account']) && { isPinWrong: true }),
      ...(shopper === undefined ? undefined : { shopper }),
      ...(fault === undefined ? undefined : { fault }),
    },
  };
}

/** Keeps the first six and last four digits: the number and the security code end here. */
function shownOfCard(
  card: unknown,
  known: Pick<CheckedCard, 'addressSent' | 'wished'>,
  claimed: Omit<Claimed, 'number'>,
): Pick<TransactionRequest, 'bin' | 'last4' | 'holder' | 'checkedCard' | 'cryptogram'> | undefined {
  if (card === undefined) return {};
  if (typeof card !== 'object' || card === null) return undefined;
  const { number, holder, cvv, cryptogram } = card as Readonly<Record<string, unknown>>;
  if (!matches(number, CARD_NUMBER)) return undefined;
  const found =
    typeof cryptogram === 'string' ? madeHere(cryptogram, { number, ...claimed }) : undefined;
  const shown = {
    ...(found !== undefined && { cryptogram: found }),
    bin: number.slice(0, BIN_LENGTH),
    last4: number.slice(-LAST_DIGITS),
    checkedCard: { ...known, securityCodeSent: cvv !== undefined },
  };
  return isText(holder, HOLDER_LENGTH_MAX) ? { ...shown, holder } : shown;
}

/** The one step before a page that a test may ask for. */
const HIDDEN_FRAME = 'hidden-frame';

/** Shoppers pay; whoever is paid out is not asked. */
const DECIDED_BY_SHOPPER: readonly unknown[] = ['authorization', 'debit'];

function shopperOf(
  fields: Readonly<Record<string, unknown>>,
): AwaitedShopper | 'malformed' | undefined {
  const { returnUrl, brand, account, operation, precondition } = fields;
  if (returnUrl === undefined || !DECIDED_BY_SHOPPER.includes(operation)) return undefined;
  if (!isText(returnUrl, URL_LENGTH_MAX) || !/^https?:/.test(returnUrl)) return 'malformed';
  if (!URL.canParse(returnUrl)) return 'malformed';
  const { kind } = (account ?? {}) as Readonly<Record<string, unknown>>;
  return {
    kind: kind === 'bankAccount' ? 'bank' : 'provider',
    ...(matches(brand, BRAND) && { brand }),
    ...(precondition === HIDDEN_FRAME && { hasPrecondition: true }),
    ...wishesOf(fields),
    returnUrl,
  };
}

/** How the shopper wants to be asked; of the number that is his account only the end is kept. */
function wishesOf({ parameters, account }: Fields): Pick<AwaitedShopper, 'mode' | 'mobileEnding'> {
  const { customParameters } = (parameters ?? {}) as Fields;
  const { SHOPPER_paymentMode: said } = (customParameters ?? {}) as Fields;
  const mode = modes.find((one) => one === said);
  if (mode !== 'mobile') return mode === undefined ? {} : { mode };
  const { details } = (account ?? {}) as Fields;
  const { 'virtualAccount.accountId': number } = (details ?? {}) as Fields;
  const digits = typeof number === 'string' ? number.replaceAll(/[^0-9]/g, '') : '';
  return { mode, mobileEnding: digits.slice(-MOBILE_DIGITS) };
}

/** Another account than a card; but for the end of a mobile number nothing of it is kept. */
function isAccountOrAbsent(account: unknown): boolean {
  if (account === undefined) return true;
  const { kind, details } = (account ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof kind !== 'string' || typeof details !== 'object' || details === null) return false;
  return Object.values(details).every((text) => typeof text === 'string');
}

/** Whether the parameters have something of an address to check; nothing of them is kept. */
function isAddressed(parameters: unknown): boolean {
  const { billing } = (parameters ?? {}) as Readonly<Record<string, unknown>>;
  const { street1, postcode } = (billing ?? {}) as Readonly<Record<string, unknown>>;
  return street1 !== undefined || postcode !== undefined;
}

/** What the gateway says that an authentication has found out. */
function eciIn(parameters: unknown): Pick<Claimed, 'eci'> {
  const { threeDSecure } = (parameters ?? {}) as Fields;
  const { eci } = (threeDSecure ?? {}) as Fields;
  return matches(eci, ECI) ? { eci } : {};
}

/** What is paid at once has none. Only whoever pays by card has an issuer who is paid in parts. */
function installmentsOf(
  fields: Readonly<Record<string, unknown>>,
): number | 'malformed' | undefined {
  const { parameters, card, operation } = fields;
  const { recurring } = (parameters ?? {}) as Readonly<Record<string, unknown>>;
  const { numberOfInstallments } = (recurring ?? {}) as Readonly<Record<string, unknown>>;
  if (numberOfInstallments === undefined) return undefined;
  if (!matches(numberOfInstallments, INSTALLMENTS)) return 'malformed';
  const number = Number(numberOfInstallments);
  if (number <= 1) return undefined;
  return card !== undefined && DECIDED_BY_SHOPPER.includes(operation) ? number : 'malformed';
}

function faultOf(text: unknown): Fault | 'malformed' | undefined {
  if (text === undefined) return undefined;
  return (typeof text === 'string' ? parseFault(text) : undefined) ?? 'malformed';
}

function isOperation(value: unknown): value is Operation {
  return OPERATIONS.some((operation) => operation === value);
}

function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** Characters as people count them, which is how the interface counts. */
function isText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && Array.from(value).length <= lengthMax;
}

function wrong(parameter: string, message: string): ParsedRequest {
  return { parameter, message: `${parameter} ${message}.` };
}

/** Every gift card has another one. */
const WRONG_PIN = '0000';

/** All that is read of an account: its PIN ends here. */
function isPinWrong(account: unknown): boolean {
  const { details } = (account ?? {}) as { readonly details?: Readonly<Record<string, unknown>> };
  return details?.['giftCard.pin'] === WRONG_PIN;
}
