import { buildConnector, type Dispatcher, Pool } from 'undici';
import { currentNdc, type Span, startSpan } from './spans.js';
import type { TlsMaterial } from './tls-material.js';

/** How requests to one host are made. */
export interface HttpClientOptions {
  /** Scheme, host and port, e.g. `https://acquirer.example:8443`. */
  readonly origin: string;
  /** More calls than these wait for a connection, within their own time. Default 128. */
  readonly connectionsMax?: number;
  /** A connection that is not made this fast is as good as refused. Default 3 s. */
  readonly connectTimeoutMs?: number;
  /** A longer answer is not read to its end. Default 64 KiB. */
  readonly answerBytesMax?: number;
  /** Who we are and whom we trust, between our own services; absent: no certificate of ours. */
  readonly tls?: TlsMaterial;
  /**
   * The other side is one of ours: it is told which request and which trace this is about, and its
   * paths, which hold no ids, name the spans.
   */
  readonly isTraced?: boolean;
}

const CONNECTIONS_MAX = 128;
const CONNECT_TIMEOUT_MS = 3_000;
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
export type HttpResult =
  | { readonly kind: 'answered'; readonly statusCode: number; readonly body: string }
  /** Certainly not one byte of it was written. */
  | { readonly kind: 'notSent'; readonly reason: 'notReachable' | 'givenUp' }
  /** Something may have been written, and no whole answer came back. */
  | { readonly kind: 'lost'; readonly reason: 'timeout' | 'connectionLost' | 'answerTooLong' };

const HEADERS = { accept: 'application/json' };
/** An empty body under a JSON content type is refused by some servers. */
const BODY_HEADERS = { ...HEADERS, 'content-type': 'application/json' };

/**
 * HTTP to one origin that never sends a request twice: undici's pool repeats nothing that it has
 * begun to write, and there is no retry above it (D-24 to D-28). It uses the dispatcher's own
 * handler because only that says exactly when writing begins.
 */
export class HttpClient {
  readonly #pool: Pool;
  readonly #answerBytesMax: number;
  readonly #origin: URL;
  readonly #isTraced: boolean;

  constructor(options: HttpClientOptions) {
    this.#answerBytesMax = options.answerBytesMax ?? ANSWER_BYTES_MAX;
    this.#origin = new URL(options.origin);
    this.#isTraced = options.isTraced ?? false;
    this.#pool = new Pool(options.origin, {
      connections: options.connectionsMax ?? CONNECTIONS_MAX,
      pipelining: 1,
      connect: connectorOf(options),
      // Every request has its own clock below.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends the request, at most once; never rejects. */
  send(request: HttpRequest): Promise<HttpResult> {
    if (!this.#isTraced) return this.#send(request, {});
    const span = startSpan(`${request.method} ${request.path}`, { kind: 'client' });
    const sent = this.#send(request, requestHeaders(span));
    return span.isRecording ? this.#recorded(request, span, sent) : sent;
  }

  #send(request: HttpRequest, own: Readonly<Record<string, string>>): Promise<HttpResult> {
    return new Promise((resolve) => {
      const handler = new RequestHandler(request, this.#answerBytesMax, resolve);
      const { method, path, body } = request;
      const headers = { ...(body === undefined ? HEADERS : BODY_HEADERS), ...own };
      this.#pool.dispatch({ method, path, headers, ...(body !== undefined && { body }) }, handler);
    });
  }

  async #recorded(
    { method, path }: HttpRequest,
    span: Span,
    sent: Promise<HttpResult>,
  ): Promise<HttpResult> {
    const result = await sent;
    span.set({
      'http.request.method': method,
      'url.path': path,
      'server.address': this.#origin.hostname,
      'server.port': Number(this.#origin.port),
    });
    if (result.kind !== 'answered') span.failed(result.reason);
    else {
      span.set({ 'http.response.status_code': result.statusCode });
      if (result.statusCode >= FIRST_FAILURE) span.failed(String(result.statusCode));
    }
    span.end();
    return result;
  }

  /** Breaks off what is under way and closes every connection. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** The request's id, for log lines on the other side; a neighbour believes it. */
export const NDC_HEADER = 'sluice-ndc';
const FIRST_FAILURE = 400;

function requestHeaders({ traceparent }: Span): Readonly<Record<string, string>> {
  const ndc = currentNdc();
  return {
    ...(traceparent !== undefined && { traceparent }),
    ...(ndc !== undefined && { [NDC_HEADER]: ndc }),
  };
}

/** With certificates that are looked up for each new connection, so that renewed ones are used. */
function connectorOf({
  connectTimeoutMs,
  tls,
}: HttpClientOptions): NonNullable<Pool.Options['connect']> {
  const timeout = connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  if (tls === undefined) return { timeout };
  let used = tls.current;
  let connect = buildConnector({ ...used, timeout });
  return (options, callback) => {
    if (used !== tls.current) {
      used = tls.current;
      connect = buildConnector({ ...used, timeout });
    }
    connect(options, callback);
  };
}

/** Follows one request from the queue to the last byte of its answer. */
class RequestHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: HttpResult) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #statusCode = 0;
  #chunks: Buffer[] = [];
  #lengthBytes = 0;

  constructor(
    request: HttpRequest,
    private readonly answerBytesMax: number,
    resolve: (result: HttpResult) => void,
  ) {
    this.#resolve = resolve;
    this.#signal = request.signal;
    this.#timer = setTimeout(this.#giveUp, request.timeoutMs);
    if (this.#signal?.aborted) this.#giveUp();
    else this.#signal?.addEventListener('abort', this.#giveUp, { once: true });
  }

  /** Called directly before the first byte is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Thrown, not aborted: an abort ends the connection, and with it the time of the next in line.
    if (this.#settled) throw new Error('given up');
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    this.#statusCode = statusCode;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#lengthBytes += chunk.length;
    if (this.#lengthBytes <= this.answerBytesMax) {
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

  #settle(result: HttpResult): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#giveUp);
    this.#chunks = [];
    this.#resolve(result);
  }
}
