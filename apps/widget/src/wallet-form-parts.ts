import type { Language } from './languages.js';
import type { PaymentForm, PaymentFormParts } from './payment-form.js';
import type { PostedField } from './posted-fields.js';
import type { Sent } from './sent-answer.js';
import type { Submission, SubmittingForm } from './submission.js';

/** The forms of wallets by the names of their options and parameters, each with a script of its own. */
export const walletFormOf: ReadonlyMap<string, WalletFormName> = new Map([
  ['APPLEPAY', 'applePay'],
  ['GOOGLEPAY', 'googlePay'],
]);
export type WalletFormName = 'applePay' | 'googlePay';

/** What the form of a wallet is made with: what other forms have in the widget is lent to it. */
export interface WalletFormParts extends PaymentFormParts {
  readonly brand: string;
  /** Of the page's script, for scripts that are added to the page. */
  readonly nonce: string;
  readonly newContainer: (
    language: Language,
    id: string,
    ...classes: readonly string[]
  ) => HTMLDivElement;
  readonly newSubmission: (of: SubmittingForm) => Submission;
  readonly send: (address: URL, fields: readonly PostedField[]) => Promise<Sent>;
}

/** What the script of a wallet hands to the widget. */
export type MakeWalletForm = (parts: WalletFormParts) => PaymentForm;
