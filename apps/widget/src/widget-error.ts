/** The names that shops tell errors apart by (wire contract 10). */
export type WidgetErrorName =
  'InvalidCheckoutIdError' | 'PciIframeCommunicationError' | 'PciIframeSubmitError' | 'WidgetError';

/** What `onError` is called with: `name` and `message`. */
export class WidgetError extends Error {
  constructor(
    override readonly name: WidgetErrorName,
    message: string,
  ) {
    super(message);
  }
}

/** The checkout was completed, its time is over, or there is none of this id. */
export function checkoutIsOver(): WidgetError {
  return new WidgetError('InvalidCheckoutIdError', 'This checkout cannot be completed any more.');
}
