import type { AccountFormKind, AccountFormName } from './account-form-kind.js';
import type { MakeWalletForm, WalletFormName } from './wallet-form-parts.js';

/** The forms that have a script of their own. */
export type LoadedFormName = AccountFormName | WalletFormName;
/** What such a script has: the fields of a form, or a form of its own. */
export type LoadedForm = AccountFormKind | MakeWalletForm;

/** The script element by which one of the further forms comes. */
export type FormScript = HTMLScriptElement & { sluiceTake?: (form: LoadedForm) => void };

/** Hands a form to the widget that has asked for it: what runs must be the script with that form. */
export function offerForm(form: LoadedForm): void {
  (document.currentScript as FormScript | null)?.sluiceTake?.(form);
}
