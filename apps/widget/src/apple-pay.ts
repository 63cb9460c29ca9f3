import { ANSWER_WITHIN_MS } from './field-form.js';
import { type OfferedWallet, record, walletsAddress } from './offered-wallet.js';
import { loadProviderScript } from './provider-script.js';
import { sheetAmount } from './sheet-amount.js';
import { type ReadyWallet, type SheetEvents, type Wallet, WalletForm } from './wallet-form.js';
import type { MakeWalletForm, WalletFormParts } from './wallet-form-parts.js';
import {
  callbackOption,
  listOption,
  numberOption,
  pageCallback,
  readWalletOptions,
  textAmong,
  textOption,
  type WalletOptionReader,
  type WalletOptions,
  wordOption,
} from './wallet-options.js';

/** What is used of Apple's interface for pages. */
interface ApplePayInterface {
  new (version: number, request: object): ApplePaySession;
  canMakePayments(): boolean;
  readonly STATUS_SUCCESS: number;
  readonly STATUS_FAILURE: number;
}

interface ApplePaySession {
  onvalidatemerchant: ((event: { readonly validationURL: string }) => void) | null;
  onpaymentauthorized: ((event: { readonly payment: ApplePayPayment }) => void) | null;
  oncancel: (() => void) | null;
  begin(): void;
  abort(): void;
  completeMerchantValidation(session: unknown): void;
  completePayment(result: { readonly status: number }): void;
}

interface ApplePayPayment {
  readonly token: {
    readonly paymentData: unknown;
    readonly paymentMethod?: { readonly network?: string; readonly type?: string };
  };
}

const page = globalThis as { readonly ApplePaySession?: ApplePayInterface };

/** Of its interface: the oldest one that says how a payment has ended in this way. */
const VERSION = 3;
const VERSIONS_MAX = 20;
/** The only kind of token that the gateway opens. */
const CAPABILITY = 'supports3DS';
const NETWORKS = ['visa', 'masterCard', 'amex'];
const STYLES = ['black', 'white', 'white-outline', 'white-with-line'];

/** The total has a label, and an amount that is the checkout's. */
const totalOption: WalletOptionReader = (value) => {
  const { label, ...others } = record(value);
  if (typeof label !== 'string' || label === '') return 'has a label';
  const isMore = Object.keys(others).length > 0;
  return {
    used: label,
    ...(isMore && { idle: 'says what is paid, and the checkout does: its label is used' }),
  };
};

const capabilitiesOption: WalletOptionReader = (value) => {
  const read = listOption(value);
  if (typeof read === 'string') return read;
  const all = read.used as readonly string[];
  const used = all.filter((one) => one !== 'supportsEMV');
  const idle = `has ${CAPABILITY}, and not supportsEMV: the gateway opens no such tokens`;
  if (!used.includes(CAPABILITY)) return idle;
  return { used, ...(used.length < all.length && { idle }) };
};

const readers: Readonly<Record<string, WalletOptionReader>> = {
  ...{ displayName: textOption, total: totalOption, supportedNetworks: listOption },
  ...{ merchantCapabilities: capabilitiesOption, supportedCountries: listOption },
  ...{ countryCode: textOption, version: numberOption(VERSION, VERSIONS_MAX) },
  ...{ buttonStyle: wordOption(...STYLES), buttonType: textOption, onCancel: callbackOption },
  checkAvailability: wordOption('canMakePayments'),
};

/** The form of `APPLEPAY`. */
export const applePayForm: MakeWalletForm = (parts) => {
  const options = readWalletOptions('applePay', parts.options.applePay, readers);
  const style = (textAmong(options, 'buttonStyle') ?? 'black').replace('with-line', 'outline');
  const wallet: Wallet = {
    ...{ name: 'applePay', title: 'Apple Pay' },
    buttonClasses: ['wpwl-apple-pay-button', `wpwl-apple-pay-button-${style}`],
    buttonStyle: { '-apple-pay-button-type': textAmong(options, 'buttonType') ?? 'plain' },
    onCancel: pageCallback('applePay', options),
    prepare: (offered) => prepared(offered, { parts, options }),
  };
  return new WalletForm(parts, wallet);
};

/** A page's wallet. */
interface OnPage {
  readonly parts: WalletFormParts;
  readonly options: WalletOptions;
}

