// Runs jest in the project whose folder is the working directory: `node ../../tools/jest.mjs [args]`.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const configuration = fileURLToPath(new URL('./jest.config.mjs', import.meta.url));
const result = spawnSync(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--experimental-vm-modules',
    require.resolve('jest/bin/jest'),
    '--config',
    configuration,
    '--rootDir',
    process.cwd(),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
process.exit(result.status ?? 1);
