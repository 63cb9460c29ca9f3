import type { Texts } from './english.js';
import type { Language } from './languages.js';
import type { CallbackName, Options } from './options.js';
import type { PaidAmount } from './paid-amount.js';
import type { CheckoutInBrowser } from './result-address.js';
import type { WidgetError } from './widget-error.js';

/** What every form is made with. */
export interface PaymentFormParts {
  readonly checkout: CheckoutInBrowser;
  /** Where the widget's files are. */
  readonly folder: string;
  readonly options: Options;
  readonly texts: Texts;
  readonly language: Language;
  /** The same for all forms of the page. */
  readonly paid: PaidAmount;
  /** The page's own, in whose place it is. */
  readonly form: HTMLFormElement;
  /** Calls what the page has given; undefined where it has given nothing, or where that has failed. */
  readonly call: (name: CallbackName, self: unknown, ...words: unknown[]) => unknown;
  readonly report: (error: WidgetError) => void;
  /** Whether it is the page's only form, by the time that it is shown. */
  readonly isAlone: () => boolean;
  /** Runs what moves the page once no button is pressed that would go from under the pointer. */
  readonly whenReleased: (run: () => void) => void;
}

/** A form by which the shopper pays, or stores something to pay with. */
export interface PaymentForm {
  /** What stands on the page. */
  readonly container: HTMLDivElement;
  /** Fills the container. */
  show(): void;
  /** Takes it off the page. */
  close(): void;
  /** Shows what is paid by now; absent where that is not shown, or asked for by the form itself. */
  amountChanged?(): void;
  /** As if the button had been pressed. */
  execute(): void;
  /** Says that the checkout is over, and sends nothing any more. */
  end(): void;
}
