import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { CheckoutToComplete, SavedForm } from '@sluice/contracts';
import type { CheckoutId, TransactionId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import { formText, type Parameters } from './http-client.js';
import { entityId, type ScriptedEdge } from './scripted-edge.js';

/** What the vault has of a card that was saved. */
export const SAVED_DETAILS = {
  ...{ 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
  'card.cvv': '123',
};
/** Where shoppers come back to. */
export const SHOP = 'https://shop.example/result';
const NAVIGATES = { 'sec-fetch-mode': 'navigate' };

/** A checkout that pays, as checkouts has it. */
export function payingCheckout(
  edge: ScriptedEdge,
  id: CheckoutId,
  changes: Partial<CheckoutToComplete> = {},
): CheckoutToComplete {
  const checkout: CheckoutToComplete = {
    ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL' },
    parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    personal: { shopperResultUrl: SHOP },
    endsAtMs: edge.clock.now() + 10 * 60_000,
    ...changes,
  };
  edge.script.toComplete = ({ checkoutId }) => (checkoutId === id ? checkout : undefined);
  return checkout;
}

/** Something that is saved already, as checkouts and the vault have it. */
export function savingIn(edge: ScriptedEdge, changes: Partial<SavedForm> = {}): SavedForm {
  const vaultReference = `vault-0.s${'9'.repeat(32)}`;
  const details = Object.entries(SAVED_DETAILS).map(
    ([name, value]) => [name, new Detail(value)] as const,
  );
  edge.savings.held.set(vaultReference, Object.fromEntries(details));
  return {
    ...{ id: 'e'.repeat(32) as TransactionId, vaultReference },
    fields: { 'card.holder': 'Jane Jones', paymentBrand: 'VISA' },
    details: Object.keys(SAVED_DETAILS),
    ...changes,
  };
}

/** As a browser sends the form of a page: what fetch says of itself cannot be changed. */
export async function navigateTo(
  url: string,
  { headers = NAVIGATES, fields }: { headers?: Record<string, string>; fields?: Parameters } = {},
) {
  const type = fields && { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = request(url, { method: 'POST', headers: { ...headers, ...type } });
  sent.end(fields && formText(fields));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { location, 'content-type': answered } = response.headers;
  return { status: response.statusCode, location, type: answered, text: await text(response) };
}
