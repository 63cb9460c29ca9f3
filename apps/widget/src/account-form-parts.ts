import type { AccountFormKind, AccountFormName } from './account-form-kind.js';
import type { LentParts, LentView } from './lent-parts.js';
import type { PaymentForm, PaymentFormParts } from './payment-form.js';

/** What a form that says an account is made with. */
export interface AccountFormParts extends PaymentFormParts, LentParts, LentView {
  readonly name: AccountFormName;
  readonly kind: AccountFormKind;
  readonly brand: string;
}

/** What the script that these forms have in common hands to the widget. */
export type MakeAccountForm = (parts: AccountFormParts) => PaymentForm;
