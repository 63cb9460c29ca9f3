import { createHash } from 'node:crypto';
import type { CheckoutPurpose } from '@sluice/contracts';
import { type CheckoutId, isCheckoutId } from '@sluice/identifiers';
import type { WidgetBundle } from './widget-files.js';

/** Which checkout a page loads the widget for. */
export interface WidgetCheckout {
  readonly id: CheckoutId;
  readonly purpose: CheckoutPurpose;
}

const REGISTRATION = '/registration';

/**
 * The checkout that `paymentWidgets.js?checkoutId=…` names, for a registration with a suffix (wire
 * contract 10); undefined for anything else. What else is in the query says nothing: pages add numbers
 * to it, so that nothing is taken from a cache.
 */
export function widgetCheckout(url: string): WidgetCheckout | undefined {
  const mark = url.indexOf('?');
  const named = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)).getAll('checkoutId');
  const [said, ...more] = named;
  if (said === undefined || more.length > 0) return undefined;
  const isRegistration = said.endsWith(REGISTRATION);
  const id = isRegistration ? said.slice(0, -REGISTRATION.length) : said;
  if (!isCheckoutId(id)) return undefined;
  return { id, purpose: isRegistration ? 'registration' : 'payment' };
}

/**
 * The script of one checkout: the same bytes for the same checkout and version. Nothing of the request is
 * in it but the id, whose letters cannot end a text (S-WEB-01).
 */
export function widgetScript(
  { loader, version, integrity }: Pick<WidgetBundle, 'loader' | 'version' | 'integrity'>,
  { id, purpose }: WidgetCheckout,
): string {
  const start = JSON.stringify({ id, purpose, version, integrity });
  return `(sluiceStart=>{${loader}})(${start});\n`;
}

/** The hash of a checkout's script, as a page's `integrity` has it (Interface 2.3). */
export function integrityOf(script: string): string {
  return `sha384-${createHash('sha384').update(script).digest('base64')}`;
}
