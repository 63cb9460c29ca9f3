/** Shoppers do not wait for longer for a button. */
const LOADED_WITHIN_MS = 20_000;

/**
 * Loads the script of a provider, which is the only thing on a page that is not the gateway's. It changes
 * when its provider likes, so there is no hash to check it by; it has nothing of the card forms, whose
 * digits are in frames. Rejects where it does not come.
 */
export function loadProviderScript(address: string, nonce: string): Promise<void> {
  const script = document.createElement('script');
  script.src = address;
  script.async = true;
  if (nonce !== '') script.nonce = nonce;
  const loaded = new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`${address} cannot be loaded.`));
    script.onload = () => resolve();
    script.onerror = fail;
    setTimeout(fail, LOADED_WITHIN_MS);
  });
  document.head.append(script);
  return loaded.catch((error: unknown) => {
    script.remove();
    throw error;
  });
}
