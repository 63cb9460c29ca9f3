import Fastify, {
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { Readable } from 'node:stream';
import { type Book, type BookedTransaction, BookFullError } from './book.js';
import { Delays } from './delays.js';
import type { Fault } from './fault.js';
import { adviceOf } from './merchant-advice.js';
import { PAGES_PATH, PRECONDITION, shopperPages } from './shopper-pages.js';
import { scorer } from './scorer/scorer.js';
import type { OnAnswered } from './simulator-metrics.js';
import { parseTransactionRequest, type TransactionRequest } from './transaction-request.js';

/** A request has a dozen short fields. */
const BODY_BYTES_MAX = 16 * 1024;
/** Longer than a client keeps an idle connection, so that the client closes it. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

const JSON_TYPE = 'application/json; charset=utf-8';
const GARBAGE = '<!doctype html><html><body><h1>It works!</h1></body></html>';

/** What the acquirer needs of a logger. */
interface ErrorLog {
  error(fields: object, message: string): void;
}

/** Where pages are, without a slash at the end, by the address that a browser returns to. */
export type PagesUrl = (returnUrl: string) => string;

/** What may differ of an acquirer. */
export interface AcquirerOptions {
  /** Where browsers reach its pages, given where they are to return to. */
  readonly pagesUrl?: PagesUrl;
  readonly onAnswered?: OnAnswered;
  /** What shoppers see of it; absent: the pages of its book. */
  readonly shoppers?: FastifyPluginCallback;
}

interface ReferenceParameter {
  readonly Params: { readonly reference: string };
}

/**
 * The acquirer's HTTP interface. Routes are plain Fastify inside the Nest module: Nest's dispatch
 * would double what a simulated transaction costs, and benchmarks count it.
 *
 * - `POST /transactions`: performs an operation; 200 with the decision, 400 for a request that was
 *   not taken (nothing is booked).
 * - `GET /transactions/{reference}`: the transaction as it is now; 404 when there is none.
 * - `POST /transactions/{reference}/reversal`: undoes it, repeatable; 404 when there is none.
 * - `GET /book`: every transaction as it is now, one JSON object per line.
 * - `POST /scorer`: another service of theirs, which says how likely a payment is a fraud (`scorer`).
 * - what shoppers see: their pages (`shopperPages`) and wallets (`walletDesk`).
 */
export class Acquirer {
  readonly #book: Book;
  readonly #logger: ErrorLog;
  readonly #delays = new Delays();
  readonly #pagesUrl: PagesUrl;
  #url = '';
  readonly #server: FastifyInstance;

  constructor(book: Book, logger: ErrorLog, options: AcquirerOptions = {}) {
    const { pagesUrl, onAnswered = () => undefined, shoppers = shopperPages(book) } = options;
    this.#pagesUrl = pagesUrl ?? (() => `${this.#url}${PAGES_PATH}`);
    this.#book = book;
    this.#logger = logger;
    this.#server = Fastify({
      bodyLimit: BODY_BYTES_MAX,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      forceCloseConnections: true,
    });
    this.#server.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
      onAnswered(method, routeOptions.url, reply.statusCode, reply.elapsedTime);
      done();
    });
    this.#server.post('/transactions', (request, reply) => this.#submit(request, reply));
    this.#server.get<ReferenceParameter>('/transactions/:reference', async (request, reply) =>
      this.#answer(reply, request.params, await this.#book.find(request.params.reference)),
    );
    this.#server.post<ReferenceParameter>(
      '/transactions/:reference/reversal',
      async (request, reply) =>
        this.#answer(reply, request.params, await this.#book.reverse(request.params.reference)),
    );
    // A browser's form has fields that no page here reads.
    this.#server.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, _body, parsed) => parsed(null),
    );
    void this.#server.register(shoppers);
    void this.#server.register(scorer(this.#delays));
    this.#server.get('/book', (_request, reply) =>
      reply.type('application/x-ndjson').send(Readable.from(this.#bookLines())),
    );
    this.#server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) =>
      this.#refuse(error, request, reply),
    );
  }

  /** Begins to listen; resolves to the address, e.g. `http://127.0.0.1:4000`. */
  async listen(host: string, port: number): Promise<string> {
    this.#url = await this.#server.listen({ host, port });
    return this.#url;
  }

  /** Closes every connection; what still waited for its fault's time is not booked. */
  async close(): Promise<void> {
    this.#delays.cancelAll();
    await this.#server.close();
  }

  async #submit(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const parsed = parseTransactionRequest(request.body);
    if (!('request' in parsed)) {
      const refusal = { ...referenceIn(request.body), error: parsed };
      return reply.code(400).type(JSON_TYPE).send(refusal);
    }
    const { fault } = parsed.request;
    return fault
      ? this.#misbehave(parsed.request, fault, reply)
      : this.#answer(reply, parsed.request, await this.#book.book(parsed.request));
  }

  async #misbehave(
    request: TransactionRequest,
    fault: Fault,
    reply: FastifyReply,
  ): Promise<unknown> {
    switch (fault.kind) {
      case 'delay': {
        const booked = await this.#book.book(request);
        await this.#delays.wait(fault.delayMs);
        return this.#answer(reply, request, booked);
      }
      case 'late':
        await this.#delays.wait(fault.delayMs);
        return this.#answer(reply, request, await this.#book.book(request));
      case 'drop-before':
        return drop(reply);
      case 'drop-after':
        await this.#book.book(request);
        return drop(reply);
      case 'http-500':
        await this.#book.book(request);
        return reply.code(500).type('text/plain').send('Internal Server Error');
      case 'garbage':
        await this.#book.book(request);
        return reply.type('text/html').send(GARBAGE);
      case 'twice':
        return answerTwice(reply, this.#textOf(await this.#book.book(request)));
    }
  }

  /** Every answer names its reference, so that no client takes another request's for its own. */
  #answer(
    reply: FastifyReply,
    { reference }: { readonly reference: string },
    booked: BookedTransaction | undefined,
  ): FastifyReply {
    reply.type(JSON_TYPE);
    if (!booked) return reply.code(404).send({ status: 'notFound', reference });
    return reply.send(this.#textOf(booked));
  }

  #textOf(booked: BookedTransaction): string {
    const { transactionId, reference, status, resultCode, operation, amount, currency } = booked;
    const { avs, cvv, installments } = booked;
    return JSON.stringify({
      ...{ transactionId, reference, status, resultCode, operation, amount, currency, avs, cvv },
      installments,
      resultDetails: resultDetails(booked),
      redirect: redirectOf(booked, this.#pagesUrl),
    });
  }

  async *#bookLines(): AsyncGenerator<string> {
    for await (const transaction of this.#book.transactions()) {
      yield `${JSON.stringify(transaction)}\n`;
    }
  }

  /**
   * 4xx means that nothing was booked; like a real acquirer's, a failure of our own says nothing.
   */
  #refuse(
    error: Error & { statusCode?: number },
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const statusCode = error instanceof BookFullError ? 422 : (error.statusCode ?? 500);
    if (statusCode >= 500) {
      this.#logger.error({ err: error }, 'The simulator could not serve a request');
      return reply.code(statusCode).type('text/plain').send('Internal Server Error');
    }
    const wrong = { parameter: 'body', message: error.message };
    const refusal = { ...referenceIn(request.body), error: wrong };
    return reply.code(statusCode).type(JSON_TYPE).send(refusal);
  }
}

