import {
  histogram,
  HTTP_DURATION_BUCKETS,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';

const STATUSES = [200, 302, 304, 404, 500];

/** The service has some twenty files; one label for them all says enough. */
const durations = histogram(
  'http_server_request_duration_seconds',
  'How long a request took, by route and status.',
  {
    http_request_method: ['GET', 'HEAD'],
    http_response_status_code: STATUSES.map(String),
  },
  HTTP_DURATION_BUCKETS,
);

/** What the service of the reference page emits. */
export const referencePageMetrics: ServiceMetrics = {
  service: 'reference-page',
  declarations: [durations],
};

/** Told of each request that was answered. */
export type OnAnswered = (method: string, status: number, elapsedMs: number) => void;

/** Counts what is served. */
export function requestMeter(metrics: Metrics = noMetrics): OnAnswered {
  const observed = metrics.histogram(durations);
  return (method, status, elapsedMs) => {
    const labels = { http_request_method: method, http_response_status_code: String(status) };
    observed.observe(labels, elapsedMs / 1_000);
  };
}
