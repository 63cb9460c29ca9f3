import type { ServiceDeclaration } from '@sluice/service';
import { referencePageMetrics } from './reference-page-metrics.js';
import { ReferencePageSettings } from './settings.js';

/** What tools know of the reference page. */
export const referencePage: ServiceDeclaration = {
  settings: [ReferencePageSettings],
  metrics: referencePageMetrics,
};
