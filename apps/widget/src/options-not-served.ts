const WALLETS = 'wallets come later';

/** The options of the interface family that have no effect yet, each with the reason that shops read. */
export const notServed: ReadonlyMap<string, string> = new Map([
  ['clickToPay', WALLETS],
  ['createCheckout', 'the checkout is the one that the script was loaded with'],
  ['browser', 'there is no authentication by 3-D Secure yet'],
  ['forceCardHolderEqualsBillingName', 'there are no fields for a name beside the address'],
  ['showTaxNumberField', 'there is no such field yet'],
  ['spinner', 'the button says by itself that something is under way'],
  ['session', 'there is no session but the checkout'],
  ['useSummaryPage', 'there is no summary before the payment yet'],
  ['total', 'the button does not show the amount yet'],
  ['onSubmit', 'onBeforeSubmitCard and onAfterSubmit are called'],
  ['onDetectBin', 'no digit of a card is told to the page'],
  ['onSaveTransactionData', 'the page is told nothing of the payment but the way to its result'],
]);
