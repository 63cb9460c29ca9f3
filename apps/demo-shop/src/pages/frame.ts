import { type Html, html } from '../html.js';

/** What a page is about. */
export interface Body {
  readonly title: string;
  readonly main: Html;
  /** Of `main`, for its layout. */
  readonly kind?: string;
}

const WAVES = html`<svg class="waves" viewBox="0 0 48 24" aria-hidden="true">
  <path d="M1 8q5.75-7 11.5 0t11.5 0 11.5 0 11.5 0M1 18q5.75-7 11.5 0t11.5 0 11.5 0 11.5 0" />
</svg>`;

/** A page as a whole. */
export function framed({ title, main, kind = '' }: Body, prints: number, docs: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Millrace</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/shop.css" />
      </head>
      <body>
        <header class="top">
          <a class="name" href="/">${WAVES}Millrace</a>
          <nav aria-label="Shop">
            <a href="/cards">Saved cards</a>
            <a href="/basket">Basket${prints === 0 ? '' : html` <b class="count">${prints}</b>`}</a>
          </nav>
        </header>
        <main class="${kind}">${main}</main>
        <footer>
          <p>
            A demonstration by <a href="${docs}">Sluice</a>: no print is sent, and no card is
            charged.
          </p>
        </footer>
      </body>
    </html> `;
}
