import { databaseMetrics, internalServerMetrics, type ServiceMetrics } from '@sluice/service';

/** What risk emits. */
export const riskMetrics: ServiceMetrics = {
  service: 'risk',
  declarations: [...databaseMetrics, ...internalServerMetrics],
};
