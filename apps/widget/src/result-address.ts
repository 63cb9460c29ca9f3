/** What a checkout completes. */
export type Purpose = 'payment' | 'registration';

/** Which checkout it is. */
export interface CheckoutInBrowser {
  readonly id: string;
  readonly purpose: Purpose;
}

/**
 * Where the shopper goes once it is decided: the shop's address with `id` and `resourcePath`, as the
 * server says it where the merchant has named the address (wire contract 5).
 */
export function resultAddress(
  shopperResultUrl: string,
  { id, purpose }: CheckoutInBrowser,
): string {
  const [address = '', ...fragment] = new URL(shopperResultUrl).href.split('#');
  const path = encodeURIComponent(`/v1/checkouts/${id}/${purpose}`);
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [`${address}${joint}id=${id}&resourcePath=${path}`, ...fragment].join('#');
}

const RUNNING = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:'];

/** Whether an address leads somewhere, of the web or of an app, and runs nothing here. */
export function isAddress(text: string): boolean {
  return URL.canParse(text) && !RUNNING.includes(new URL(text).protocol);
}
