import { countries, type Field, fields } from '../details.js';
import { html, type Html } from '../html.js';
import type { Line, Order } from '../order.js';
import type { Body } from './frame.js';
import { price, summary } from './lines.js';

/** The form for the address. */
interface CheckoutForm {
  readonly lines: readonly Line[];
  /** Whether some are kept for this shopper, which the gateway's form offers. */
  readonly hasCards: boolean;
  /** As it was sent, or what is chosen beforehand. */
  readonly form: URLSearchParams;
  /** The names of what is wrong in it. */
  readonly faults: readonly string[];
}

/** Asks who it is for, and whether the card is to be kept. */
export function checkoutPage({ lines, hasCards, form, faults }: CheckoutForm): Body {
  const country = form.get('billing.country') ?? 'DE';
  return {
    title: 'Checkout',
    kind: 'two',
    main: html`<form class="details" method="post" action="/checkout">
        <h1>Checkout</h1>
        ${faults.length === 0 ? '' : html`<p class="fault" role="alert">${faultText(faults)}</p>`}
        <fieldset>
          <legend>Who is it for?</legend>
          ${fields.map((field) => input(field, form, faults))}
          <label>
            <span>Country</span>
            <select name="billing.country" autocomplete="country">
              ${[...countries].map(
                ([code, name]) =>
                  html`<option value="${code}" ${code === country ? 'selected' : ''}>
                    ${name}
                  </option>`,
              )}
            </select>
          </label>
        </fieldset>
        ${payment(hasCards, form)}
        <button class="wide">Continue</button>
      </form>
      ${summary(lines)}`,
  };
}

function input(field: Field, form: URLSearchParams, faults: readonly string[]): Html {
  const { name, label, autocomplete, type = 'text', charactersMax, isHalf } = field;
  return html`<label class="${isHalf === true ? 'half' : ''}">
    <span>${label}</span>
    <input
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      maxlength="${charactersMax}"
      value="${form.get(name) ?? ''}"
      required
      ${faults.includes(name) ? 'aria-invalid=true' : ''}
    />
  </label>`;
}

function faultText(faults: readonly string[]): string {
  const wrong = fields.filter(({ name }) => faults.includes(name)).map(({ label }) => label);
  if (wrong.length === 0) return 'The payment cannot be prepared. Nothing was charged.';
  return `Please look again at: ${wrong.join(', ')}.`;
}

/** The card itself is chosen, or typed, in the form of the gateway. */
function payment(hasCards: boolean, form: URLSearchParams): Html {
  const [where, keep] = hasCards
    ? [
        'You choose a saved card or enter another one on the next page.',
        'Save it for next time, if it is another one',
      ]
    : ['You enter it on the next page.', 'Save the card for next time'];
  return html`<fieldset>
    <legend>With which card?</legend>
    <p class="small">${where}</p>
    <label class="choice">
      <input type="checkbox" name="keepsCard" ${form.has('keepsCard') ? 'checked' : ''} />
      <span>${keep}</span>
    </label>
  </fieldset>`;
}

const CARDS = 'VISA MASTER AMEX';
/** What they tell of a card is for one payment, so they are not for a card that is to be kept. */
const WALLETS = 'APPLEPAY GOOGLEPAY CLICK_TO_PAY';

/**
 * The gateway's form is put where the element with the class `paymentWidgets` is, and before it the form for
 * the cards that were kept.
 */
export function payPage(
  order: Order,
  { script, integrity }: { readonly script: string; readonly integrity: string },
): Body {
  const total = price(order.totalCents);
  const brands = order.keepsCard ? CARDS : `${CARDS} ${WALLETS}`;
  return {
    title: 'Payment',
    kind: 'two pay',
    main: html`<div class="card-form">
        <h1>Payment</h1>
        <script
          src="/pay.js"
          data-submit="Pay ${total}"
          data-email="${order.details['customer.email'] ?? ''}"
          ${order.keepsCard ? '' : 'data-wallets=Millrace'}
        ></script>
        <script src="${script}" integrity="${integrity}" crossorigin="anonymous"></script>
        <form class="paymentWidgets" action="/orders/${order.id}" data-brands="${brands}"></form>
        <noscript>
          <p class="fault">The payment form needs JavaScript.</p>
        </noscript>
        <p class="small">
          Number and security code are typed into frames of the gateway. The shop never has them.
        </p>
      </div>
      <aside>${testCards()} ${summary(order.lines)}</aside>`,
  };
}

const COPY = html`<svg viewBox="0 0 16 16" aria-hidden="true">
  <path d="M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1" />
</svg>`;

/** What to type into it in a sandbox. */
function testCards(): Html {
  const copied = (label: string, text: string, shown = text): Html =>
    html`<dt>${label}</dt>
      <dd>
        <button type="button" class="copy" data-copy="${text}" aria-label="Copy ${shown}">
          <code>${shown}</code>${COPY}
        </button>
      </dd>`;
  return html`<section class="tests" aria-labelledby="tests">
    <h2 id="tests">A card to try</h2>
    <dl>
      ${copied('Number', '4200000000000000', '4200 0000 0000 0000')}
      <dt>Expiry</dt>
      <dd><code>05 / 34</code></dd>
      <dt>Code</dt>
      <dd><code>123</code></dd>
    </dl>
    <p class="small">The name decides what the bank says:</p>
    <dl>
      ${copied('Approved', 'Jane Jones')} ${copied('Declined', '800.100.152')}
      ${copied('Pending', '100.400.500')}
    </dl>
  </section>`;
}
