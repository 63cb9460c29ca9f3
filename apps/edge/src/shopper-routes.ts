import type {
  MethodDoneAnswer,
  MethodDoneQuery,
  Redirect,
  ShopperAnswer,
  ShopperQuery,
} from '@sluice/contracts';
import type { PlainPage } from '@sluice/html';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from './answer.js';
import { countedAddress } from './client-address.js';
import type { QueryClient } from './query-client.js';
import type { RefusalLimit } from './refusal-limit.js';
import { TAKES_BODIES } from './route-access.js';
import { checkoutResultUrl, resultUrl } from './shopper-addresses.js';
import {
  addressOf,
  BACK_BY_HAND,
  backFromFrame,
  formTo,
  NO_PAYMENT,
  PREPARED,
  preparing,
  TRY_AGAIN,
  waiting,
} from './shopper-pages.js';

interface PaymentId {
  readonly Params: { readonly id: string };
}

/** How often an address may name payments that there are not: each costs a look into the store. */
type Guesses = Pick<RefusalLimit, 'isReached' | 'refused'>;

type Step = 'redirect' | 'shopperReturn';

/** A browser, where it is on its way. */
interface Visit {
  readonly id: TransactionId;
  readonly step: Step;
  readonly isFramed: boolean;
  /** How often it has come while somebody was asked. */
  readonly waits: number;
}

/** What a browser is shown, or the address that it goes to. */
type Next = PlainPage | string;

/** No message of an issuer is longer (EMV 3-D Secure: 75 kB), and what is longer wakes as well without it. */
const MESSAGE_CHARACTERS_MAX = 100_000;
/** A minute of pages that come again: who asks for longer does so without the browser. */
const WAITS_MAX = 30;

/**
 * The way of a shopper's browser (wire contract 5). It has no access, so it is told where to go next and
 * nothing else; what it says of the payment is not read.
 *
 * - `GET` and `POST /redirects/{id}`: to the acquirer or the issuer, or to the merchant once all is decided.
 * - `POST /redirects/{id}/method`: from an issuer that has looked at the browser in a hidden frame.
 * - `GET` and `POST /redirects/{id}/return`: from the acquirer or the issuer, who is asked what became of the
 *   payment, to the merchant's `shopperResultUrl` with `id` and `resourcePath`.
 */
export function shopperRoutes(
  queries: () => Pick<QueryClient, 'ask'>,
  guesses: Guesses,
): FastifyPluginCallback {
  /** Answers what `ask` finds out for an id that there may be, and counts those that there are not. */
  const guarded = async (
    { params: { id }, ip }: FastifyRequest<PaymentId>,
    reply: FastifyReply,
    ask: (id: TransactionId) => Promise<Next | undefined>,
  ): Promise<FastifyReply> => {
    const address = countedAddress(ip);
    if (!isTransactionId(id)) return send(reply.code(404), NO_PAYMENT);
    if (guesses.isReached(address)) return send(reply.code(503), TRY_AGAIN);
    const next = await ask(id).catch(tryAgain);
    if (typeof next === 'string') return seeOther(reply, next);
    if (next !== undefined) return send(next === TRY_AGAIN ? reply.code(503) : reply, next);
    guesses.refused(address);
    return send(reply.code(404), NO_PAYMENT);
  };
  const serve = (step: Step, request: FastifyRequest<PaymentId>, reply: FastifyReply) =>
    guarded(request, reply, async (id) => {
      const challengeResponse = step === 'shopperReturn' ? sentText(request, 'cres') : undefined;
      const query: ShopperQuery = {
        transactionId: id,
        ...(challengeResponse !== undefined && { challengeResponse }),
        ...(waitsOf(request) > 0 && { isPrepared: true }),
      };
      const answer = await queries().ask<ShopperAnswer>('payments', `payments.${step}`, query);
      const isFramed = request.headers['sec-fetch-dest'] === 'iframe';
      return onward({ id, step, isFramed, waits: waitsOf(request) }, answer);
    });
  const noteMethod = (request: FastifyRequest<PaymentId>, reply: FastifyReply) =>
    guarded(request, reply, async (authenticationId) => {
      const methodData = sentText(request, 'threeDSMethodData') ?? '';
      const query: MethodDoneQuery = { authenticationId, methodData };
      const { kind } = await queries().ask<MethodDoneAnswer>('risk', 'risk.methodDone', query);
      return kind === 'notFound' ? undefined : PREPARED;
    });
  return (server, _options, done) => {
    server.get<PaymentId>('/redirects/:id', (request, reply) => serve('redirect', request, reply));
    // Clients send browsers by GET or POST (wire contract 5); who goes back then sends no form again.
    server.post<PaymentId>('/redirects/:id', ({ params: { id } }, reply) =>
      // Anything else might lead to another site.
      isTransactionId(id) ? seeOther(reply, id) : send(reply.code(404), NO_PAYMENT),
    );
    for (const method of ['GET', 'POST'] as const) {
      server.route<PaymentId>({
        ...{ method, url: '/redirects/:id/return', config: TAKES_BODIES },
        handler: (request, reply) => serve('shopperReturn', request, reply),
      });
    }
    server.route<PaymentId>({
      ...{ method: 'POST', url: '/redirects/:id/method', config: TAKES_BODIES },
      handler: noteMethod,
    });
    done();
  };
}

