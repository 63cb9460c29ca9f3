import { amountOf } from '../amounts.js';
import { html, type Html } from '../html.js';
import { type Line, totalCents } from '../order.js';
import type { Print } from '../prints.js';

/** As prices are written. */
export function price(cents: number): string {
  return `€${amountOf(cents)}`;
}

/** A print as it hangs on a wall. */
export function picture({ id, picture: alt }: Print, loading = ''): Html {
  return html`<img
    class="print"
    src="/prints/${id}.svg"
    width="400"
    height="500"
    alt="${alt}"
    ${loading}
  />`;
}

/** What an order or a basket comes to, beside a form. */
export function summary(lines: readonly Line[]): Html {
  return html`<section class="summary" aria-labelledby="summary">
    <h2 id="summary">Your order</h2>
    <ul>
      ${lines.map(
        ({ print, quantity }) =>
          html`<li>
            <img src="/prints/${print.id}.svg" width="40" height="50" alt="" />
            <span>${print.name}${quantity === 1 ? '' : ` × ${quantity}`}</span>
            <span class="price">${price(print.priceCents * quantity)}</span>
          </li>`,
      )}
    </ul>
    <p class="total"><span>Total</span> <b class="price">${price(totalCents(lines))}</b></p>
    <p class="small">Delivery and tax are included.</p>
  </section>`;
}
