import { migrations } from '@sluice/event-store';
import { CellSettings } from '@sluice/messaging';
import type { ServiceDeclaration } from '@sluice/service';
import { registrationsMetrics } from './registration-metrics.js';
import { RegistrationsSettings } from './settings.js';
import { RegistrationsUpstreams } from './upstreams.js';

/** What tools have to know about registrations. */
export const registrations: ServiceDeclaration = {
  settings: [RegistrationsSettings, RegistrationsUpstreams, CellSettings],
  metrics: registrationsMetrics,
  migrations,
};
