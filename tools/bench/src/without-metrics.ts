import { noMetrics, PrometheusMetrics } from '@sluice/service';

/*
 * Loaded before a service (`node --import`): its registry then is the one that counts nothing, and
 * nobody watches its event loop and its collector of garbage. The service itself is as always, and
 * cannot be told to do without metrics. What remains of them is that values are handed over.
 */

Object.assign(PrometheusMetrics.prototype, { ...noMetrics, observeProcess: () => undefined });
