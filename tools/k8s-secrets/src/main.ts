import { readSeedFile } from '@sluice/local-installation';
import { createLogger } from '@sluice/service';
import process from 'node:process';
import { readCommandLine, USAGE } from './command-line.js';
import { makeSecrets } from './secrets.js';
import { summaryOf } from './summary.js';

const EXIT_USAGE = 2;

async function run(words: readonly string[]): Promise<string> {
  const wished = readCommandLine(words);
  if (wished === undefined) return USAGE;
  const { seed, ...wish } = wished;
  const from = new Date();
  const made = await makeSecrets({
    ...wish,
    from,
    seed: seed === undefined ? undefined : await readSeedFile(seed),
    logger: createLogger({ service: 'k8s-secrets', level: 'error' }),
  });
  return summaryOf(wish.output, made, from);
}

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = EXIT_USAGE;
}
