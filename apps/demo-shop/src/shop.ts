import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NoAnswer } from './gateway.js';
import { type Body, framed } from './pages/frame.js';
import { message } from './pages/message.js';
import { type Shopper, Shoppers } from './shoppers.js';

/** A request about one thing, which its address names. */
export interface Named {
  readonly Params: { readonly id: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

const FORM = 'application/x-www-form-urlencoded';
const NOT_FOUND = 404;

/** What all pages of the shop have in common: who asks, the frame, what may be loaded, and mishaps. */
export class Shop {
  readonly #shoppers = new Shoppers();

  constructor(
    server: FastifyInstance,
    private readonly gatewayUrl: string,
  ) {
    server.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, text, done) => {
      done(null, new URLSearchParams(String(text)));
    });
    server.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'POST' || isOwn(request)) return;
      await this.show(request, reply, message.fromElsewhere, 403);
    });
    server.setNotFoundHandler((request, reply) => this.nothingHere(request, reply));
    server.setErrorHandler((error, request, reply) => {
      if (error instanceof NoAnswer) return this.show(request, reply, message.noAnswer, 503);
      return this.show(request, reply, message.mistake, 500);
    });
  }

  /** Who asks. */
  shopper(request: FastifyRequest, reply: FastifyReply): Shopper {
    return this.#shoppers.of(request, reply);
  }

  /** Answers with a page. */
  show(request: FastifyRequest, reply: FastifyReply, body: Body, status = 200): FastifyReply {
    const { basket } = this.shopper(request, reply);
    const prints = [...basket.values()].reduce((sum, quantity) => sum + quantity, 0);
    return reply
      .code(status)
      .headers(headersFor(this.inBrowser(request)))
      .type('text/html; charset=utf-8')
      .send(framed(body, prints, `${this.inBrowser(request)}/docs`).text);
  }

  /** Says that there is no such page. */
  nothingHere(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return this.show(request, reply, message.nothingHere, NOT_FOUND);
  }

  /**
   * Where the shopper's browser finds the gateway. In a shop of yours this is a constant; here it is
   * the name by which the shop was found, because a phone or a container has another one.
   */
  inBrowser({ hostname }: FastifyRequest): string {
    const url = new URL(this.gatewayUrl);
    url.hostname = hostname;
    return url.origin;
  }
}

/** The fields of a form. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** Sends the browser to another page, so that a reload sends nothing twice. */
export function seeOther(reply: FastifyReply, path: string): FastifyReply {
  return reply.redirect(path, 303);
}

/** Browsers say of each form whose page it is on. */
function isOwn({ headers: { origin }, host }: FastifyRequest): boolean {
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

/** The script and the frames are the gateway's; everything else is the shop's own. */
function headersFor(gateway: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    `script-src 'self' ${gateway}`,
    `frame-src ${gateway}`,
    `connect-src ${gateway}`,
    `form-action 'self' ${gateway}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    // The page is about one shopper; going back asks for it again.
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}
