import { counter, HTTP_DURATION_BUCKETS, histogram } from './metric-declarations.js';
import type { MetricDeclaration } from './metric-declarations.js';
import { type Metrics, noMetrics } from './metrics.js';

/** Routes and callers are names of our own services; there are fewer than this of both. */
const ROUTES_MAX = 40;
const CALLERS_MAX = 20;

const RESULTS = [
  'answered',
  'noRoute',
  'forbidden',
  'closed',
  'overloaded',
  'malformed',
  'tooLarge',
  'failed',
] as const;

const duration = histogram(
  'http_server_request_duration_seconds',
  'How long a request took, by route and status.',
  {
    http_request_method: ['POST'],
    http_route: { atMost: ROUTES_MAX },
    http_response_status_code: ['200', '400', '403', '404', '413', '500', '503'],
  },
  HTTP_DURATION_BUCKETS,
);

const calls = counter(
  'sluice_internal_calls_total',
  'Requests of other services by route, by the service that the certificate names (unchecked without TLS, other where it may not call), and by what became of them.',
  { http_route: { atMost: ROUTES_MAX }, caller: { atMost: CALLERS_MAX }, result: RESULTS },
);

/** What a service with an internal port emits. */
export const internalServerMetrics: readonly MetricDeclaration[] = [duration, calls];

/** A request of another service, when it has ended. */
export interface EndedCall {
  /** Of the route; empty where there is none. */
  readonly path: string;
  readonly caller: string;
  readonly result: (typeof RESULTS)[number];
  readonly status: number;
  readonly seconds: number;
}

/** Counts what other services ask. */
export class InternalCalls {
  readonly #durations;
  readonly #calls;

  constructor(metrics: Metrics = noMetrics) {
    this.#durations = metrics.histogram(duration);
    this.#calls = metrics.counter(calls);
  }

  /** One request has ended. */
  ended({ path, caller, result, status, seconds }: EndedCall): void {
    this.#calls.add({ http_route: path, caller, result });
    const labels = {
      http_request_method: 'POST',
      http_route: path,
      http_response_status_code: STATUS_TEXT[status] ?? '',
    };
    this.#durations.observe(labels, seconds);
  }
}

/** Prepared, so that no number is converted to text for each request. */
const STATUS_TEXT: Readonly<Record<number, string>> = Object.fromEntries(
  [200, 400, 403, 404, 413, 500, 503].map((status) => [status, String(status)]),
);
