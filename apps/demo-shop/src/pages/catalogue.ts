import { html } from '../html.js';
import { type Line, totalCents } from '../order.js';
import { type Print, prints } from '../prints.js';
import type { Body } from './frame.js';
import { picture, price } from './lines.js';

/** All prints. */
export function printsPage(): Body {
  return {
    title: 'Prints of moving water',
    kind: 'wall',
    main: html`<div class="opening">
        <h1>Prints of<br /><em>moving water</em></h1>
        <p>
          Six sheets, 40 by 50 centimetres, from a press beside a mill. Drawn once, printed slowly,
          and delivered flat.
        </p>
      </div>
      <ul class="prints">
        ${[...prints.values()].map(
          (print) =>
            html`<li>
              <a href="/prints/${print.id}">
                ${picture(print)}
                <span class="caption">
                  <span class="title">${print.name}</span>
                  <span class="price">${price(print.priceCents)}</span>
                </span>
              </a>
            </li>`,
        )}
      </ul>`,
  };
}

/** One print. */
export function printPage(print: Print): Body {
  return {
    title: print.name,
    kind: 'one',
    main: html`${picture(print)}
      <div class="about">
        <h1>${print.name}</h1>
        <p class="price">${price(print.priceCents)}</p>
        <p class="words">${print.words}</p>
        <form method="post" action="/basket">
          <input type="hidden" name="print" value="${print.id}" />
          <button>Add to basket</button>
        </form>
        <dl>
          <dt>Sheet</dt>
          <dd>40 × 50 cm</dd>
          <dt>Paper</dt>
          <dd>Cotton, 300 g</dd>
          <dt>Delivery</dt>
          <dd>Included, within a week</dd>
        </dl>
      </div>`,
  };
}

/** What is in the basket. */
export function basketPage(lines: readonly Line[]): Body {
  const title = 'Basket';
  if (lines.length === 0) {
    return {
      title,
      kind: 'narrow',
      main: html`<h1>Your basket is empty</h1>
        <p class="words">There are six prints to put in it.</p>
        <p><a class="button" href="/">See the prints</a></p>`,
    };
  }
  return {
    title,
    kind: 'narrow',
    main: html`<h1>Basket</h1>
      <ul class="lines">
        ${lines.map(
          ({ print, quantity }) =>
            html`<li>
              <img src="/prints/${print.id}.svg" width="80" height="100" alt="" />
              <div>
                <a class="title" href="/prints/${print.id}">${print.name}</a>
                <form class="quantity" method="post" action="/basket">
                  <input type="hidden" name="print" value="${print.id}" />
                  <button
                    name="quantity"
                    value="${quantity - 1}"
                    aria-label="One ${print.name} less"
                  >
                    −
                  </button>
                  <span>${quantity}</span>
                  <button
                    name="quantity"
                    value="${quantity + 1}"
                    aria-label="One ${print.name} more"
                  >
                    +
                  </button>
                </form>
              </div>
              <span class="price">${price(print.priceCents * quantity)}</span>
            </li>`,
        )}
      </ul>
      <p class="total"><span>Total</span> <b class="price">${price(totalCents(lines))}</b></p>
      <p><a class="button wide" href="/checkout">Checkout</a></p>`,
  };
}
