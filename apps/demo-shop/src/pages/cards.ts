import { html } from '../html.js';
import type { KeptCard } from '../kept-cards.js';
import type { Body } from './frame.js';

const BRANDS: ReadonlyMap<string, string> = new Map([
  ['VISA', 'Visa'],
  ['MASTER', 'Mastercard'],
  ['AMEX', 'American Express'],
]);

/** A card in one line. */
function cardName({ brand, last4Digits }: KeptCard): string {
  return `${BRANDS.get(brand) ?? brand} ending in ${last4Digits}`;
}

/** The cards that were kept. */
export function cardsPage(cards: readonly KeptCard[]): Body {
  const title = 'Saved cards';
  if (cards.length === 0) {
    return {
      title,
      kind: 'narrow',
      main: html`<h1>No card is saved</h1>
        <p class="words">
          Choose “Save the card for next time” at the checkout, and it will be here afterwards.
        </p>
        <p><a class="button" href="/">See the prints</a></p>`,
    };
  }
  return {
    title,
    kind: 'narrow',
    main: html`<h1>Saved cards</h1>
      <ul class="cards">
        ${cards.map(
          (card) =>
            html`<li>
              <span class="brand">${BRANDS.get(card.brand) ?? card.brand}</span>
              <span class="digits"
                ><span aria-hidden="true">••••</span>
                <span class="unseen">ending in</span> ${card.last4Digits}</span
              >
              <span class="expiry">Expires ${card.expiryMonth}/${card.expiryYear.slice(-2)}</span>
              <span class="acts">
                <form method="post" action="/cards/${card.id}/remove">
                  <button class="plain" aria-label="Remove ${cardName(card)}">Remove</button>
                </form>
              </span>
            </li>`,
        )}
      </ul>
      <p class="small">
        They are offered when you pay. The gateway has the numbers; the shop only knows which cards
        are yours.
      </p>`,
  };
}
