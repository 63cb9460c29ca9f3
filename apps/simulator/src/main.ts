import { runService } from '@sluice/service';
import { simulatorMetrics } from './simulator-metrics.js';
import { SimulatorSettings } from './settings.js';
import { SimulatorModule } from './simulator.module.js';

await runService({
  name: 'simulator',
  metrics: simulatorMetrics.declarations,
  settings: { simulator: SimulatorSettings },
  start: async ({ settings, logger, metrics, tls, started }) => {
    const simulator = started(
      await SimulatorModule.start({ settings: settings.simulator, logger, metrics, tls }),
    );
    logger.info({ url: simulator.url }, 'The simulator takes transactions.');
    const { directoryUrl } = simulator;
    if (directoryUrl !== undefined) {
      logger.info({ url: directoryUrl }, 'Its directory servers take authentications.');
    }
  },
});
