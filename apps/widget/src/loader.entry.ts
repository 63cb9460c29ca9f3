// `paymentWidgets.js`: small, because it is another one for each checkout. It brings the widget, which is
// the same for all.
import type { LoaderStart, WidgetScript, WidgetWindow } from './widget-start.js';

/** Edge puts it around this script. */
declare const sluiceStart: LoaderStart;

const page = window as WidgetWindow;
const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : found();
// Whoever loads it twice means the second one.
page.wpwl?.unload();
if (own === null) console.error('Sluice: paymentWidgets.js does not find its own script element.');
else load(own);

/** Where no script is said to be running, the one with this checkout's id is it. */
function found(): HTMLScriptElement | null {
  const scripts = document.querySelectorAll<HTMLScriptElement>('script[src*="paymentWidgets.js"]');
  const ofCheckout = Array.from(scripts).filter(({ src }) => src.includes(sluiceStart.id));
  return ofCheckout.at(-1) ?? null;
}

function load(script: HTMLScriptElement): void {
  const { id, purpose, version, integrity } = sluiceStart;
  const folder = new URL(`widget/${version}/`, script.src).href;
  const widget: WidgetScript = document.createElement('script');
  const { wpwlOptions: options } = page;
  widget.sluiceStart = { id, purpose, folder, options };
  widget.src = `${folder}widget.js`;
  widget.integrity = integrity;
  widget.crossOrigin = 'anonymous';
  if (script.nonce !== '') widget.nonce = script.nonce;
  widget.onerror = () => failed(options);
  page.wpwl = {
    unload: () => {
      delete widget.sluiceStart;
      widget.remove();
      delete page.wpwl;
    },
    executePayment: () => console.warn('Sluice: the payment form is not ready yet.'),
    checkout: { id },
  };
  document.head.append(widget);
}

function failed(options: unknown): void {
  const error = new Error('The payment form could not be loaded.');
  error.name = 'WidgetError';
  const onError = (options as { readonly onError?: unknown } | undefined)?.onError;
  if (typeof onError === 'function') (onError as (failure: Error) => void)(error);
  else console.error(error);
}
