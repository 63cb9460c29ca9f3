import { runService } from '@sluice/service';
import { simulatorMetrics } from './simulator-metrics.js';
import { SimulatorSettings } from './settings.js';
import { SimulatorModule } from './simulator.module.js';

await runService({
  name: 'simulator',
  metrics: simulatorMetrics.declarations,
  settings: { simulator: SimulatorSettings },
  start: async ({ settings, logger, metrics, started }) => {
    const simulator = started(
      await SimulatorModule.start({ settings: settings.simulator, logger, metrics }),
    );
    logger.info({ url: simulator.url }, 'The simulator takes transactions.');
  },
});
