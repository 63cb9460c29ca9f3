import { type Dispatcher, Pool } from 'undici';

/** Connections to one acquirer; more calls wait for one, within their own time. */
const CONNECTIONS_MAX = 128;
/** A connection that cannot be made this fast is as good as refused. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Far more than any answer of an acquirer; a longer one is not read to its end. */
const ANSWER_BYTES_MAX = 64 * 1024;

/** One request; it is sent once or not at all. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** For everything together, connecting included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** What became of a request, kept apart by whether the other side may have seen it. */
export type HttpExchange =
  | { readonly kind: 'answered'; readonly statusCode: number; readonly body: string }
  /** Certainly not one byte of it was written. */
  | { readonly kind: 'notSent'; readonly reason: 'notReachable' | 'givenUp' }
  /** Something may have been written, and no whole answer came back. */
  | { readonly kind: 'lost'; readonly reason: 'timeout' | 'connectionLost' | 'answerTooLong' };

const REQUEST_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/**
 * HTTP to one origin that never sends a request twice: undici's pool repeats nothing that it has
 * begun to write, and there is no retry above it (reliability 2.4). It uses the dispatcher's own
 * handler because only that says exactly when writing begins.
 */
export class HttpExchanges {
  readonly #pool: Pool;

  constructor(origin: string) {
    this.#pool = new Pool(origin, {
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      // Every request has its own clock below.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends the request; never rejects. */
  exchange(request: HttpRequest): Promise<HttpExchange> {
    return new Promise((resolve) => {
      const handler = new ExchangeHandler(request, resolve);
      const { method, path, body = null } = request;
      this.#pool.dispatch({ method, path, body, headers: REQUEST_HEADERS }, handler);
    });
  }

  /** Breaks off what is under way and closes every connection. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** Follows one request from the queue to the last byte of its answer. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (exchange: HttpExchange) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #statusCode = 0;
  #chunks: Buffer[] = [];
  #lengthBytes = 0;

  constructor(request: HttpRequest, resolve: (exchange: HttpExchange) => void) {
    this.#resolve = resolve;
    this.#signal = request.signal;
    this.#timer = setTimeout(this.#giveUp, request.timeoutMs);
    if (this.#signal?.aborted) this.#giveUp();
    else this.#signal?.addEventListener('abort', this.#giveUp, { once: true });
  }

  /** Called directly before the first byte is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) controller.abort(new Error('given up'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    this.#statusCode = statusCode;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#lengthBytes += chunk.length;
    if (this.#lengthBytes <= ANSWER_BYTES_MAX) {
      this.#chunks.push(chunk);
      return;
    }
    this.#settle({ kind: 'lost', reason: 'answerTooLong' });
    controller.abort(new Error('answer too long'));
  }

  onResponseEnd(): void {
    const [first, ...others] = this.#chunks;
    const bytes = others.length === 0 ? first : Buffer.concat(this.#chunks);
    const body = bytes?.toString('utf8') ?? '';
    this.#settle({ kind: 'answered', statusCode: this.#statusCode, body });
  }

  onResponseError(): void {
    this.#settle(
      this.#controller
        ? { kind: 'lost', reason: 'connectionLost' }
        : { kind: 'notSent', reason: 'notReachable' },
    );
  }

  /** By its own clock or by the caller's signal. */
  readonly #giveUp = (): void => {
    this.#settle(
      this.#controller
        ? { kind: 'lost', reason: 'timeout' }
        : { kind: 'notSent', reason: 'givenUp' },
    );
    this.#controller?.abort(new Error('given up'));
  };

  #settle(exchange: HttpExchange): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#giveUp);
    this.#chunks = [];
    this.#resolve(exchange);
  }
}
