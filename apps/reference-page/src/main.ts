import { runService } from '@sluice/service';
import { referencePageMetrics } from './reference-page-metrics.js';
import { ReferencePageModule } from './reference-page.module.js';
import { ReferencePageSettings } from './settings.js';

await runService({
  name: 'reference-page',
  metrics: referencePageMetrics.declarations,
  settings: { page: ReferencePageSettings },
  start: async ({ settings, logger, metrics, started }) => {
    const page = started(
      await ReferencePageModule.start({ settings: settings.page, logger, metrics }),
    );
    logger.info({ url: page.url }, 'The reference page is served.');
  },
});
