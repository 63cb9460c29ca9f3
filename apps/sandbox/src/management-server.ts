import { portRefusal } from '@sluice/local-installation';
import { type Logger, serializeError } from '@sluice/service';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What became of a seed. */
export type SeedOutcome =
  | { readonly channels: number }
  /** `line` counts from 1; absent where it is what the file adds up to. */
  | { readonly line?: number; readonly reason: string };

/** What is managed here. */
export interface Managed {
  /** Whether payments can be taken, and the body that says so. */
  health(): Promise<{ readonly isReady: boolean; readonly body: object }>;
  /** Resolves when everything is forgotten and payments can be taken again. */
  reset(): Promise<void>;
  /** Creates or replaces the channels of a seed file's text. */
  seed(text: string): Promise<SeedOutcome>;
}

/** Tests of one machine; more connections than this are somebody else's. */
const CONNECTIONS_MAX = 256;
const REQUEST_TIMEOUT_MS = 15_000;
/** The size of a seed: a file may have four million characters of four bytes each. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Route {
  readonly method: 'GET' | 'POST';
  readonly answer: (managed: Managed, body: Buffer) => Promise<Answer>;
}

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/health', { method: 'GET', answer: health }],
  ['/reset', { method: 'POST', answer: reset }],
  ['/seed', { method: 'POST', answer: seed }],
]);

/**
 * What a test does to the sandbox beside paying, on a port of its own: `GET /health`, `POST /reset`
 * and `POST /seed`. There are no credentials: whoever reaches it may do all of it, which is why it
 * listens on loopback unless it is told otherwise, and why no service has it.
 */
export class SandboxManagementServer {
  readonly #server: Server;
  #managed: Managed | undefined;

  constructor(private readonly logger: Logger) {
    this.#server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      void this.#serve(request, response);
    });
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  /** From now on there is something to manage; until then every path answers 503. */
  manage(managed: Managed): void {
    this.#managed = managed;
  }

  /** Listens and tells where: `http://127.0.0.1:9080`. Throws PortInUse. */
  listen(host: string, port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        reject(portRefusal(host, port, error, '--management-port'));
      });
      this.#server.listen(port, host, () => {
        const taken = (this.#server.address() as AddressInfo).port;
        resolve(`http://${host.includes(':') ? `[${host}]` : host}:${taken}`);
      });
    });
  }

  /** Stops at once: later callers learn from that. */
  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, headers } = await this.#answer(request).catch((error: unknown) => {
      const { name, code, message } = serializeError(error);
      this.logger.error({ err: error }, 'A management request failed');
      return answer(500, { reason: `${code ?? name}: ${message}` });
    });
    response.writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...headers,
    });
    response.end(`${JSON.stringify(body)}\n`);
    // What was not read of a refused request's body.
    request.resume();
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '', headers } = request;
    const route = ROUTES.get(url);
    if (route === undefined) return answer(404, { paths: [...ROUTES.keys()] });
    if (method !== route.method) {
      const reason = `${url} takes ${route.method} and nothing else.`;
      return answer(405, { reason }, { allow: route.method });
    }
    // A page in a developer's browser reaches loopback too, and browsers always say whose page it
    // is.
    if (headers.origin !== undefined) {
      return answer(403, { reason: 'The pages of a browser may not manage the sandbox.' });
    }
    const body = await bodyOf(request);
    if (body === undefined) {
      const reason = `The body has more than ${BODY_BYTES_MAX} bytes.`;
      return answer(413, { reason }, { connection: 'close' });
    }
    if (this.#managed === undefined) return answer(503, { status: 'starting' });
    return route.answer(this.#managed, body);
  }
}

function answer(status: number, body: object, headers: Answer['headers'] = {}): Answer {
  return { status, body, headers };
}

async function health(managed: Managed): Promise<Answer> {
  const { isReady, body } = await managed.health();
  return answer(isReady ? 200 : 503, body);
}

async function reset(managed: Managed, body: Buffer): Promise<Answer> {
  if (body.length > 0) return answer(400, { reason: 'A reset takes no body.' });
  await managed.reset();
  return answer(200, { status: 'ready' });
}

async function seed(managed: Managed, body: Buffer): Promise<Answer> {
  const text = utf8(body);
  if (text === undefined) return answer(400, { line: 1, reason: 'the seed is not UTF-8' });
  const outcome = await managed.seed(text);
  return answer('reason' in outcome ? 400 : 200, outcome);
}

function utf8(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** Undefined when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let lengthBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    lengthBytes += chunk.length;
    if (lengthBytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
