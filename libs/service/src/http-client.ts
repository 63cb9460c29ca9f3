import { Secret } from '@sluice/secrets';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { AddressNotPublic, isPublicAddress, publicLookup } from './public-addresses.js';
import { recordResult } from './request-span.js';
import { currentNdc, type Span, startSpan } from './spans.js';
import type { TlsFiles } from './tls-material.js';

/** Who we are to the other side, and which authority we trust; without one, those of the system. */
export type ClientCertificate = Omit<TlsFiles, 'ca'> & Partial<Pick<TlsFiles, 'ca'>>;

/** How requests to one host are made. */
export interface HttpClientOptions {
  /** Scheme, host and port, e.g. `https://acquirer.example:8443`. */
  readonly origin: string;
  /** Calls beyond this number wait for a connection, within their own time limit. Default 128. */
  readonly connectionsMax?: number;
  /** False: each request has a connection of its own, on which no earlier answer can remain. */
  readonly keepsConnections?: boolean;
  /** A connection that takes longer counts as refused. Default 3 s. */
  readonly connectTimeoutMs?: number;
  /** In place of the system's, for hosts that somebody has named: see `OutboundHosts`. */
  readonly lookup?: LookupFunction;
  /** A longer answer is not read to its end. Default 64 KiB. */
  readonly answerBytesMax?: number;
  /**
   * Connects to addresses of the internet alone: a name or number that leads anywhere else, into this
   * network for instance, counts as not reachable (S-SSRF-02).
   */
  readonly publicAddressesOnly?: boolean;
  /** Our certificate, looked up for each new connection; absent: none. */
  readonly tls?: { readonly current: ClientCertificate };
  /**
   * The other side is one of ours: it is told which request and which trace this is about, and its
   * paths, which hold no ids, name the spans.
   */
  readonly isTraced?: boolean;
  /** Called with the headers of each answer, before its body is read. */
  readonly onAnswerHeaders?: (headers: AnswerHeaders) => void;
}

/** By name in small letters. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

const CONNECTIONS_MAX = 128;
const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** One request; it is sent once or not at all. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text, unless its headers say that it is something else. */
  readonly body?: string;
  /**
   * By name in small letters, beside or in place of `accept` and `content-type`. Keys and tokens are
   * secrets: their values go on the wire, and are neither logged nor traced.
   */
  readonly headers?: Readonly<Record<string, string | Secret<string>>>;
  /** For everything together, including connecting. */
  readonly timeoutMs: number;
  /** For the body of its answer alone, once its status is there; absent: until its time limit. */
  readonly bodyTimeoutMs?: number;
  /**
   * On the clock of `performance.now()`: after this instant no byte of it is written, however long
   * it waited for a connection. Absent: until its time limit.
   */
  readonly beginByMs?: number;
  /**
   * Whether an answer is about this request. If it is not, its connection is closed, because later
   * answers on it may belong to other requests, too.
   */
  readonly isOwnAnswer?: (answer: HttpAnswer) => boolean;
  /** In place of the client's, for requests whose answers are longer or shorter than others. */
  readonly answerBytesMax?: number;
  /** Called when its answer begins, before anybody knows whether it ends. */
  readonly onAnswer?: (statusCode: number, headers: AnswerHeaders) => void;
  readonly signal?: AbortSignal;
}

/** What came back. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly body: string;
}

/** The outcome of a request, by whether the other side may have seen it. */
export type HttpResult =
  | ({ readonly kind: 'answered' } & HttpAnswer)
  /** Certainly no byte of it was, or will be, written. */
  | { readonly kind: 'notSent'; readonly reason: 'notReachable' | 'givenUp' | 'tooLate' }
  /** Something may have been written, and no whole answer came back. */
  | { readonly kind: 'lost'; readonly reason: 'timeout' | 'connectionLost' | 'answerTooLong' };

const TOO_LATE = { kind: 'notSent', reason: 'tooLate' } as const;

const HEADERS = { accept: 'application/json' };
/** An empty body under a JSON content type is refused by some servers. */
const BODY_HEADERS = { ...HEADERS, 'content-type': 'application/json' };

/**
 * HTTP to one origin that never sends a request twice: undici's pool repeats nothing that it has
 * begun to write, and there is no retry above it (D-24 to D-28). It uses the dispatcher's own
 * handler because only that says exactly when writing begins (D-25).
 */
export class HttpClient {
  readonly #pool: Pool;
  readonly #answerBytesMax: number;
  readonly #origin: URL;
  readonly #isTraced: boolean;
  readonly #onAnswerHeaders: ((headers: AnswerHeaders) => void) | undefined;

