import { wishOf } from '@sluice/command-line';
import {
  ClusterUnusable,
  LocalPrograms,
  PatientPrograms,
  ProgramFailed,
  ProgramMissing,
} from '@sluice/kubectl';
import { SettingRefused } from '@sluice/local-installation';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type DeployWish, readCommandLine } from './command-line.js';
import { DeployRefused } from './deploy-refused.js';
import { Deployment } from './deployment.js';
import { RolloutFailed } from './rollout.js';
import { TrialFailed } from './trial-payment.js';

const EXIT_FAILED = 1;
const EXIT_REFUSED = 2;
/** Errors whose message is all that anybody needs. */
const REFUSALS = [ClusterUnusable, DeployRefused, SettingRefused];
const FAILURES = [ProgramFailed, ProgramMissing, RolloutFailed, TrialFailed];

const wish = wishOf(readCommandLine(process.argv.slice(2)));
if (wish !== undefined) await deploy(wish);

async function deploy(wish: DeployWish): Promise<void> {
  const stopping = new AbortController();
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const deployment = new Deployment({
    wish,
    folder: fileURLToPath(new URL('../../../', import.meta.url)),
    programs: new PatientPrograms(new LocalPrograms(stopping.signal), {
      signal: stopping.signal,
      say,
    }),
    signal: stopping.signal,
    say,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopping.abort();
      deployment.close();
    });
  }
  try {
    await deployment.run();
  } catch (error) {
    if (stopping.signal.aborted) process.stderr.write('Stopped; what was applied stays.\n');
    else if (isOneOf(error, [...REFUSALS, ...FAILURES])) process.stderr.write(`${error.message}\n`);
    else throw error;
    process.exitCode = isOneOf(error, REFUSALS) ? EXIT_REFUSED : EXIT_FAILED;
  }
}

function isOneOf(
  error: unknown,
  kinds: readonly (abstract new (...words: never[]) => Error)[],
): error is Error {
  return kinds.some((kind) => error instanceof kind);
}
