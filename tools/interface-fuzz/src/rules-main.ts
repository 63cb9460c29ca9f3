import { seededRandom } from '@sluice/testing/programs';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startFuzzedSandbox } from './fuzzed-sandbox.js';
import { valuesToTry } from './rule-requests.js';
import { reportLines, runRules } from './rule-run.js';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    /** Repeats a run. */
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
  },
});

const { accepted, broken } = valuesToTry;
say(
  `Seed ${values.seed} (--seed ${values.seed} repeats it); the interface's notations give ` +
    `${accepted} right and ${broken} wrong values.`,
);
const sandbox = await startFuzzedSandbox();
try {
  const report = await runRules({
    url: sandbox.url,
    surroundings: sandbox.surroundings,
    random: seededRandom(values.seed),
    requests: Number.parseInt(values.requests, 10),
  });
  for (const line of reportLines(report)) say(line);
  if (report.findingsTotal > 0) process.exitCode = 1;
} finally {
  await sandbox.stop();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