  constructor(options: HttpClientOptions) {
    this.#answerBytesMax = options.answerBytesMax ?? ANSWER_BYTES_MAX;
    this.#origin = new URL(options.origin);
    this.#isTraced = options.isTraced ?? false;
    this.#onAnswerHeaders = options.onAnswerHeaders;
    this.#pool = new Pool(options.origin, {
      connections: options.connectionsMax ?? CONNECTIONS_MAX,
      // 0 is undici's word for one request a connection.
      pipelining: (options.keepsConnections ?? true) ? 1 : 0,
      connect: connectorOf(options),
      factory: (origin, clientOptions) => new Connection(origin, clientOptions),
      // Every request has its own time limit below.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends the request, at most once; never rejects. */
  send(request: HttpRequest): Promise<HttpResult> {
    if (!this.#isTraced) return this.#send(request, {});
    const span = startSpan(`${request.method} ${request.path}`, { kind: 'client' });
    const sent = this.#send(request, requestHeaders(span));
    if (!span.isRecording) return sent;
    const { method, path } = request;
    return recordResult(span, { method, path, origin: this.#origin }, sent);
  }

  #send(request: HttpRequest, own: Readonly<Record<string, string>>): Promise<HttpResult> {
    return new Promise((resolve) => {
      const bytesMax = request.answerBytesMax ?? this.#answerBytesMax;
      const handler = new RequestHandler(request, bytesMax, resolve);
      const { method, path, body, headers: given } = request;
      const usual = body === undefined ? HEADERS : BODY_HEADERS;
      const headers = { ...usual, ...(given && inClear(given)), ...own };
      const sent = { method, path, headers, ...(body !== undefined && { body }) };
      handler.onAnswerHeaders = this.#onAnswerHeaders;
      const options: FollowedOptions = { ...sent, follower: handler };
      this.#pool.dispatch(options, handler);
    });
  }

  /** Aborts open requests and closes every connection. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** The request's id, for the log lines of the service that is called, which trusts it. */
export const NDC_HEADER = 'sluice-ndc';

function requestHeaders({ traceparent }: Span): Readonly<Record<string, string>> {
  const ndc = currentNdc();
  return {
    ...(traceparent !== undefined && { traceparent }),
    ...(ndc !== undefined && { [NDC_HEADER]: ndc }),
  };
}

function inClear(headers: NonNullable<HttpRequest['headers']>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value instanceof Secret ? value.reveal() : value,
    ]),
  );
}

/**
 * With certificates that are looked up for each new connection, so that renewed ones are used, and to
 * public addresses alone if that is wanted: sockets look names up, but take numbers as they are.
 */
function connectorOf({
  connectTimeoutMs,
  tls,
  publicAddressesOnly = false,
  lookup = publicAddressesOnly ? publicLookup() : undefined,
}: HttpClientOptions): NonNullable<Pool.Options['connect']> {
  const timeout = connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const common = { timeout, ...(lookup && { lookup }) };
  if (tls === undefined && !publicAddressesOnly) return common;
  let used = tls?.current;
  let connect = buildConnector({ ...used, ...common });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (publicAddressesOnly && isIP(host) !== 0 && !isPublicAddress(host)) {
      return callback(new AddressNotPublic(host), null);
    }
    if (used !== tls?.current) {
      used = tls?.current;
      connect = buildConnector({ ...used, ...common });
    }
    connect(options, callback);
  };
}

/** The pool wraps handlers, but passes options on as they are. */
interface FollowedOptions extends Dispatcher.DispatchOptions {
  readonly follower: RequestHandler;
}

/** A place in the pool, which can be told to continue with another socket. */
class Connection extends Client {
  readonly #current: { socket?: Socket };

  constructor(origin: string | URL, options: Client.Options) {
    const current: { socket?: Socket } = {};
    const connect = options.connect as buildConnector.connector;
    super(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...result: buildConnector.CallbackArgs) => {
          if (result[1] !== null) current.socket = result[1];
          callback(...result);
        }),
    });
    this.#current = current;
  }

  override dispatch(options: FollowedOptions, handler: Dispatcher.DispatchHandler): boolean {
    options.follower.closeConnection = () => this.#current.socket?.destroy();
    return super.dispatch(options, handler);
  }
}

/** Follows one request from the queue to the last byte of its answer. */
class RequestHandler implements Dispatcher.DispatchHandler {
  /** Closes the connection that the request was given. */
  closeConnection: (() => void) | undefined;
  onAnswerHeaders: ((headers: AnswerHeaders) => void) | undefined;
  readonly #resolve: (result: HttpResult) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #beginTimer: NodeJS.Timeout | undefined;
  #bodyTimer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #statusCode = 0;
  #chunks: Buffer[] = [];
  #lengthBytes = 0;

  constructor(
    private readonly request: HttpRequest,
    private readonly answerBytesMax: number,
    resolve: (result: HttpResult) => void,
  ) {
    this.#resolve = resolve;
    this.#signal = request.signal;
    this.#timer = setTimeout(this.#giveUp, request.timeoutMs);
    const { beginByMs } = request;
    if (beginByMs !== undefined) {
      // Only to avoid useless waiting: the timer may be late, and `onRequestStart` checks by
      // itself.
      this.#beginTimer = setTimeout(this.#endWaiting, beginByMs - performance.now());
    }
    if (this.#signal?.aborted) this.#giveUp();
    else this.#signal?.addEventListener('abort', this.#giveUp, { once: true });
  }

  /** Called directly before the first byte is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isTooLate()) this.#settle(TOO_LATE);
    // Thrown, not aborted: an abort would close the connection, and delay the next request in the
    // queue.
    if (this.#settled) throw new Error('given up');
    clearTimeout(this.#beginTimer);
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: AnswerHeaders,
  ): void {
    this.#statusCode = statusCode;
    const { bodyTimeoutMs } = this.request;
    if (bodyTimeoutMs !== undefined) this.#bodyTimer ??= setTimeout(this.#giveUp, bodyTimeoutMs);
    this.onAnswerHeaders?.(headers);
    this.request.onAnswer?.(statusCode, headers);
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
    const answer = { statusCode: this.#statusCode, body: bytes?.toString('utf8') ?? '' };
    if (this.request.isOwnAnswer?.(answer) === false) this.closeConnection?.();
    this.#settle({ kind: 'answered', ...answer });
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

  /** It still waits for a connection, and may not use one any more. */
  readonly #endWaiting = (): void => {
    if (this.#controller === undefined) this.#settle(TOO_LATE);
  };

  #isTooLate(): boolean {
    const { beginByMs } = this.request;
    return beginByMs !== undefined && performance.now() > beginByMs;
  }

  #settle(result: HttpResult): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#beginTimer);
    clearTimeout(this.#bodyTimer);
    this.#signal?.removeEventListener('abort', this.#giveUp);
    this.#chunks = [];
    this.#resolve(result);
  }
}
