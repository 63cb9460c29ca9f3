import { createServer, type Server, type ServerResponse } from 'node:http';
import type { HealthChecks, HealthReport } from './health-checks.js';
import { listenOn } from './listen-on.js';
import type { PrometheusMetrics } from './prometheus-metrics.js';

/** Probes ask about every second; more connections than this are not from probes. */
const CONNECTIONS_MAX = 64;
/** Longer than a probe waits: a slow process must not refuse what it could still answer. */
const REQUEST_TIMEOUT_MS = 15_000;

/**
 * What a process reports to its supervisor, on a port of its own: `/livez` (restart it when not
 * 200), `/readyz` (send it requests when 200), `/startupz` (200 once it has started), and
 * `/metrics` for Prometheus. Plain HTTP, because probes speak nothing else (D-58), and it is never
 * reachable from outside.
 */
export class ManagementServer {
  readonly #server: Server;

  constructor(
    private readonly health: HealthChecks,
    private readonly metrics: Pick<PrometheusMetrics, 'contentType' | 'exposition'>,
  ) {
    this.#server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      request.resume();
      void this.#answer(request.url ?? '', response);
    });
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  /** Listens and tells where: `http://127.0.0.1:9080`. */
  listen(host: string, port: number): Promise<string> {
    return listenOn(this.#server, 'http', host, port);
  }

  /** Stops at once: later callers learn from that. */
  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  async #answer(path: string, response: ServerResponse): Promise<void> {
    if (path === '/metrics') return this.#expose(response);
    const report = await this.#report(path);
    if (report === undefined) {
      respond(response, 404, { paths: ['/livez', '/readyz', '/startupz', '/metrics'] });
      return;
    }
    const { isHealthy, phase, checks } = report;
    respond(response, isHealthy ? 200 : 503, { state: isHealthy ? 'ok' : 'failed', phase, checks });
  }

  async #expose(response: ServerResponse): Promise<void> {
    const text = await this.metrics.exposition();
    const { contentType } = this.metrics;
    response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' });
    response.end(text);
  }

  #report(path: string): Promise<HealthReport> | HealthReport | undefined {
    if (path === '/livez') return this.health.liveness();
    if (path === '/readyz') return this.health.readiness();
    if (path === '/startupz') return this.health.startup();
    return undefined;
  }
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
