import {
  histogram,
  HTTP_DURATION_BUCKETS,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';
import { walletScriptNames } from './wallets/wallet-scripts.js';
import { WALLETS_PATH } from './wallets/wallets-path.js';

const STATUSES = [200, 400, 404, 413, 415, 500];
const STATUS_TEXT: Readonly<Record<number, string>> = Object.fromEntries(
  STATUSES.map((status) => [status, String(status)]),
);

const durations = histogram(
  'http_server_request_duration_seconds',
  'How long a request took, by route and status.',
  {
    http_request_method: ['GET', 'POST'],
    http_route: [
      '/transactions',
      '/transactions/:reference',
      '/transactions/:reference/reversal',
      '/book',
      `${WALLETS_PATH}/:wallet`,
      `${WALLETS_PATH}/applePay/session`,
      ...walletScriptNames.map((name) => `${WALLETS_PATH}/${name}`),
    ],
    http_response_status_code: STATUSES.map(String),
  },
  HTTP_DURATION_BUCKETS,
);

/** What the simulator emits. */
export const simulatorMetrics: ServiceMetrics = { service: 'simulator', declarations: [durations] };

/** Told of each request that was answered, not of those that were dropped as asked. */
export type OnAnswered = (
  method: string,
  route: string | undefined,
  status: number,
  elapsedMs: number,
) => void;

/** Counts what the simulator answers. */
export function requestMeter(metrics: Metrics = noMetrics): OnAnswered {
  const observed = metrics.histogram(durations);
  return (method, route, status, elapsedMs) => {
    const labels = {
      http_request_method: method,
      http_route: route ?? '',
      http_response_status_code: STATUS_TEXT[status] ?? '',
    };
    observed.observe(labels, elapsedMs / 1_000);
  };
}
