import { messageCharactersMax } from '@sluice/domain-three-d-secure';
import { isLoopback, ListenError, type Logger, type TlsMaterial } from '@sluice/service';
import Fastify, { type FastifyInstance } from 'fastify';
import type { X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { AuthenticationResults } from './authentication-results.js';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Whoever sends a message more slowly has stopped. */
const REQUEST_WITHIN_MS = 10_000;
/** Directory servers keep few connections; more are somebody else's. */
const CONNECTIONS_MAX = 200;
const PATH = '/3ds/results';

/** What it is made of. */
export interface ResultsServerParts {
  readonly results: Pick<AuthenticationResults, 'receive'>;
  /** Absent: plain HTTP, to this machine alone. */
  readonly tls?: TlsMaterial | undefined;
  readonly logger: Pick<Logger, 'error' | 'info'>;
}

/**
 * Where directory servers tell results (RReq), on a port of its own, because those who send are identified
 * there: by mutual TLS. A message from anybody else is never read.
 */
export class ResultsServer {
  readonly #server: FastifyInstance;
  readonly #certificates = new WeakMap<Socket, X509Certificate>();

  constructor(private readonly parts: ResultsServerParts) {
    const { tls, results, logger } = parts;
    this.#server = Fastify({
      bodyLimit: messageCharactersMax.RReq,
      // Those of a directory server that keeps them; a result that is being told is heard out.
      forceCloseConnections: 'idle',
      serverFactory: (handler) => {
        const server = tls === undefined ? createServer(handler) : secureServer(tls, handler);
        server.maxConnections = CONNECTIONS_MAX;
        // Of a server that was made elsewhere, Fastify sets none.
        server.requestTimeout = REQUEST_WITHIN_MS;
        server.headersTimeout = REQUEST_WITHIN_MS;
        return server;
      },
    });
    // Read by the tables, so that what is no JSON is answered as EMV has it.
    this.#server.removeAllContentTypeParsers();
    this.#server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, String(body)),
    );
    this.#server.post(PATH, async (request, reply) => {
      const text = typeof request.body === 'string' ? request.body : '';
      const answer = await results.receive(text, this.#certificateOf(request.raw.socket));
      return reply.type(JSON_TYPE).send(JSON.stringify(answer));
    });
    this.#server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const { statusCode = 500 } = error;
      // The sender tries again: its result is not lost by a database that is away.
      if (statusCode >= 500) logger.error({ err: error }, 'A result of an issuer is not recorded.');
      return reply.code(statusCode).type(JSON_TYPE).send('{}');
    });
  }

  /** The same for all messages of a connection; none in clear. */
  #certificateOf(socket: Socket): X509Certificate | undefined {
    const known = this.#certificates.get(socket);
    if (known !== undefined || !(socket instanceof TLSSocket)) return known;
    const certificate = socket.getPeerX509Certificate();
    // TLS has demanded one.
    if (certificate === undefined) throw new Error('A connection has no certificate.');
    this.#certificates.set(socket, certificate);
    return certificate;
  }

  /** Listens and tells where results go. Throws ListenError: in clear it listens to its own machine alone. */
  async listen(host: string, port: number): Promise<string> {
    const { tls, logger } = this.parts;
    if (tls === undefined && !isLoopback(host)) {
      throw new ListenError(`Without TLS files nobody would check who tells results to ${host}.`);
    }
    const url = await this.#server.listen({ host, port });
    // Of a server that was made elsewhere, Fastify does not know what it speaks.
    const told = `${tls === undefined ? url : url.replace(/^http:/u, 'https:')}${PATH}`;
    logger.info({ url: told }, 'Results of authentications are taken.');
    return told;
  }

  /** Takes nothing new, and answers what has begun. */
  async close(): Promise<void> {
    await this.#server.close();
  }
}

function secureServer(tls: TlsMaterial, handler: Parameters<typeof createServer>[1]) {
  const identified = {
    ...({ requestCert: true, rejectUnauthorized: true } as const),
    handshakeTimeout: REQUEST_WITHIN_MS,
  };
  const minVersion = 'TLSv1.2' as const;
  const server = createTlsServer({ ...identified, minVersion, ...tls.current }, handler);
  tls.onChange(() => server.setSecureContext({ minVersion, ...tls.current }));
  return server;
}