/** Where nobody answers. */
function tryAgain(error: unknown): PlainPage {
  if (error instanceof Refused) return TRY_AGAIN;
  throw error;
}

/** What a form of an issuer has under a name; whatever stands in it is for others to read. */
function sentText({ body }: FastifyRequest, name: string): string | undefined {
  if (!(body instanceof Uint8Array)) return undefined;
  const text = new URLSearchParams(Buffer.from(body).toString()).get(name) ?? undefined;
  return text === undefined || text.length > MESSAGE_CHARACTERS_MAX ? undefined : text;
}

/** From a page of ours, or from whoever wants to wait for longer or shorter. */
function waitsOf({ url }: FastifyRequest): number {
  const waits = Number(new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('waits'));
  return Number.isInteger(waits) && waits >= 0 ? waits : 0;
}

/** Undefined where nothing is left to say. */
function onward(visit: Visit, answer: ShopperAnswer): Next | undefined {
  const { id, step, isFramed, waits } = visit;
  const { redirect, shopperResultUrl, checkoutId, isAsked, isDecided } = answer;
  if (step === 'redirect') {
    const page = pageMeanwhile(visit, answer);
    if (page !== undefined) return page;
    if (redirect !== undefined && !isOurs(redirect, id)) return toOther(redirect);
  }
  if (shopperResultUrl !== undefined) {
    const url =
      checkoutId === undefined
        ? resultUrl(shopperResultUrl, id)
        : checkoutResultUrl(shopperResultUrl, checkoutId, 'payment');
    return isFramed && /^https?:/i.test(url) ? backFromFrame(url) : url;
  }
  // Who has paid is never told that there is no such payment.
  if (isDecided === true) return BACK_BY_HAND;
  const isOver = redirect === undefined && isAsked !== true;
  return isOver ? undefined : waits > 0 ? TRY_AGAIN : BACK_BY_HAND;
}

/** What is shown while the issuer is not to be gone to yet, as long as that is of use. */
function pageMeanwhile(
  { id, waits }: Visit,
  { redirect, isAsked }: ShopperAnswer,
): PlainPage | undefined {
  const isToUs = redirect !== undefined && isOurs(redirect, id);
  if ((isAsked !== true && !isToUs) || waits >= WAITS_MAX) return undefined;
  const again = `?waits=${String(waits + 1)}`;
  const isLookedAt = waits === 0 && isToUs && isAsked !== true;
  const before = isLookedAt ? (redirect.preconditions ?? []) : [];
  return before.length === 0 ? waiting(again) : preparing(before, again);
}

/** Whether it leads to where the browser is: once what comes before is done, it leads on. */
function isOurs({ url }: Redirect, id: TransactionId): boolean {
  return new URL(url).pathname.endsWith(`/redirects/${id}`);
}

function toOther(redirect: Redirect): Next {
  const { url, method, parameters } = redirect;
  return method === 'POST' ? formTo(url, parameters) : addressOf(redirect);
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
