import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { FramedServer } from './framed-server.js';
import { FRAMES_OFFER, FRAMES_PROTOCOL } from './frames.js';
import { NDC_HEADER } from './http-client.js';
import { InternalAnswers, type InternalRoute, RequestBrokenOff } from './internal-answers.js';
import { ListenError, listenOn } from './listen-on.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { isLoopback } from './mutual-tls.js';
import type { RunningService } from './running-service.js';
import type { TlsMaterial } from './tls-material.js';

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

/** Bodies may hold cards and personal data: nobody on the way keeps them. */
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const HEADERS_WITH_OFFER = { ...HEADERS, [FRAMES_OFFER]: '1' };
const SWITCHED = `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${FRAMES_PROTOCOL}\r\n\r\n`;
const NOT_SWITCHED = 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
const IDENTITY = 'URI:spiffe://sluice/';

/**
 * Where a service answers the others (D-45): JSON posted to fixed paths, over mutual TLS with an
 * allowlist for each path. A connection begins with HTTP; our own clients go on in frames on it
 * (decision 0048). Bodies are never logged.
 */
export class InternalServer implements RunningService {
  readonly #server: Server | TlsServer;
  readonly #callers = new WeakMap<Socket, string>();
  readonly #answers: InternalAnswers;
  readonly #framed: FramedServer;
  readonly #bodyBytesMax: number;
  #closing: Promise<void> | undefined;

  constructor(private readonly options: InternalServerOptions) {
    const { tls, logger, metrics, bodyBytesMax, unfinishedMax = UNFINISHED_MAX } = options;
    this.#answers = new InternalAnswers({ logger, metrics, unfinishedMax });
    this.#bodyBytesMax = bodyBytesMax ?? BODY_BYTES_MAX;
    this.#framed = new FramedServer({
      bodyBytesMax: this.#bodyBytesMax,
      answer: (call) => this.#answers.answer(call),
    });
    this.#server = this.#create(tls);
    this.#server.on('upgrade', this.#upgrade);
  }

  /** Adds a path; before or after `listen`. */
  route(route: InternalRoute): void {
    this.#answers.route(route);
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
    this.#answers.close();
    this.#framed.close();
    const over = new AbortController();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const waited = pause(this.options.closeWaitMs ?? CLOSE_WAIT_MS, undefined, over).then(
      () => {
        this.#server.closeAllConnections();
        this.#framed.destroy();
      },
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
    const { traceparent, [NDC_HEADER]: ndc } = request.headers;
    const { status, body, bodyBytes } = await this.#answers.answer({
      path: request.method === 'POST' ? request.url : undefined,
      caller: this.#callerOf(request.socket),
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      ndc: typeof ndc === 'string' ? ndc : undefined,
      body: () => bodyOf(request, this.#bodyBytesMax),
    });
    if (response.destroyed) return;
    // What is left of its body would have to be read before the next request of the connection, and
    // a kept connection would hold up the end.
    const isLast = !request.complete || this.#closing !== undefined;
    if (isLast) response.setHeader('connection', 'close');
    const headers = isLast ? HEADERS : HEADERS_WITH_OFFER;
    response.writeHead(status, { ...headers, 'content-length': bodyBytes });
    response.end(body);
  }

  readonly #upgrade = (request: IncomingMessage, socket: Socket, first: Buffer): void => {
    if (request.headers.upgrade !== FRAMES_PROTOCOL || this.#closing !== undefined) {
      socket.on('error', () => undefined);
      socket.end(NOT_SWITCHED);
      return;
    }
    socket.write(SWITCHED);
    if (first.length > 0) socket.unshift(first);
    this.#framed.serve(socket, this.#callerOf(socket));
  };

  /**
   * The service that the certificate of a connection names; the same for all its requests. Undefined
   * where nobody is checked.
   */
  #callerOf(socket: Socket): string | undefined {
    if (this.options.tls === undefined) return undefined;
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
