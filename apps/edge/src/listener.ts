import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { BODY_BYTES_MAX } from '@sluice/parameters';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TrustedProxies } from './client-address.js';
import { limitConnections } from './connection-limit.js';

/** Request line and headers together; ordinary ones need 600 bytes. */
export const HEADER_BYTES_MAX = 16 * 1024;
/** A path id has 32 characters; anything longer is a mistyped path. */
export const PATH_PARAMETER_CHARACTERS_MAX = 100;
/** Headers that take longer are a slow client on purpose (S-INP-09). */
export const HEADERS_TIMEOUT_MS = 10_000;
/** The whole request, body included: 1 MiB in that time is 70 kB/s. */
export const REQUEST_TIMEOUT_MS = 15_000;
/** How late the two timeouts above may be noticed. */
export const TIMEOUT_CHECK_MS = 2_000;
/**
 * The longest silence on a connection; longer than any answer takes (30 s for a duplicate, D-36).
 */
export const CONNECTION_TIMEOUT_MS = 60_000;
/** Shops keep connections; a load balancer in front usually closes after 60 s itself. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Beyond it new connections are closed at once: memory stays bounded at some 20 kB each. */
export const CONNECTIONS_MAX = 10_000;

/** What the listener leaves to others, before any controller. */
export interface ListenerParts {
  /** Whose `X-Forwarded-For` is believed. */
  readonly proxies: TrustedProxies;
  /** Connections of one address; 0 = no limit. */
  readonly connectionsPerAddress: number;
  /** Called when a connection was one too many and was closed. */
  onConnectionRefused(): void;
  /** False: the request is answered, and its body is not to be read. */
  receive(request: FastifyRequest, reply: FastifyReply): boolean;
  /** The body as bytes, because the form parser must see duplicates and broken UTF-8. */
  readBody(request: FastifyRequest): Promise<Buffer | undefined>;
  /** The router gave up: a malformed percent sign or an endless path. */
  refuseUnroutable(request: FastifyRequest, reply: FastifyReply): void;
  /** Not HTTP at all, or too slow, or too long a header; ends the connection. */
  refuseUnreadable(error: Error & { code?: string }, socket: Socket): void;
}

/**
 * The HTTP server: Fastify below Nest, with every limit set here. Fastify leaves bodies as bytes;
 * they are read here once the caller is known (S-INP-01, S-INP-03, S-INP-05, S-AUT-02).
 */
export function listener(parts: ListenerParts): FastifyAdapter {
  const { networks } = parts.proxies;
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: networks.length > 0 && [...networks],
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Node would refuse with an empty body, and no host is served differently from another here.
      requireHostHeader: false,
    },
    // Requests on kept connections are still served while the listener closes; each of their
    // answers says `Connection: close`.
    return503OnClosing: false,
    // RFC 9110 9.3.2: HEAD is answered as GET, without the body. Load balancers and link checkers ask.
    exposeHeadRoutes: true,
    routerOptions: {
      maxParamLength: PATH_PARAMETER_CHARACTERS_MAX,
      // The base URL ends with a slash (Interface 4); clients join it with `/v1/…`.
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
      // Queries go through the form parser as well.
      querystringParser: () => ({}),
    },
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      parts.refuseUnroutable(request, reply),
    clientErrorHandler: (error, socket) => parts.refuseUnreadable(error, socket),
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  const { server } = fastify;
  server.maxConnections = CONNECTIONS_MAX;
  limitConnections(server, {
    perAddress: parts.connectionsPerAddress,
    proxies: parts.proxies,
    onRefused: () => parts.onConnectionRefused(),
  });
  // Node would answer an unknown expectation with 417 and an empty body; here it is ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request: FastifyRequest) => parts.readBody(request));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (parts.receive(request, reply)) done();
  });
  // Known clients send a form with GET and DELETE (wire contract 1).
  fastify.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  return adapter;
}
