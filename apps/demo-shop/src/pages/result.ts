import { html, type Html } from '../html.js';
import { NOT_THERE, type Order } from '../order.js';
import type { Body } from './frame.js';
import { price, summary } from './lines.js';

/** What has become of an order, in plain words. */
export function resultPage(order: Order): Body {
  const { title, words, next } = told(order);
  return {
    title,
    kind: `two result ${order.outcome.kind}`,
    main: html`<div>
        <h1>${title}</h1>
        <p class="words">${words}</p>
        ${next}
      </div>
      ${summary(order.lines)}`,
  };
}

interface Told {
  readonly title: string;
  readonly words: string;
  readonly next: Html;
}

function told({ id, outcome, totalCents, details }: Order): Told {
  const email = details['customer.email'] ?? '';
  switch (outcome.kind) {
    case 'approved':
      return {
        title: 'Thank you',
        words: `Your payment of ${price(totalCents)} was approved. We would write to ${email} now, and pack.`,
        next: html`<dl>
            <dt>Receipt</dt>
            <dd>${outcome.receipt}</dd>
            <dt>Order</dt>
            <dd>${id.slice(0, 13)}</dd>
          </dl>
          <p><a class="button" href="/">See the prints</a></p>`,
      };
    case 'declined':
      return {
        title: 'The payment was declined',
        words: `${advice(outcome.code)} Nothing was charged, and your basket is as it was.`,
        next: html`<p><a class="button" href="/checkout">Try another card</a></p>
          <p class="small">Code ${outcome.code}</p>`,
      };
    case 'pending':
    case 'open':
      return {
        title: 'Your payment is being confirmed',
        words:
          'The bank has not answered yet. Do not pay again: your order is safe, and this page says how it stands whenever you open it.',
        next: html`<p><a class="button" href="/orders/${id}">Check again</a></p>`,
      };
  }
}

/** What a shopper can do. Say no more: whoever tries stolen cards learns from it. */
function advice(code: string): string {
  if (code === NOT_THERE) return 'The time for this payment is over.';
  if (code.startsWith('100.150.')) return 'This card is not saved any more.';
  if (code.startsWith('100.100.')) return 'The card was not accepted: check its number and date.';
  return 'Use another card, or ask your bank about this one.';
}
