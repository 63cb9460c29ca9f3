import { formIntegrity } from './form-integrity.js';
import type { FormScript, LoadedForm, LoadedFormName, LoadedForms } from './form-script.js';

const FILES: Readonly<Record<LoadedFormName, string>> = {
  directDebit: 'form-direct-debit.js',
  virtualAccount: 'form-virtual-account.js',
  onlineTransfer: 'form-online-transfer.js',
  applePay: 'form-apple-pay.js',
  googlePay: 'form-google-pay.js',
  account: 'form-account.js',
  clickToPay: 'form-click-to-pay.js',
  stored: 'form-stored.js',
};

/**
 * Loads what is another thing in a form than in the others. Rejects where it does not come, or is not
 * what the widget was made with.
 */
export function loadedForm<Name extends LoadedFormName>(
  name: Name,
  { folder, nonce }: { readonly folder: string; readonly nonce: string },
): Promise<LoadedForms[Name]> {
  const file = FILES[name];
  const integrity = formIntegrity[file];
  if (integrity === undefined) return Promise.reject(new Error(`No hash of ${file} is known.`));
  const script: FormScript = document.createElement('script');
  script.src = folder + file;
  script.integrity = integrity;
  script.crossOrigin = 'anonymous';
  if (nonce !== '') script.nonce = nonce;
  const loaded = new Promise<LoadedForms[Name]>((resolve, reject) => {
    // The browser has checked that it is the script of this form.
    script.sluiceTake = resolve as (form: LoadedForm) => void;
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded.`));
  });
  document.head.append(script);
  return loaded.finally(() => script.remove());
}