/** Where the browser has Apple Pay in it, nothing is loaded; other browsers show a code to a phone. */
async function prepared(
  { script, isSimulated }: OfferedWallet,
  onPage: OnPage,
): Promise<ReadyWallet | string> {
  if (isSimulated || page.ApplePaySession === undefined) {
    await loadProviderScript(script, onPage.parts.nonce);
  }
  if (page.ApplePaySession?.canMakePayments() !== true) return 'this browser has no Apple Pay';
  return { button: undefined, open: (offered, events) => opened(offered, onPage, events) };
}

function opened(offered: OfferedWallet, { parts, options }: OnPage, events: SheetEvents) {
  const { ApplePaySession: Apple } = page;
  if (Apple === undefined) throw new Error('The script of Apple Pay has gone.');
  const request = applePayRequest(offered, options, location.hostname);
  const session = new Apple(Number(options['version'] ?? VERSION), request);
  session.onvalidatemerchant = ({ validationURL }) => {
    void confirmed(validationURL, { parts, offered, label: request.total.label }).then(
      (confirmation) => {
        if (confirmation.kind === 'confirmed') {
          session.completeMerchantValidation(confirmation.session);
          return;
        }
        if (confirmation.kind === 'amountChanged') events.amountChanged();
        else events.failed(confirmation.reason);
      },
    );
  };
  session.onpaymentauthorized = ({ payment }) => {
    const { STATUS_SUCCESS, STATUS_FAILURE } = Apple;
    events.authorized(applePayFields(payment), (isPaid) =>
      session.completePayment({ status: isPaid ? STATUS_SUCCESS : STATUS_FAILURE }),
    );
  };
  session.oncancel = () => events.cancelled();
  session.begin();
  let isOpen = true;
  return () => {
    if (isOpen) abort(session);
    isOpen = false;
  };
}

/** One that has ended by itself cannot be ended. */
function abort(session: ApplePaySession): void {
  try {
    session.abort();
  } catch {
    // It is gone, which is what was wanted.
  }
}

/** What the sheet is made of: of what is paid, nothing that the page says. */
export function applePayRequest(
  { amount, currency, countryCode, displayName }: OfferedWallet,
  options: WalletOptions,
  host: string,
) {
  const label = options['total'] ?? options['displayName'] ?? displayName ?? host;
  const { supportedCountries } = options;
  return {
    countryCode: options['countryCode'] ?? countryCode,
    currencyCode: currency,
    supportedNetworks: options['supportedNetworks'] ?? NETWORKS,
    merchantCapabilities: options['merchantCapabilities'] ?? [CAPABILITY],
    ...(supportedCountries !== undefined && { supportedCountries }),
    total: { label: label as string, type: 'final', amount: sheetAmount(amount, currency) },
  };
}

/** What is sent of it. */
export function applePayFields({ token }: ApplePayPayment): readonly (readonly [string, string])[] {
  const { network, type } = token.paymentMethod ?? {};
  return [
    ['applePay.paymentToken', JSON.stringify(token.paymentData)],
    ...(network === undefined ? [] : [['applePay.cardNetwork', network] as const]),
    ...(type === undefined ? [] : [['applePay.cardType', type] as const]),
  ];
}

type Confirmation =
  | { readonly kind: 'confirmed'; readonly session: unknown }
  | { readonly kind: 'amountChanged' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Has the gateway ask Apple whose page this is, for a sheet with this amount. */
async function confirmed(
  validationUrl: string,
  asked: {
    readonly parts: WalletFormParts;
    readonly offered: OfferedWallet;
    readonly label: string;
  },
): Promise<Confirmation> {
  const { parts, offered, label: displayName } = asked;
  const { amount, currency } = offered;
  const body = new URLSearchParams({ validationUrl, displayName, amount, currency });
  try {
    const response = await fetch(`${walletsAddress(parts).href}/applePay`, {
      ...{ method: 'POST', body, credentials: 'omit', referrerPolicy: 'no-referrer' },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return confirmationIn(response.ok, await response.json());
  } catch (error) {
    return { kind: 'failed', reason: `Apple Pay: ${String(error)}` };
  }
}

/** Reads the answer of the gateway. */
export function confirmationIn(isOk: boolean, body: unknown): Confirmation {
  const { merchantSession, result } = record(body);
  if (isOk && merchantSession !== undefined) return { kind: 'confirmed', session: merchantSession };
  const { description, parameterErrors } = record(result);
  const names = Array.isArray(parameterErrors)
    ? parameterErrors.map((error) => record(error)['name'])
    : [];
  if (names.includes('amount') || names.includes('currency')) return { kind: 'amountChanged' };
  return { kind: 'failed', reason: `Apple Pay: ${String(description)}` };
}
