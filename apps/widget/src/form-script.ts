import type { AccountFormKind, AccountFormName } from './account-form-kind.js';
import type { MakeStoredForm } from './stored-form-parts.js';
import type { MakeWalletForm, WalletFormName } from './wallet-form-parts.js';

/** What the scripts of the further forms have, by form: its fields, or a form of its own. */
export type LoadedForms = Readonly<Record<AccountFormName, AccountFormKind>> &
  Readonly<Record<WalletFormName, MakeWalletForm>> & { readonly stored: MakeStoredForm };

/** The forms that have a script of their own. */
export type LoadedFormName = keyof LoadedForms;
/** What such a script has. */
export type LoadedForm = LoadedForms[LoadedFormName];

/** The script element by which one of the further forms comes. */
export type FormScript = HTMLScriptElement & { sluiceTake?: (form: LoadedForm) => void };

/** Hands a form to the widget that has asked for it: what runs must be the script with that form. */
export function offerForm(form: LoadedForm): void {
  (document.currentScript as FormScript | null)?.sluiceTake?.(form);
}
