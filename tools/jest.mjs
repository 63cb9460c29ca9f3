// Runs jest in the project whose folder is the working directory: `node ../../tools/jest.mjs [args]`.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import './ensure-packages.mjs';
import { suiteEnvironment } from './suite-environment.mjs';

const require = createRequire(import.meta.url);
const configuration = fileURLToPath(new URL('./jest.config.mjs', import.meta.url));
const given = process.argv.slice(2);
// That every project has specs is asserted in tools/repository, where it can name all that do not.
const flags = given.length === 0 ? ['--passWithNoTests'] : given;
const result = spawnSync(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--experimental-vm-modules',
    require.resolve('jest/bin/jest'),
    ...['--config', configuration, '--rootDir', process.cwd()],
    ...flags,
  ],
  { stdio: 'inherit', env: suiteEnvironment(process.env) },
);
process.exit(result.status ?? 1);
