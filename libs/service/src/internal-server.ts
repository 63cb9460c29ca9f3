import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { InternalCalls } from './internal-metrics.js';
import { NDC_HEADER } from './http-client.js';
import { ListenError, listenOn } from './listen-on.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { isLoopback } from './mutual-tls.js';
import type { RunningService } from './running-service.js';
import { inRequest, type RequestFields, type Span, startSpan } from './spans.js';
import type { TlsMaterial } from './tls-material.js';

/** Why the server itself did not let a request through; `reason` of its body. */
export type InternalRefusal =
  'noRoute' | 'forbidden' | 'closed' | 'overloaded' | 'malformed' | 'tooLarge' | 'failed';

/** Thrown by a route for a request that it does not accept; answered with 400. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

/** Thrown by a route that has already logged why it has no answer; answered with 500. */
export class FailureLogged extends Error {
  override readonly name = 'FailureLogged';
}

/** One path that other services may post JSON to. */
export interface InternalRoute {
  /** E.g. `/cards/hold`; secrets are in bodies, never here. */
  readonly path: string;
  /** The services that may, by the name in their certificate (D-44). */
  readonly callers: readonly string[];
  /** Returns the answer as JSON text; a rejection is answered with 500 and without a cause. */
  answer(parameters: unknown): Promise<string>;
}

/** How a server is made. */
export interface InternalServerOptions {
  readonly logger: Logger;
  /** Absent: plain HTTP, and callers are not identified. */
  readonly tls?: TlsMaterial | undefined;
  /** Counts calls by route and caller. */
  readonly metrics?: Metrics;
  /** Longer bodies are refused. Default 1 MiB: a query names things, it does not carry them. */
  readonly bodyBytesMax?: number;
  /** Requests under way at once; more are overload. */
  readonly unfinishedMax?: number;
  /** How long `close` waits for current requests. */
  readonly closeWaitMs?: number;
}

const BODY_BYTES_MAX = 1024 * 1024;
const UNFINISHED_MAX = 1_000;
const CLOSE_WAIT_MS = 10_000;
const HEADER_BYTES_MAX = 8 * 1024;
/** For callers in the same network: a slower one has stopped. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Longer than our own clients keep an idle connection, so that they close it, not we. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

const STATUS_OF: Readonly<Record<InternalRefusal, number>> = {
  noRoute: 404,
  forbidden: 403,
  closed: 503,
  overloaded: 503,
  malformed: 400,
  tooLarge: 413,
  failed: 500,
};

/** Bodies may hold cards and personal data: nobody on the way keeps them. */
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const IDENTITY = 'URI:spiffe://sluice/';

/**
 * Where a service answers the others (D-45): JSON posted to fixed paths, over mutual TLS with an
 * allowlist for each path. Bodies are never logged.
 */
export class InternalServer implements RunningService {
  readonly #server: Server | TlsServer;
  readonly #routes = new Map<string, InternalRoute>();
  readonly #callers = new WeakMap<Socket, string>();
  readonly #calls: InternalCalls;
  readonly #bodyBytesMax: number;
  readonly #unfinishedMax: number;
  #unfinished = 0;
  #closing: Promise<void> | undefined;

  constructor(private readonly options: InternalServerOptions) {
    const { tls, metrics, bodyBytesMax, unfinishedMax } = options;
    this.#calls = new InternalCalls(metrics);
    this.#bodyBytesMax = bodyBytesMax ?? BODY_BYTES_MAX;
    this.#unfinishedMax = unfinishedMax ?? UNFINISHED_MAX;
    this.#server = this.#create(tls);
  }

  /** Adds a path; before or after `listen`. */
  route(route: InternalRoute): void {
    this.#routes.set(route.path, route);
  }

  /** Listens and tells where. Throws ListenError; in clear it listens to its own machine alone. */
  async listen(host: string, port: number): Promise<string> {
    const { tls, logger } = this.options;
    if (tls === undefined && !isLoopback(host)) {
      throw new ListenError(`Without TLS files nobody would check who calls ${host}.`);
    }
    const url = await listenOn(this.#server, tls === undefined ? 'http' : 'https', host, port);
    logger.info({ url }, 'Other services are answered.');
    if (tls === undefined) {
      logger.info({ url }, 'Without TLS files nobody checks who calls this port.');
    }
    return url;
  }

  /**
   * Takes nothing new and waits for current requests, at most `closeWaitMs`; may be called twice.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (!this.#server.listening) return;
    const over = new AbortController();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const waited = pause(this.options.closeWaitMs ?? CLOSE_WAIT_MS, undefined, over).then(
      () => this.#server.closeAllConnections(),
      () => undefined,
    );
    await closed;
    over.abort();
    await waited;
  }

  #create(tls: TlsMaterial | undefined): Server | TlsServer {
    const limits = {
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    };
    const receive = (request: IncomingMessage, response: ServerResponse): void => {
      void this.#receive(request, response);
    };
    if (tls === undefined) return createServer(limits, receive);
    const identified = { requestCert: true, rejectUnauthorized: true } as const;
    const minVersion = 'TLSv1.3' as const;
    const server = createTlsServer(
      { ...limits, ...identified, minVersion, ...tls.current },
      receive,
    );
    tls.onChange(() => server.setSecureContext({ minVersion, ...tls.current }));
    return server;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startMs = performance.now();
    const route = request.method === 'POST' ? this.#routes.get(request.url ?? '') : undefined;
    const result = await this.#answer(request, response, route);
    if (result !== undefined) this.#refuse(request, response, result);
    const caller = this.#countedCaller(request, route);
    const seconds = (performance.now() - startMs) / 1_000;
    this.#calls.ended({
      ...{ path: route?.path ?? '', caller, seconds },
      ...{ result: result ?? 'answered', status: statusOf(result) },
    });
  }

  /** Logs why there was no answer, if there was none. */
  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    route: InternalRoute | undefined,
  ): Promise<InternalRefusal | undefined> {
    const refusal = this.#refusal(request, route);
    if (refusal !== undefined || route === undefined) return refusal ?? 'noRoute';
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    const span = startSpan(`POST ${route.path}`, { kind: 'server', parent, isRoot: true });
    const result = await inRequest(span, fieldsOf(request), () =>
      this.#perform(request, response, route),
    );
    if (span.isRecording) describeAnswer(span, route, statusOf(result));
    span.end();
    return result;
  }

