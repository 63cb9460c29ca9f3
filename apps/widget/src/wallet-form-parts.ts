import type { LentParts } from './lent-parts.js';
import type { PaymentForm, PaymentFormParts } from './payment-form.js';

/** The forms of wallets by the names of their options and parameters, each with a script of its own. */
export const walletFormOf: ReadonlyMap<string, WalletFormName> = new Map([
  ['APPLEPAY', 'applePay'],
  ['GOOGLEPAY', 'googlePay'],
  ['CLICK_TO_PAY', 'clickToPay'],
]);
export type WalletFormName = 'applePay' | 'googlePay' | 'clickToPay';

/** Whether a form is that of a wallet. */
export function isOfWallet(kind: string): kind is WalletFormName {
  return [...walletFormOf.values()].some((name) => name === kind);
}

/** What the form of a wallet is made with. */
export interface WalletFormParts extends PaymentFormParts, LentParts {
  readonly brand: string;
  /** Of the page's script, for scripts that are added to the page. */
  readonly nonce: string;
}

/** What the script of a wallet hands to the widget. */
export type MakeWalletForm = (parts: WalletFormParts) => PaymentForm;
