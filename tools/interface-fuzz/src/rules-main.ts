import { parsed, wholeNumber, wishOf } from '@sluice/command-line';
import { seededRandom } from '@sluice/testing/programs';
import { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import { startFuzzedSandbox } from './fuzzed-sandbox.js';
import { valuesToTry } from './rule-requests.js';
import { reportLines, runRules } from './rule-run.js';

const REQUESTS_DEFAULT = 50_000;
const REQUESTS_MAX = 10_000_000;

interface Wish {
  readonly requests: number;
  readonly seed: string;
}

function described(): Command {
  return new Command('npm run fuzz:rules --')
    .description(
      "Asks a sandbox for its verdict on requests that are right or wrong in one rule, and compares it with the interface's own.",
    )
    .option('--requests <n>', 'how many', wholeNumber(REQUESTS_MAX), REQUESTS_DEFAULT)
    .option('--seed <text>', 'repeats the requests of a run');
}

const wish = wishOf(
  parsed<Wish>({
    command: described(),
    words: process.argv.slice(2),
    read: (command) => {
      const { requests, seed = randomBytes(4).toString('hex') } = command.opts<
        Pick<Wish, 'requests'> & Partial<Wish>
      >();
      return { kind: 'wish', wish: { requests, seed } };
    },
  }),
);
if (wish !== undefined) await fuzz(wish);

async function fuzz({ requests, seed }: Wish): Promise<void> {
  const { accepted, broken } = valuesToTry;
  say(
    `Seed ${seed} (--seed ${seed} repeats it); the interface's notations give ` +
      `${accepted} right and ${broken} wrong values.`,
  );
  const sandbox = await startFuzzedSandbox();
  try {
    const { url, context } = sandbox;
    const random = seededRandom(seed);
    const report = await runRules({ url, context, random, requests });
    for (const line of reportLines(report)) say(line);
    if (report.findingsTotal > 0) process.exitCode = 1;
  } finally {
    await sandbox.stop();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
