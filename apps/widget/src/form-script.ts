import type { AccountFormKind } from './account-form-kind.js';

/** The script element by which one of the further forms comes. */
export type FormScript = HTMLScriptElement & { sluiceTake?: (kind: AccountFormKind) => void };

/** Hands a form to the widget that has asked for it: what runs must be the script with that form. */
export function offerForm(kind: AccountFormKind): void {
  (document.currentScript as FormScript | null)?.sluiceTake?.(kind);
}
