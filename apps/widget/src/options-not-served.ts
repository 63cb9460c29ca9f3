const WALLETS = 'wallets come later';

/** The options of the interface family that have no effect yet, each with the reason that shops read. */
export const notServed: ReadonlyMap<string, string> = new Map([
  ['clickToPay', WALLETS],
  ['createCheckout', 'the checkout is that of the script'],
  ['session', 'no client shows what it asks for, and there is no session but the checkout'],
]);
