import { parsed, wholeNumber, wishOf } from '@sluice/command-line';
import { seconds } from '@sluice/kill-test';
import { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { type RoundResult, runRound } from './round.js';

const SECONDS_DEFAULT = 3_600;
const SECONDS_MAX = 86_400;
const PAYMENTS_DEFAULT = 16;
const PAYMENTS_MAX = 100;

interface Wish {
  readonly seconds: number;
  readonly seed: string;
  readonly payments: number;
  readonly cluster: boolean;
}

const wish = wishOf(
  parsed<Wish>({
    command: new Command('npm run test:history --')
      .description(
        'Pays, captures, refunds and looks at many payments at once while the installation is ' +
          'disturbed, and then judges what was seen: by three books, and by whether the answers ' +
          'about each payment fit into one order. Exit code 1 if anything does not.',
      )
      .option(
        '--seconds <n>',
        'how long; a round that has begun is finished',
        wholeNumber(SECONDS_MAX),
        SECONDS_DEFAULT,
      )
      .option('--seed <text>', 'repeats the requests and disturbances of a run')
      .option('--payments <n>', 'how many at once', wholeNumber(PAYMENTS_MAX), PAYMENTS_DEFAULT)
      .option('--cluster', 'a cluster with two payments processes instead of a sandbox', false),
    words: process.argv.slice(2),
    read: (command) => {
      const { seed = randomBytes(4).toString('hex'), ...given } = command.opts<
        Omit<Wish, 'seed'> & Partial<Wish>
      >();
      return { kind: 'wish', wish: { seed, ...given } };
    },
  }),
);
if (wish !== undefined) await check(wish);

/** Rounds until the time is over, each with a seed of its own, by which it can be repeated alone. */
async function check({ seconds: limit, seed, payments, cluster: isCluster }: Wish): Promise<void> {
  const startedAt = performance.now();
  const results: RoundResult[] = [];
  let longestMs = 0;
  do {
    const roundAt = performance.now();
    const roundSeed = results.length === 0 ? seed : `${seed}-${results.length + 1}`;
    say(`round ${results.length + 1}: --seed ${roundSeed}`);
    const result = await runRound({ seed: roundSeed, payments, isCluster, say });
    results.push(result);
    for (const finding of result.findings) say(`FOUND (--seed ${roundSeed}): ${finding}`);
    longestMs = Math.max(longestMs, performance.now() - roundAt);
  } while (performance.now() - startedAt + longestMs < limit * 1_000);
  const sum = (of: (result: RoundResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const wrong = results.filter(({ findings }) => findings.length > 0).length;
  say(
    `${results.length} rounds in ${seconds(performance.now() - startedAt)}: ` +
      `${sum((each) => each.payments)} payments, ${sum((each) => each.requests)} requests ` +
      `(${sum((each) => each.unanswered)} without an answer at some time), ` +
      `${sum((each) => each.reads)} looks, ${sum((each) => each.unsure)} payments too hard to judge.`,
  );
  say(
    wrong === 0
      ? 'Every answer fits: the three books agree, and each payment can have happened.'
      : `${wrong} rounds show what must not be.`,
  );
  if (wrong > 0) process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
