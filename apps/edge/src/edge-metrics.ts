import { commandSenderMetrics, kafkaProducerMetrics, kafkaReaderMetrics } from '@sluice/messaging';
import { codes } from '@sluice/result-codes';
import {
  counter,
  gauge,
  histogram,
  HTTP_DURATION_BUCKETS,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';
import type { Refusal } from './answer.js';
import { routes } from './operations.js';

/** The paths that edge serves; whatever else is asked for is `other`. */
const PATHS = [...new Set(routes.map(({ path }) => path))];
const STATUSES = [200, 304, 400, 401, 403, 404, 500, 503];
/** Precomputed, so that no number is formatted for each request. */
const STATUS_TEXT: Readonly<Record<number, string>> = Object.fromEntries(
  STATUSES.map((status) => [status, String(status)]),
);

const durations = histogram(
  'http_server_request_duration_seconds',
  'How long a request took, by route and status.',
  {
    http_request_method: ['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PUT', 'PATCH'],
    http_route: PATHS,
    http_response_status_code: STATUSES.map(String),
  },
  HTTP_DURATION_BUCKETS,
);
const open = gauge('sluice_open_requests', 'Requests of merchants that are being answered.');
const rateLimited = counter(
  'sluice_rate_limited_total',
  'Requests that were refused because their access token had sent too many (800.120.100).',
);
const refusedParameters = counter(
  'sluice_refused_parameters_total',
  'Parameters that were refused, several of one request each for itself.',
);

const bodyBytes = gauge('sluice_request_body_bytes', 'Bytes of request bodies that are in memory.');
const turnedAway = counter(
  'sluice_turned_away_total',
  'Bodies that there was no memory for, and connections beyond what one address may have.',
  { reason: ['memory', 'connections'] },
);

/** What edge emits. */
export const edgeMetrics: ServiceMetrics = {
  service: 'edge',
  declarations: [
    ...[durations, open, rateLimited, refusedParameters, bodyBytes, turnedAway],
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics, ...commandSenderMetrics],
  ],
};

/** One answered request. */
interface AnsweredRequest {
  readonly method: string;
  readonly status: number;
  readonly resultCode: string;
  readonly durationMs: number;
}

/** Where edge counts. */
export class EdgeMetrics {
  readonly #durations;
  readonly #rateLimited;
  readonly #refusedParameters;
  readonly #turnedAway;
  #open = 0;

  constructor(private readonly metrics: Metrics = noMetrics) {
    this.#durations = metrics.histogram(durations);
    this.#rateLimited = metrics.counter(rateLimited).of({});
    this.#refusedParameters = metrics.counter(refusedParameters).of({});
    const away = metrics.counter(turnedAway);
    // Both exist from the start, because a rate can only be computed for a series that existed
    // before it grew.
    this.#turnedAway = {
      memory: away.of({ reason: 'memory' }),
      connections: away.of({ reason: 'connections' }),
    };
    metrics.gauge(open, () => this.#open);
  }

  /** Shows how much memory bodies take. */
  watchBodies(bytes: () => number): void {
    this.metrics.gauge(bodyBytes, bytes);
  }

  turnedAway(reason: 'memory' | 'connections'): void {
    this.#turnedAway[reason].add();
  }

  began(): void {
    this.#open += 1;
  }

  ended(): void {
    this.#open -= 1;
  }

  /** @param route as the router has it; absent where there is none */
  answered({ method, status, resultCode, durationMs }: AnsweredRequest, route = ''): void {
    const labels = {
      http_request_method: method,
      http_route: route,
      http_response_status_code: STATUS_TEXT[status] ?? '',
    };
    this.#durations.observe(labels, durationMs / 1_000);
    if (resultCode === codes.tooManyRequests) this.#rateLimited.add();
  }

  refused({ parameterErrors }: Refusal): void {
    if (parameterErrors !== undefined) this.#refusedParameters.add(parameterErrors.length);
  }
}
