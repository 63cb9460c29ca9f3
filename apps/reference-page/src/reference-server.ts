import Fastify, { type FastifyInstance, type FastifyPluginCallback } from 'fastify';
import type { OnAnswered } from './reference-page-metrics.js';

/** Whoever reads the page sends no bodies. */
const BODY_BYTES_MAX = 1_024;
/** Headers that take longer are a slow client on purpose. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** A load balancer in front usually closes after 60 s itself. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Beyond it new connections are closed at once: memory stays bounded. */
const CONNECTIONS_MAX = 1_000;

/** A server for the reference alone. */
export function referenceServer(
  routes: FastifyPluginCallback,
  onAnswered: OnAnswered,
): FastifyInstance {
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    forceCloseConnections: 'idle',
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true },
  });
  server.server.maxConnections = CONNECTIONS_MAX;
  server.addHook('onResponse', ({ method }, reply, done) => {
    onAnswered(method, reply.statusCode, reply.elapsedTime);
    done();
  });
  void server.register(routes);
  return server;
}
