import type { CheckoutInBrowser } from './result-address.js';

/** What edge puts before the loader: to which checkout it is bound, and which files are its own. */
export interface LoaderStart extends CheckoutInBrowser {
  /** The folder of the widget's files. */
  readonly version: string;
  /** Of `widget.js`, as the attribute of a script has it. */
  readonly integrity: string;
}

/** What the loader hands to the widget, on its script element. */
export interface WidgetStart extends CheckoutInBrowser {
  /** Where the widget's files are, with a slash at the end. */
  readonly folder: string;
  /** `wpwlOptions` when the page's script ran; it is the page's, so it may be anything. */
  readonly options: unknown;
}

/** The script element by which the widget comes. */
export type WidgetScript = HTMLScriptElement & { sluiceStart?: WidgetStart };

/** The global `wpwl` (wire contract 10). */
export interface WidgetGlobal {
  /** Removes all that the widget has made, and puts the page's forms back. */
  unload(): void;
  /** Sends a form, by the id or a class of its container. */
  executePayment(container: string): void;
  readonly checkout: { readonly id: string };
}

/** The globals that pages and the widget have in common. */
export interface WidgetWindow {
  wpwlOptions?: unknown;
  wpwl?: WidgetGlobal;
}
