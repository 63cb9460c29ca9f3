import { wholeNumber } from '@sluice/command-line';
import { Command, InvalidArgumentError, Option } from 'commander';

export const DEFAULT_RATES: readonly number[] = [300, 100, 500, 1000, 1500, 2000, 2500, 3000];
/** What D-60 compares at; more does not find room on two cores beside a second cluster. */
export const DEFAULT_COMPARED_RATES: readonly number[] = [300];
export const DEFAULT_SECONDS = 15;
/** A moderate load: what grows shows in its cost, and p99 is not the queue's. */
export const DEFAULT_GROWING_RATE = 150;
export const DEFAULT_GROWING_SECONDS = 5;
/** Some minutes, and some gigabytes of disk. */
export const DEFAULT_SIZES: readonly number[] = [10_000, 100_000, 1_000_000];
/** The warm-up alone makes a third of that. */
const SIZE_MIN = 10_000;
/** Far above what any disk takes. */
const SIZE_MAX = 1_000_000_000;
/** D-60: so many pairs make a cost visible that is below the drift of the machine. */
export const DEFAULT_PAIRS = 7;
/** Far above what any machine takes; a longer number is a slip. */
const RATE_MAX = 100_000;
const SECONDS_MAX = 3_600;
const PAIRS_MAX = 100;
/** What `npm run cluster` starts on one machine. */
const CELLS_MAX = 8;

/** What the flags say. */
export interface Options {
  readonly rates?: readonly number[];
  readonly seconds?: number;
  readonly cluster?: true;
  readonly clusterOnly?: true;
  readonly rebuild?: true;
  readonly parameters?: true;
  readonly wallets?: true;
  readonly iso8583?: true;
  readonly form?: true;
  readonly watching?: true;
  readonly account?: true;
  readonly cost?: true;
  readonly grow?: true;
  readonly reads?: true;
  readonly registrations?: true;
  readonly checkouts?: true;
  readonly risk?: true;
  readonly threeDSecure?: true;
  readonly schedules?: true;
  readonly webhooks?: true;
  readonly stored?: number;
  readonly payments?: readonly number[];
  readonly picture?: string;
  readonly against?: string;
  readonly together?: true;
  readonly cells?: number;
  readonly model?: true;
  readonly pairs?: number;
  readonly profile?: string;
}

/** The flags, and what they are for. */
export function described(): Command {
  const command = new Command('npm run bench --').description(
    'Pays at one rate after the other, and says what a payment costs beside what the machine ' +
      'itself can do, which is measured before and after.',
  );
  return withWays(command)
    .option(
      '--rates <n,n,…>',
      `payments a second, in this order (default: ${DEFAULT_RATES.join(',')}; with --watching, ` +
        `--account, --reads, --registrations, --checkouts, --risk, --three-d-secure or --webhooks: ${DEFAULT_COMPARED_RATES.join(',')}; with --grow one: ${DEFAULT_GROWING_RATE})`,
      rateList,
    )
    .option(
      '--seconds <n>',
      `how long each rate is offered (default: ${DEFAULT_SECONDS}; with --grow: ${DEFAULT_GROWING_SECONDS})`,
      wholeNumber(SECONDS_MAX),
    )
    .option('--cluster', 'the cluster too, after the sandbox and between the same floors')
    .addOption(new Option('--cluster-only', 'the cluster without the sandbox').conflicts('cluster'))
    .option(
      '--pairs <n>',
      `with --watching, --grow, --reads, --registrations, --checkouts, --risk, --three-d-secure or --against: how many (default: ${DEFAULT_PAIRS})`,
      wholeNumber(PAIRS_MAX),
    )
    .option(
      '--payments <n,n,…>',
      `with --grow: sizes of the store, rising (default: ${DEFAULT_SIZES.join(',')}, which takes ten ` +
        'minutes and 10 GB of disk)',
      sizeList,
    )
    .option(
      '--stored <n>',
      'with --registrations: creating, reading and paying with so many stored, beside a thousand; with ' +
        '--checkouts: what others notice when ten thousand of so many end in a second; with --schedules: ' +
        'how many are not due. A million takes some minutes and 4 GB of disk',
      wholeNumber(SIZE_MAX),
    )
    .option('--picture <file>', 'with --grow: writes an SVG of the lines there')
    .option(
      '--profile <folder>',
      'writes CPU profiles there; such figures are not to be quoted. With --account or ' +
        '--reads they are from runs of their own, and a flame picture of each is beside it',
    );
}

