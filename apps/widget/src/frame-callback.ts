import type { CallbackName } from './options.js';
import type { PaymentFormParts } from './payment-form.js';

/** Calls the page of one frame: shops look at `this.$iframe[0]`, with their own jQuery or without. */
export function callOfFrame(
  { call }: Pick<PaymentFormParts, 'call'>,
  name: CallbackName,
  element: HTMLIFrameElement | undefined,
): void {
  const { jQuery } = window as { readonly jQuery?: unknown };
  const $iframe =
    typeof jQuery === 'function' ? (jQuery as (of: unknown) => unknown)(element) : [element];
  call(name, { $iframe });
}
