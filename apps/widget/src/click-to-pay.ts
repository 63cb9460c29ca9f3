import { amountText } from './amount-text.js';
import { ClickToPaySheet } from './click-to-pay-sheet.js';
import { type ClickToPayTexts, clickToPayTexts } from './click-to-pay-texts.js';
import type { OfferedWallet } from './offered-wallet.js';
import { loadProviderScript } from './provider-script.js';
import { SrcShopper } from './src-shopper.js';
import { type OfferedSrcSystem, type SrcSdk, srcSdkAt } from './src-system.js';
import { type ReadyWallet, type SheetEvents, type Wallet, WalletForm } from './wallet-form.js';
import type { MakeWalletForm, WalletFormParts } from './wallet-form-parts.js';
import {
  callbackOption,
  pageCallback,
  readWalletOptions,
  textAmong,
  textOption,
  type WalletOptionReader,
  type WalletOptions,
} from './wallet-options.js';

const readers: Readonly<Record<string, WalletOptionReader>> = {
  ...{ displayName: textOption, dpaLocale: textOption, email: textOption, srcDpaId: textOption },
  onCancel: callbackOption,
};

/** A page's wallet. */
interface OnPage {
  readonly parts: WalletFormParts;
  readonly options: WalletOptions;
}

/** The form of `CLICK_TO_PAY`. */
export const clickToPayForm: MakeWalletForm = (parts) => {
  const options = readWalletOptions('clickToPay', parts.options.clickToPay, readers);
  const wallet: Wallet = {
    ...{ name: 'clickToPay', title: 'Click to Pay', buttonClasses: [BUTTON] },
    onCancel: pageCallback('clickToPay', options),
    prepare: (offered) => prepared(offered, { parts, options }),
  };
  return new WalletForm(parts, wallet);
};

async function prepared(offered: OfferedWallet, onPage: OnPage): Promise<ReadyWallet | string> {
  const { systems, transactionId } = clickToPayIn(offered.said);
  const texts = clickToPayTexts(onPage.parts.language, onPage.parts);
  const named = textAmong(onPage.options, 'srcDpaId');
  if (named !== undefined && !systems.some(({ srciDpaId }) => srciDpaId === named)) {
    const what = 'is the one that the gateway has for the merchant, whatever the page says';
    console.warn(`Sluice: wpwlOptions.clickToPay.srcDpaId ${what}.`);
  }
  const begun = await Promise.allSettled(
    systems.map((system) => sdkOf(system, { offered, onPage, transactionId })),
  );
  const failed = begun.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  const sdks = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (sdks.length === 0) throw new Error(failed.join(' '));
  // Cards of the other schemes pay all the same.
  for (const reason of failed)
    console.warn(`Sluice: a system of Click to Pay is left out: ${reason}`);
  const own = await texts;
  return {
    button: ownButton,
    open: (current, events) => {
      const shopper = new SrcShopper(sdks, transactionId);
      return opened({ offered: current, shopper, own }, onPage, events);
    },
  };
}

interface BegunWith {
  readonly offered: OfferedWallet;
  readonly onPage: OnPage;
  readonly transactionId: string;
}

/** A system that is ready for shoppers. */
async function sdkOf(
  { script, global, srcInitiatorId, srciDpaId }: OfferedSrcSystem,
  { offered, onPage, transactionId: srciTransactionId }: BegunWith,
): Promise<SrcSdk> {
  const { parts, options } = onPage;
  const before = offered.isSimulated ? undefined : srcSdkAt(window, global);
  if (before === undefined) await loadProviderScript(script, parts.nonce);
  const sdk = before ?? srcSdkAt(window, global);
  if (sdk === undefined) throw new Error(`${script} is not the script of an SRC system.`);
  await sdk.init({
    ...{ srciTransactionId, srcInitiatorId, srciDpaId },
    dpaData: { dpaPresentationName: payeeOf(offered, options) },
    dpaTransactionOptions: { dpaLocale: localeOf(onPage) },
  });
  return sdk;
}

interface Opening {
  readonly offered: OfferedWallet;
  readonly shopper: SrcShopper;
  readonly own: ClickToPayTexts;
}

function opened(
  { offered, shopper, own }: Opening,
  onPage: OnPage,
  events: SheetEvents,
): () => void {
  const { amount, currency } = offered;
  const { language, texts, options: page } = onPage.parts;
  const shown = amountText({ amount, currency }, language, page.locale);
  const sheet = new ClickToPaySheet({
    ...{
      language,
      shopper,
      email: textAmong(onPage.options, 'email'),
      texts: { ...texts, ...own },
    },
    facts: [payeeOf(offered, onPage.options), shown],
    pay: (card, windowRef) =>
      shopper.pay(card, { amount, currency, locale: localeOf(onPage), windowRef }),
    confirmed: (response) =>
      events.authorized([['clickToPay.paymentToken', response]], () => sheet.close()),
    cancelled: () => events.cancelled(),
    failed: (error) => {
      const reason = error instanceof Error ? error.message : JSON.stringify(error);
      events.failed(`Click to Pay: ${reason}`);
    },
  });
  return () => sheet.close();
}

/** Reads what the gateway says of it. */
export function clickToPayIn(said: Readonly<Record<string, unknown>>) {
  const { systems, srciTransactionId } = said;
  return {
    systems: (Array.isArray(systems) ? systems : []) as readonly OfferedSrcSystem[],
    transactionId: typeof srciTransactionId === 'string' ? srciTransactionId : '',
  };
}

function payeeOf({ displayName }: OfferedWallet, options: WalletOptions): string {
  return textAmong(options, 'displayName') ?? displayName ?? location.hostname;
}

/** `de_AT`, as SRC systems write it. */
function localeOf({ parts, options }: OnPage): string {
  return textAmong(options, 'dpaLocale') ?? parts.options.locale.replace('-', '_');
}

const BUTTON = 'wpwl-click-to-pay-button';
const SVG = 'http://www.w3.org/2000/svg';
/** A card with an arrow to it: a drawing of our own, because the schemes' mark is for those who have signed for it. */
const DRAWING = 'M2 5h14v3H2zM2 10h14v5H2zM14 12h8m-3-3 3 3-3 3';

/** With the name in letters beside the drawing, which says nothing to those who do not see it. */
function ownButton(press: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `wpwl-button wpwl-button-pay wpwl-button-pay-CLICK_TO_PAY ${BUTTON}`;
  const drawing = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: '0 0 24 20', width: '24', height: '20', 'aria-hidden': 'true' };
  for (const [name, value] of Object.entries(attributes)) drawing.setAttribute(name, value);
  const path = document.createElementNS(SVG, 'path');
  const drawn = { d: DRAWING, fill: 'none', stroke: 'currentColor', 'stroke-width': '1.5' };
  for (const [name, value] of Object.entries(drawn)) path.setAttribute(name, value);
  drawing.append(path);
  button.append(drawing, ' Click to Pay');
  button.addEventListener('click', press);
  return button;
}