/** What waits for a shopper says where: a bank's own form, or a provider's page. */
function redirectOf({ page, status, ...booked }: BookedTransaction, pagesUrl: PagesUrl) {
  if (page === undefined || status !== 'pending') return undefined;
  const url = `${pagesUrl(page.returnUrl)}/${page.token}`;
  const { transactionId, amount, currency } = booked;
  const preconditions =
    page.hasPrecondition === true ? [hiddenFrame(url, transactionId)] : undefined;
  if (page.kind === 'provider') return { url, method: 'GET', parameters: {}, preconditions };
  const parameters = { TransactionId: transactionId, Amount: amount, Currency: currency };
  return { url, method: 'POST', parameters, preconditions };
}

/** As 3-D Secure has it, but for its data: a form in a frame that nobody sees (wire contract 5). */
function hiddenFrame(pageUrl: string, transactionId: string): object {
  return {
    origin: 'iframe#hidden',
    waitUntil: 'iframe#load',
    description: 'Load this in a hidden frame before you send the shopper on.',
    url: `${pageUrl}/${PRECONDITION}`,
    method: 'POST',
    parameters: { TransactionId: transactionId },
  };
}

/** The reference in a refused request; absent if it is not a text. */
function referenceIn(body: unknown): { reference?: string } {
  if (typeof body !== 'object' || body === null || !('reference' in body)) return {};
  return typeof body.reference === 'string' ? { reference: body.reference } : {};
}

/** What merchants are shown as `resultDetails`. */
function resultDetails(booked: BookedTransaction): object {
  const { transactionId, status, operation, resultCode, bin } = booked;
  const advice = status === 'declined' ? (booked.advice ?? adviceOf(resultCode, bin)) : undefined;
  const number = transactionId.slice(-REFERENCE_DIGITS);
  const authorized = status === 'approved' && AUTHORIZED.has(operation);
  return {
    AcquirerResponse: ACQUIRER_RESPONSES[status],
    ...(authorized && { AuthCode: number.slice(-AUTH_CODE_DIGITS) }),
    ...(advice !== undefined && { MerchantAdviceCode: advice }),
    ReferenceNbr: number,
    clearingInstituteName: 'Sluice Simulator',
  };
}

/**
 * A retrieval reference number has twelve digits, the issuer's authorization code six characters.
 */
const REFERENCE_DIGITS = 12;
const AUTH_CODE_DIGITS = 6;

/** The operations that an issuer authorizes; all others rest on one of these. */
const AUTHORIZED: ReadonlySet<string> = new Set([
  'authorization',
  'debit',
  'credit',
  'rebill',
  'incrementalAuthorization',
  'reauthorization',
]);

/** What the acquirer calls its answers; shown to merchants as `resultDetails.AcquirerResponse`. */
const ACQUIRER_RESPONSES: Readonly<Record<BookedTransaction['status'], string>> = {
  approved: '00',
  pending: '09',
  declined: '05',
  reversed: '21',
};

function drop(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/**
 * The same answer again right behind the first, outside any request: a client that does not
 * compare references would take it for the answer to its next request on this connection.
 */
function answerTwice(reply: FastifyReply, text: string): FastifyReply {
  const { socket } = reply.raw;
  reply.raw.once('finish', () => {
    socket?.write(
      `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\n` +
        `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  });
  return reply.type(JSON_TYPE).send(text);
}
