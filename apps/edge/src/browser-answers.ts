import { type Html, html, plainPage } from '@sluice/html';
import { COMPLETION_FIELDS, type Form } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './answer.js';
import { NO_PAYMENT_SESSION } from './refusals.js';

/**
 * Whether a browser shows what is answered in its window: by what it says of the request, or, if it is too
 * old to say so, by what it would rather have.
 */
export function isNavigation({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? /^\s*text\/html\b/i.test(headers.accept ?? '') : mode === 'navigate';
}

/** What a page is made of beside the answer. */
export interface Sent {
  /** By which the same is asked for again. */
  readonly form?: Form;
  /** Where the shop is that the shopper came from. */
  readonly backUrl?: string | undefined;
}

/**
 * Sends a shopper's browser where the answer says, or shows in a few words what is to be done (page 0068).
 * It tells nobody where it was.
 */
export function sendToBrowser(reply: FastifyReply, answer: Answer, sent: Sent = {}): void {
  const address = addressIn(answer);
  if (address !== undefined) {
    const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
    void reply.headers(headers).redirect(address, SEE_OTHER);
    return;
  }
  const { title, main } = wordsOf(answer, sent);
  const { body, headers } = plainPage({ title, main: withWayBack(main, sent), isFramed: true });
  void reply.code(answer.status).headers(headers).send(body);
}

const SEE_OTHER = 303;

/** To another site by GET alone: ours goes on there as it has to be. */
function addressIn({ body }: Answer): string | undefined {
  const { redirect } = JSON.parse(body) as {
    readonly redirect?: { readonly url: string; readonly method: string };
  };
  return redirect?.method === 'GET' ? redirect.url : undefined;
}

/** Merchants' addresses are of the web or of a registered app (S-RED-01). */
function withWayBack(main: Html, { backUrl }: Sent): Html {
  return backUrl === undefined
    ? main
    : html`${main}
        <p><a class="button" href="${backUrl}">Back to the shop</a></p>`;
}

interface Words {
  readonly title: string;
  readonly main: Html;
}

function wordsOf({ status, resultCode, body }: Answer, { form }: Sent): Words {
  if (status >= SERVER_ERROR || resultCode === codes.busy) return tryAgain(form);
  if (status < FAILED) return DONE;
  const { result } = JSON.parse(body) as { readonly result: RefusedResult };
  if (resultCode === codes.tooManyRequests) return TOO_OFTEN;
  if (resultCode !== codes.invalidParameter) return NOT_PAID;
  if (result.description === NO_PAYMENT_SESSION.description) return NOTHING_LEFT;
  const isOther = result.parameterErrors?.some(({ name }) => COMPLETION_FIELDS.includes(name));
  return isOther === true ? OTHERWISE : NOTHING_TYPED;
}

interface RefusedResult {
  readonly description: string;
  readonly parameterErrors?: readonly { readonly name: string }[];
}

const FAILED = 400;
const SERVER_ERROR = 500;

/** What was shown goes along: what has changed meanwhile is not paid by the second press either. */
function tryAgain(form: Form | undefined): Words {
  const fields = COMPLETION_FIELDS.flatMap((name) => {
    const value = form?.get(name);
    return value === undefined
      ? []
      : [html`<input type="hidden" name="${name}" value="${value}" />`];
  });
  return {
    title: 'Please try again in a moment',
    main: html`<p>We cannot take your payment right now. However often you try, you pay once.</p>
      <form method="post">
        ${fields}
        <button class="main">Try again</button>
      </form>`,
  };
}
const OTHERWISE: Words = {
  title: 'Your order has changed',
  main: html`<p>
    Nothing was paid, because the amount or what you pay with is not what you were shown. Go back to
    the shop and look again.
  </p>`,
};
const DONE: Words = {
  title: 'You are done here',
  main: html`<p>You can close this page and go back to the shop.</p>`,
};
const TOO_OFTEN: Words = {
  title: 'This payment is not tried any more',
  main: html`<p>It was tried too often. Go back to the shop and order again.</p>`,
};
const NOT_PAID: Words = {
  title: 'Your payment was not made',
  main: html`<p>Go back to the shop, and pay there again or in another way.</p>`,
};
const NOTHING_LEFT: Words = {
  title: 'Nothing is left to pay here',
  main: html`<p>You have paid, or too much time has passed. Go back to the shop to see which.</p>`,
};
const NOTHING_TYPED: Words = {
  title: 'We do not know what you pay with',
  main: html`<p>Nothing was paid. Go back to the shop, and say there again what you pay with.</p>`,
};
