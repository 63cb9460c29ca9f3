import { runService } from '@sluice/service';
import { SimulatorSettings } from './settings.js';
import { SimulatorModule } from './simulator.module.js';

await runService({
  name: 'simulator',
  settings: { simulator: SimulatorSettings },
  start: async ({ settings, logger, started }) => {
    const simulator = started(
      await SimulatorModule.start({ settings: settings.simulator, logger }),
    );
    logger.info({ url: simulator.url }, 'The simulator takes transactions.');
  },
});
