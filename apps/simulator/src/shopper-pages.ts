import { Html, html, plainPage, type PlainPage } from '@sluice/html';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import type { Book, BookedTransaction, PageOfShopper, ShownPage } from './book.js';
import { type Choice, choices, type ShopperMode } from './shopper-visit.js';

const TOKEN = /^S[0-9]{12}-[0-9a-f]{32}$/;

/** Where its pages are below the address of a server. */
export const PAGES_PATH = '/pages';
/** Behind the address of a page: what a frame of the merchant's page loads before. */
export const PRECONDITION = 'precondition';

interface Token {
  readonly Params: { readonly token: string };
}

/** The choices in words; the third is a bank that decides overnight, the last leads nowhere. */
const BUTTONS: readonly (readonly [choice: Choice, text: string])[] = [
  ['approve', 'Pay'],
  ['approve-later', 'Pay, to be confirmed later'],
  ['decline', 'Let it be declined'],
  ['cancel', 'Cancel'],
];
/** Beside a choice: the browser does not go back, as if the way back were lost. */
const UNNOTICED = 'unnoticed';

/**
 * The pages on which shoppers decide about payments: of a bank, or of the provider of an account. They
 * play both sides, so a button says what comes of it.
 *
 * - `GET` and `POST /pages/{token}`: the page; gateways send browsers either way.
 * - `POST /pages/{token}/precondition`: what the merchant's page loads before, if it was told to.
 * - `POST /pages/{token}/{choice}`: what the shopper chose; the browser goes back to the gateway.
 * - `POST /pages/{token}/{choice}/unnoticed`: the same, and the browser stays.
 */
export function shopperPages(book: Book): FastifyPluginCallback {
  return (server, _options, done) => {
    const show = async (token: string, reply: FastifyReply): Promise<FastifyReply> => {
      const shown = await book.page(token);
      return shown ? send(reply, pageOf(shown)) : send(reply.code(404), NO_PAGE);
    };
    const url = `${PAGES_PATH}/:token`;
    server.get<Token>(url, (request, reply) => show(request.params.token, reply));
    // So that going back and loading it again asks nobody to send a form twice.
    server.post<Token>(url, ({ params: { token } }, reply) =>
      // Anything else might lead to another site.
      TOKEN.test(token) ? reply.redirect(token, 303) : send(reply.code(404), NO_PAGE),
    );
    server.post<Token>(`${url}/${PRECONDITION}`, async ({ params: { token } }, reply) => {
      const shown = await book.page(token);
      return shown?.page.hasPrecondition === true
        ? send(reply, LOADED)
        : send(reply.code(404), NO_PAGE);
    });
    for (const choice of choices) {
      const chosen = `${url}/${choice}`;
      server.post<Token>(chosen, async (request, reply) => {
        const shown = await book.choose(request.params.token, choice);
        if (shown === undefined) return send(reply.code(404), NO_PAGE);
        return reply.redirect(shown.page.returnUrl, 303);
      });
      server.post<Token>(`${chosen}/${UNNOTICED}`, async (request, reply) => {
        const shown = await book.choose(request.params.token, choice);
        return shown ? send(reply, unnoticed(shown)) : send(reply.code(404), NO_PAGE);
      });
    }
    done();
  };
}

function send(reply: FastifyReply, { body, headers }: PlainPage): FastifyReply {
  return reply.headers(headers).send(body);
}

const NO_PAGE = plainPage({
  title: 'There is no such payment',
  main: html`<p>The address is wrong, or it belongs to another simulator.</p>`,
});

const LOADED = plainPage({
  title: 'Loaded',
  main: html`<p>The page around this one may send the shopper on.</p>`,
  isFramed: true,
});

function pageOf(shown: ShownPage): PlainPage {
  const { page, booked, isOpen } = shown;
  const main = isOpen ? choiceForm(page) : goBack(page, booked);
  return plainPage({ title: titleOf(page), main: html`${facts(booked, page)} ${main}` });
}

function titleOf({ kind, brand }: PageOfShopper): string {
  const name = kind === 'bank' ? 'Test bank' : 'Test provider';
  return brand === undefined ? name : `${name}: ${brand}`;
}

function facts({ amount, currency, transactionId }: BookedTransaction, page: PageOfShopper): Html {
  const shop = new URL(page.returnUrl).host;
  return html`<dl>
    <dt>Amount</dt>
    <dd>${amount} ${currency}</dd>
    <dt>Paid through</dt>
    <dd>${shop}</dd>
    <dt>Reference</dt>
    <dd>${transactionId}</dd>
    ${
      page.mode === undefined
        ? []
        : html`<dt>Asked by</dt>
            <dd>${MODE_TEXTS[page.mode]}</dd>`
    }
    ${
      page.mobileEnding === undefined
        ? []
        : html`<dt>Mobile number</dt>
            <dd>•••• ${page.mobileEnding}</dd>`
    }
  </dl>`;
}

const MODE_TEXTS: Readonly<Record<ShopperMode, string>> = {
  qrcode: 'a QR code on this page',
  mobile: 'a message to the mobile number',
};

/** Addresses relative to the page's own, wherever it is served. */
function choiceForm({ token }: PageOfShopper): Html {
  const button = ([choice, text]: (typeof BUTTONS)[number]): Html =>
    html`<button
      ${choice === 'approve' ? new Html('class="main"') : ''}
      formaction="${token}/${choice}"
    >
      ${text}
    </button>`;
  return html`<p>This page is of a simulator: no money moves.</p>
    <form method="post" action="${token}/approve">
      ${BUTTONS.map(button)}
      <button formaction="${token}/approve/${UNNOTICED}">
        Pay, and lose the way back to the shop
      </button>
    </form>
    <p>Closing this page without a choice abandons the payment.</p>`;
}

function goBack({ returnUrl }: PageOfShopper, { status }: BookedTransaction): Html {
  return html`<p>${CLOSED_TEXTS[status]}</p>
    <p><a class="button main" href="${returnUrl}">Back to the shop</a></p>`;
}

const CLOSED_TEXTS: Readonly<Record<BookedTransaction['status'], string>> = {
  approved: 'This payment is made.',
  pending: 'This payment will be confirmed later.',
  declined: 'This payment is closed: nothing was paid.',
  reversed: 'This payment was made and taken back: nothing was paid.',
};

function unnoticed({ page, booked }: ShownPage): PlainPage {
  return plainPage({
    title: titleOf(page),
    main: html`${facts(booked, page)}
      <p>${CLOSED_TEXTS[booked.status]} The shop has not been told: you can close this page.</p>`,
  });
}
