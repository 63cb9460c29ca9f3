import { CellSettings } from '@sluice/messaging';
import type { ServiceDeclaration } from '@sluice/service';
import { AuthenticationServerSettings } from './authentication/authentication-settings.js';
import { riskMetrics } from './risk-metrics.js';
import { migrations } from './schema.js';
import { RiskSettings } from './settings.js';
import { RiskUpstreams } from './upstreams.js';

/** What tools know of risk. */
export const risk: ServiceDeclaration = {
  settings: [RiskSettings, AuthenticationServerSettings, RiskUpstreams, CellSettings],
  metrics: riskMetrics,
  migrations,
};
