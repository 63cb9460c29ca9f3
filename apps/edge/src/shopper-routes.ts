import type { Redirect, ShopperAnswer, ShopperQuery } from '@sluice/contracts';
import { html, plainPage, type PlainPage } from '@sluice/html';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from './answer.js';
import { countedAddress } from './client-address.js';
import type { QueryClient } from './query-client.js';
import type { RefusalLimit } from './refusal-limit.js';
import { checkoutResultUrl, resultUrl } from './shopper-addresses.js';

interface PaymentId {
  readonly Params: { readonly id: string };
}

/** How often an address may name payments that there are not: each costs a look into the store. */
type Guesses = Pick<RefusalLimit, 'isReached' | 'refused'>;

type Step = 'redirect' | 'shopperReturn';

/**
 * The way of a shopper's browser (wire contract 5). It has no access, so it is told where to go next and
 * nothing else; what it says of the payment is not read.
 *
 * - `GET` and `POST /redirects/{id}`: to the acquirer, or to the merchant once all is decided.
 * - `GET` and `POST /redirects/{id}/return`: from the acquirer, who is asked what became of the payment, to
 *   the merchant's `shopperResultUrl` with `id` and `resourcePath`.
 */
export function shopperRoutes(
  queries: () => Pick<QueryClient, 'ask'>,
  guesses: Guesses,
): FastifyPluginCallback {
  const serve = async (
    step: Step,
    { params: { id }, ip, headers }: FastifyRequest<PaymentId>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const address = countedAddress(ip);
    if (!isTransactionId(id)) return send(reply.code(404), NO_PAYMENT);
    if (guesses.isReached(address)) return send(reply.code(503), TRY_AGAIN);
    let answer: ShopperAnswer;
    try {
      const query: ShopperQuery = { transactionId: id };
      answer = await queries().ask<ShopperAnswer>('payments', `payments.${step}`, query);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return send(reply.code(503), TRY_AGAIN);
    }
    if (isEmpty(answer)) guesses.refused(address);
    const isFramed = headers['sec-fetch-dest'] === 'iframe';
    return onward(reply, id, { step, isFramed }, answer);
  };
  return (server, _options, done) => {
    server.get<PaymentId>('/redirects/:id', (request, reply) => serve('redirect', request, reply));
    // Clients send browsers by GET or POST (wire contract 5); who goes back then sends no form again.
    server.post<PaymentId>('/redirects/:id', ({ params: { id } }, reply) =>
      // Anything else might lead to another site.
      isTransactionId(id) ? seeOther(reply, id) : send(reply.code(404), NO_PAYMENT),
    );
    for (const method of ['GET', 'POST'] as const) {
      server.route<PaymentId>({
        ...{ method, url: '/redirects/:id/return' },
        handler: (request, reply) => serve('shopperReturn', request, reply),
      });
    }
    done();
  };
}

function isEmpty({ redirect, shopperResultUrl }: ShopperAnswer): boolean {
  return redirect === undefined && shopperResultUrl === undefined;
}

function onward(
  reply: FastifyReply,
  id: TransactionId,
  { step, isFramed }: { readonly step: Step; readonly isFramed: boolean },
  { redirect, shopperResultUrl, checkoutId }: ShopperAnswer,
): FastifyReply {
  if (step === 'redirect' && redirect !== undefined) return toAcquirer(reply, redirect);
  if (shopperResultUrl !== undefined) {
    const url =
      checkoutId === undefined
        ? resultUrl(shopperResultUrl, id)
        : checkoutResultUrl(shopperResultUrl, checkoutId, 'payment');
    return isFramed && /^https?:/i.test(url)
      ? send(reply, backFromFrame(url))
      : seeOther(reply, url);
  }
  return redirect === undefined ? send(reply.code(404), NO_PAYMENT) : send(reply, BACK_BY_HAND);
}

function toAcquirer(reply: FastifyReply, { url, method, parameters }: Redirect): FastifyReply {
  if (method === 'POST') return send(reply, formTo(url, parameters));
  const address = new URL(url);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.append(name, value);
  return seeOther(reply, address.href);
}

/** By GET, whatever the browser came with; it tells nobody where it was. */
function seeOther(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(url, 303);
}

function send(reply: FastifyReply, { body, headers }: PlainPage): FastifyReply {
  return reply.headers(headers).send(body);
}

const SUBMIT = 'document.forms[0].submit()';

/** Goes on by itself; without JavaScript, by a button. */
function formTo(url: string, parameters: Redirect['parameters']): PlainPage {
  const fields = Object.entries(parameters).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return plainPage({
    title: 'On to your bank',
    main: html`<p>Your payment goes on at ${new URL(url).host}.</p>
      <form method="post" action="${url}">
        ${fields}
        <button class="main">Continue</button>
      </form>`,
    script: SUBMIT,
    isFramed: true,
  });
}

/** What the widget calls the frame that it shows a bank in begins so (page 0065). */
const LEAVE_FRAME = `const { href } = document.links[0];
const goOn = () => location.replace(href);
if (name.startsWith('wpwl-target-')) {
  parent.postMessage({ kind: 'returned', url: href }, '*');
  setTimeout(goOn, 3000);
} else goOn();`;

/**
 * From the frame of a page to the shop: a widget that has made the frame goes on in its own window, because
 * what is paid is read once, and not by a page inside of another one. In any other frame it is as without it.
 */
function backFromFrame(url: string): PlainPage {
  return plainPage({
    title: 'Back to the shop',
    main: html`<p><a class="button main" href="${url}" target="_parent">Continue</a></p>`,
    script: LEAVE_FRAME,
    isFramed: true,
  });
}

const NO_PAYMENT = plainPage({
  title: 'There is no such payment',
  main: html`<p>The address is wrong, or nothing is left to do here. Go back to the shop.</p>`,
  isFramed: true,
});
const BACK_BY_HAND = plainPage({
  title: 'You are done here',
  main: html`<p>You can close this page and go back to the shop.</p>`,
  isFramed: true,
});
const TRY_AGAIN = plainPage({
  title: 'Please try again in a moment',
  main: html`<p>
    We cannot look up your payment right now. Nothing is lost: load this page again.
  </p>`,
  isFramed: true,
});
