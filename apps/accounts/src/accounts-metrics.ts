import {
  databaseMetrics,
  gauge,
  internalServerMetrics,
  type Metrics,
  type ServiceMetrics,
} from '@sluice/service';

const askers = gauge(
  'sluice_accounts_askers',
  'Instances of edge that asked for the access directory in the last seconds, and share the rate limits; absent until one has asked.',
);

/** The metrics of accounts. */
export const accountsMetrics: ServiceMetrics = {
  service: 'accounts',
  declarations: [askers, ...databaseMetrics, ...internalServerMetrics],
};

/** Shows how many askers the last answer counted. */
export function watchAskers(
  metrics: Metrics,
  counted: { readonly last: number | undefined },
): void {
  metrics.gauge(askers, () => counted.last);
}
