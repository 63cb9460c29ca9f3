import { type OfferedWallet } from './offered-wallet.js';
import { loadProviderScript } from './provider-script.js';
import { type ReadyWallet, type SheetEvents, type Wallet, WalletForm } from './wallet-form.js';
import type { MakeWalletForm, WalletFormParts } from './wallet-form-parts.js';
import {
  callbackOption,
  listOption,
  numberOption,
  pageCallback,
  readWalletOptions,
  textOption,
  type WalletOptionReader,
  type WalletOptions,
  wordOption,
} from './wallet-options.js';

/** What is used of Google's interface for pages. */
interface PaymentsClient {
  isReadyToPay(request: object): Promise<{ readonly result: boolean }>;
  loadPaymentData(request: object): Promise<GooglePayData>;
  createButton?(options: object): HTMLElement;
}

interface GooglePayData {
  readonly paymentMethodData: { readonly tokenizationData: { readonly token: string } };
}

interface GooglePage {
  readonly google?: {
    readonly payments?: {
      readonly api?: { readonly PaymentsClient?: new (options: object) => PaymentsClient };
    };
  };
}

const page = globalThis as GooglePage;

const VERSION = { apiVersion: 2, apiVersionMinor: 0 };
const NETWORKS = ['VISA', 'MASTERCARD', 'AMEX'];
const AUTHENTICATIONS = ['PAN_ONLY', 'CRYPTOGRAM_3DS'];
const RADIUS_MAX = 100;

const readers: Readonly<Record<string, WalletOptionReader>> = {
  ...{ allowedCardNetworks: listOption, allowedAuthMethods: listOption, merchantId: textOption },
  ...{ merchantName: textOption, displayName: textOption, countryCode: textOption },
  ...{ buttonColor: wordOption('default', 'black', 'white'), buttonType: textOption },
  ...{ buttonLocale: textOption, buttonRadius: numberOption(0, RADIUS_MAX) },
  ...{ gatewayMerchantId: textOption, onCancel: callbackOption },
  buttonSizeMode: wordOption('fill', 'static'),
};

/** A page's wallet. */
interface OnPage {
  readonly parts: WalletFormParts;
  readonly options: WalletOptions;
}

/** The form of `GOOGLEPAY`. */
export const googlePayForm: MakeWalletForm = (parts) => {
  const options = readWalletOptions('googlePay', parts.options.googlePay, readers);
  const wallet: Wallet = {
    ...{ name: 'googlePay', title: 'Google Pay', buttonClasses: ['wpwl-google-pay-button'] },
    onCancel: pageCallback('googlePay', options),
    prepare: (offered) => prepared(offered, { parts, options }),
  };
  return new WalletForm(parts, wallet);
};

async function prepared(offered: OfferedWallet, onPage: OnPage): Promise<ReadyWallet | string> {
  const { script, isSimulated, environment, gatewayMerchantId } = offered;
  const { options, parts } = onPage;
  const said = options['gatewayMerchantId'] ?? gatewayMerchantId;
  if (said !== gatewayMerchantId) {
    const what = 'is the channel of the checkout, whatever the page says';
    console.warn(`Sluice: wpwlOptions.googlePay.gatewayMerchantId ${what}.`);
  }
  const isThere = page.google?.payments?.api?.PaymentsClient !== undefined;
  if (isSimulated || !isThere) await loadProviderScript(script, parts.nonce);
  const Client = page.google?.payments?.api?.PaymentsClient;
  if (Client === undefined) throw new Error(`${script} is not the script of Google Pay.`);
  const client = new Client({ environment });
  const method = cardMethod(options);
  const ready = await client.isReadyToPay({ ...VERSION, allowedPaymentMethods: [method] });
  if (!ready.result) return 'this browser has no Google Pay';
  return {
    button: client.createButton && ((press) => googleButton(client, onPage, press)),
    open: (current, events) => opened(client, googlePayRequest(current, options), events),
  };
}

/** The provider's own, which its terms ask for. */
function googleButton(client: PaymentsClient, { parts, options }: OnPage, press: () => void) {
  const { buttonColor = 'default', buttonType = 'plain', buttonRadius } = options;
  const { buttonLocale = parts.language, buttonSizeMode = 'fill' } = options;
  const made = client.createButton?.({
    ...{ onClick: press, buttonColor, buttonType, buttonLocale, buttonSizeMode },
    ...(buttonRadius !== undefined && { buttonRadius }),
    allowedPaymentMethods: [cardMethod(options)],
  });
  return made ?? document.createElement('div');
}

/** The sheet is in a window of its own, which nobody but the shopper closes. */
function opened(client: PaymentsClient, request: object, events: SheetEvents): () => void {
  client.loadPaymentData(request).then(
    ({ paymentMethodData }) => {
      const { token } = paymentMethodData.tokenizationData;
      events.authorized([['googlePay.paymentToken', token]], () => undefined);
    },
    (error: unknown) => {
      const { statusCode } = (error ?? {}) as { readonly statusCode?: unknown };
      if (statusCode === 'CANCELED') events.cancelled();
      else events.failed(`Google Pay: ${String(statusCode ?? error)}`);
    },
  );
  return () => undefined;
}

function cardMethod(options: WalletOptions) {
  return {
    type: 'CARD',
    parameters: {
      allowedAuthMethods: options['allowedAuthMethods'] ?? AUTHENTICATIONS,
      allowedCardNetworks: options['allowedCardNetworks'] ?? NETWORKS,
    },
  };
}

/** What the sheet is made of: of what is paid, nothing that the page says. */
export function googlePayRequest(offered: OfferedWallet, options: WalletOptions) {
  const { amount, currency, gateway, gatewayMerchantId } = offered;
  const merchantName = options['merchantName'] ?? options['displayName'] ?? offered.displayName;
  const merchantId = options['merchantId'] ?? offered.merchantId;
  return {
    ...VERSION,
    allowedPaymentMethods: [
      {
        ...cardMethod(options),
        tokenizationSpecification: {
          type: 'PAYMENT_GATEWAY',
          parameters: { gateway, gatewayMerchantId },
        },
      },
    ],
    merchantInfo: {
      ...(merchantName !== undefined && { merchantName }),
      ...(merchantId !== undefined && { merchantId }),
    },
    transactionInfo: {
      ...{ totalPriceStatus: 'FINAL', totalPrice: amount, currencyCode: currency },
      countryCode: options['countryCode'] ?? offered.countryCode,
    },
  };
}