  async #perform(
    request: IncomingMessage,
    response: ServerResponse,
    route: InternalRoute,
  ): Promise<InternalRefusal | undefined> {
    this.#unfinished += 1;
    try {
      const body = await bodyOf(request, this.#bodyBytesMax);
      if (body === undefined) return 'tooLarge';
      this.#respond(response, 200, await route.answer(parametersOf(body)));
      return undefined;
    } catch (error) {
      return this.#failure(route.path, error);
    } finally {
      this.#unfinished -= 1;
    }
  }

  #failure(path: string, error: unknown): InternalRefusal {
    // A request that was aborted gets no refusal.
    if (error instanceof MalformedRequest || error instanceof RequestBrokenOff) return 'malformed';
    if (error instanceof FailureLogged) return 'failed';
    this.options.logger.error({ err: error, path }, 'A request of another service failed.');
    return 'failed';
  }

  /**
   * The caller, as metrics count it: callers that are not in the table get no series of their own.
   */
  #countedCaller({ socket }: IncomingMessage, route: InternalRoute | undefined): string {
    if (this.options.tls === undefined) return 'unchecked';
    const caller = this.#callerOf(socket);
    return route?.callers.includes(caller) === true ? caller : '';
  }

  #refuse(request: IncomingMessage, response: ServerResponse, reason: InternalRefusal): void {
    if (response.headersSent || response.destroyed) return;
    // What is left of its body would have to be read before the next request of the connection.
    if (!request.complete) response.setHeader('connection', 'close');
    this.#respond(response, STATUS_OF[reason], JSON.stringify({ reason }));
  }

  #respond(response: ServerResponse, status: number, body: string): void {
    // A kept connection would hold up the end.
    if (this.#closing !== undefined) response.setHeader('connection', 'close');
    response.writeHead(status, { ...HEADERS, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  }

  #refusal(
    request: IncomingMessage,
    route: InternalRoute | undefined,
  ): InternalRefusal | undefined {
    const { tls, logger } = this.options;
    if (tls !== undefined) {
      const caller = this.#callerOf(request.socket);
      if (route?.callers.includes(caller) !== true) {
        const path = route?.path ?? 'unknown';
        logger.warn({ audit: 'forbidden', caller, path }, 'A caller was refused.');
        return 'forbidden';
      }
    }
    if (route === undefined) return 'noRoute';
    if (this.#closing !== undefined) return 'closed';
    return this.#unfinished >= this.#unfinishedMax ? 'overloaded' : undefined;
  }

  /** The service that the certificate of a connection names; the same for all its requests. */
  #callerOf(socket: Socket): string {
    const known = this.#callers.get(socket);
    if (known !== undefined) return known;
    const caller = socket instanceof TLSSocket ? serviceInCertificate(socket) : '';
    this.#callers.set(socket, caller);
    return caller;
  }
}

/**
 * The service's name in the certificate's alternative names, or nothing. Node quotes names with
 * characters that could end them, so a quoted one is never taken for ours.
 */
function serviceInCertificate(socket: TLSSocket): string {
  const names = (socket.getPeerCertificate().subjectaltname ?? '').split(', ');
  return names.find((name) => name.startsWith(IDENTITY))?.slice(IDENTITY.length) ?? '';
}

/** The id is written to the log, so its form is checked even though our own services send it. */
const NDC = /^[A-Za-z0-9_.-]{1,100}$/;

function fieldsOf({ headers }: IncomingMessage): RequestFields {
  const ndc = headers[NDC_HEADER];
  return typeof ndc === 'string' && NDC.test(ndc) ? { ndc } : {};
}

function statusOf(result: InternalRefusal | undefined): number {
  return result === undefined ? 200 : STATUS_OF[result];
}

function describeAnswer(span: Span, { path }: InternalRoute, statusCode: number): void {
  span.set({
    'http.request.method': 'POST',
    'http.route': path,
    'http.response.status_code': statusCode,
  });
  if (statusCode >= STATUS_OF.failed) span.failed(String(statusCode));
}

/** The connection ended before the body did; nobody waits for an answer. */
class RequestBrokenOff extends Error {
  override readonly name = 'RequestBrokenOff';
}

/** The body as text, or undefined when it is too long. Events, because iterating costs twice. */
function bodyOf(request: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => {
      const whole = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      resolve(whole?.toString('utf8') ?? '');
    });
    request.on('close', () => {
      // Closes after its end too; an error nobody needs would cost more than all else here.
      if (!request.complete) reject(new RequestBrokenOff());
    });
  });
}

function parametersOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Without its cause, which repeats a part of the body.
    throw new MalformedRequest('not JSON');
  }
}
