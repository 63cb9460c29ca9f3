// `npm start`, in the repository.
import { SandboxSettings } from '@sluice/local-installation';
import { runSandbox } from './run-sandbox.js';

await runSandbox({
  usage: 'npm start --',
  settings: SandboxSettings,
  shownFolder: '<repository>/.sluice',
  sluice: 'npm run --silent sluice --',
});
