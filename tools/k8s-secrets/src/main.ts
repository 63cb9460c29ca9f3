import { wishOf } from '@sluice/command-line';
import { readSeedFile } from '@sluice/local-installation';
import { createLogger } from '@sluice/service';
import process from 'node:process';
import { readCommandLine, type SecretsWish } from './command-line.js';
import { makeSecrets } from './secrets.js';
import { summaryOf } from './summary.js';

const EXIT_REFUSED = 2;

const wish = wishOf(readCommandLine(process.argv.slice(2)));
if (wish !== undefined) await run(wish);

async function run(wished: SecretsWish): Promise<void> {
  try {
    process.stdout.write(await make(wished));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = EXIT_REFUSED;
  }
}

async function make({ seed, ...wished }: SecretsWish): Promise<string> {
  const from = new Date();
  const made = await makeSecrets({
    ...wished,
    from,
    seed: seed === undefined ? undefined : await readSeedFile(seed),
    logger: createLogger({ service: 'k8s-secrets', level: 'error' }),
  });
  return summaryOf(wished.output, made, from);
}