/** What can be measured in place of the ladder; one at a time. */
function withWays(command: Command): Command {
  const ways: readonly (readonly [flag: string, description: string])[] = [
    ['rebuild', 'how fast a projection is made again'],
    ['parameters', 'parsing and checking requests alone, in seconds'],
    ['wallets', 'opening the tokens of wallets alone, in seconds'],
    ['iso8583', 'packing and unpacking messages of ISO 8583 alone, in seconds'],
    [
      'form',
      'how soon the card form of a page is usable, in Chromium, on a fast and a slow machine',
    ],
    ['watching', 'what traces and metrics cost: pairs of runs with and without'],
    [
      'account',
      'what a payment costs, by process, by subsystem and in counts; and what rest costs',
    ],
    [
      'grow',
      'what payments and reads take with more and more payments in the store, in the sandbox',
    ],
    ['reads', 'what reads take in the sandbox, against a bare server with one indexed read'],
    ['registrations', 'what a payment by registration takes beside one by card, in the sandbox'],
    ['checkouts', 'what it takes to make a checkout and read it, beside a payment'],
    ['risk', 'what a payment takes in a channel with rules, beside one without, in the sandbox'],
    [
      'three-d-secure',
      'what a payment with frictionless 3-D Secure takes beside one without, in the cluster, without the simulator',
    ],
    ['schedules', 'how soon twenty thousand schedules are charged that are due in one second'],
    [
      'webhooks',
      'how many notifications a second are told, beside a loop of posts; how soon, in the cluster and beside dead receivers',
    ],
    ['model', 'computes what 1, 4, 16 and 64 cells would carry; measures nothing'],
    [
      'cost',
      'for CI: fails when a payment costs more than in the last release, twice: a tenth in the sandbox, a quarter in the cluster',
    ],
  ];
  for (const [name, description] of ways) {
    const others = ways.map(([other]) => namedBy(other)).filter((other) => other !== namedBy(name));
    command.addOption(new Option(`--${name}`, description).conflicts(others));
  }
  return command
    .option(
      '--against <commit>',
      'with --account, --reads, --rebuild or --cost: this build in pairs of runs with that of a commit',
    )
    .option(
      '--cells <n>',
      'with --account --cluster-only: cells of payments; with --against of this build alone',
      wholeNumber(CELLS_MAX),
    )
    .option(
      '--together',
      'with --grow, --account --against or --reads --against: both at the same time, for CPU alone; less noise',
    );
}

/** As commander names the option of a flag. */
function namedBy(flag: string): string {
  return flag.replace(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

function sizeList(text: string): readonly number[] {
  try {
    const sizes = text.split(',').map(wholeNumber(SIZE_MAX));
    const isRising = sizes.every((size, at) => size > (sizes[at - 1] ?? SIZE_MIN - 1));
    if (isRising) return sizes;
  } catch {
    // The same sentence.
  }
  throw new InvalidArgumentError(
    `Sizes are rising whole numbers from ${SIZE_MIN} to ${SIZE_MAX} with commas between them.`,
  );
}

function rateList(text: string): readonly number[] {
  try {
    return text.split(',').map(wholeNumber(RATE_MAX));
  } catch {
    throw new InvalidArgumentError(
      `Rates are whole numbers from 1 to ${RATE_MAX} with commas between them.`,
    );
  }
}
