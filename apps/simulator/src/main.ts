import { createLogger, loadSettings, SettingsError } from '@sluice/service';
import process from 'node:process';
import { SimulatorSettings } from './settings.js';
import { SimulatorModule } from './simulator.module.js';

const logger = createLogger({ service: 'simulator', level: 'info' });

try {
  const settings = loadSettings(SimulatorSettings, process.env);
  const simulator = await SimulatorModule.start({ settings, logger });
  logger.info({ url: simulator.url }, 'The simulator takes transactions');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      simulator.close().catch((error: unknown) => {
        logger.error({ err: error }, 'The simulator could not stop cleanly');
        process.exitCode = 1;
      });
    });
  }
} catch (error) {
  if (error instanceof SettingsError) logger.error(error.message);
  else logger.error({ err: error }, 'The simulator could not start');
  process.exitCode = 1;
}
