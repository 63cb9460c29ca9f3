import { type CommandLine, parsed, wholeNumber } from '@sluice/command-line';
import { Command, InvalidArgumentError, Option } from 'commander';
import { resolve } from 'node:path';
import type { Profile } from './installation-under-test.js';
import type { WatchingWish } from './watching.js';

/** What was typed: what is measured, and how. */
export type BenchWish =
  | { readonly kind: 'ladder'; readonly ladder: Ladder }
  /** How fast a cluster's projection is made again, from its topic and from the store of events. */
  | { readonly kind: 'rebuild' }
  /** Parsing and checking a request alone, in this process: seconds instead of minutes. */
  | { readonly kind: 'parameters' }
  /** What traces and metrics cost the cluster: pairs of runs with and without. */
  | { readonly kind: 'watching'; readonly watching: Omit<WatchingWish, 'warmUp'> };

/** Payments at one rate after the other, between floors. */
export interface Ladder {
  /** Payments a second, in the order in which they are offered. */
  readonly rates: readonly number[];
  /** How long each rate is offered. */
  readonly seconds: number;
  readonly profiles: readonly Profile[];
  /** Where CPU profiles of the sandbox are written. */
  readonly profileDirectory: string | undefined;
}

const DEFAULT_RATES: readonly number[] = [300, 100, 500, 1000, 1500, 2000, 2500, 3000];
/** What D-60 compares at; more does not find room on two cores beside a second cluster. */
const DEFAULT_WATCHED_RATES: readonly number[] = [300];
const DEFAULT_SECONDS = 15;
/** D-60: so many pairs make a cost visible that is below the drift of the machine. */
const DEFAULT_PAIRS = 7;
/** Far above what any machine takes; a longer number is a slip. */
const RATE_MAX = 100_000;
const SECONDS_MAX = 3_600;
const PAIRS_MAX = 100;

interface Options {
  readonly rates?: readonly number[];
  readonly seconds?: number;
  readonly cluster?: true;
  readonly clusterOnly?: true;
  readonly rebuild?: true;
  readonly parameters?: true;
  readonly watching?: true;
  readonly pairs?: number;
  readonly profile?: string;
}

/** Reads the words behind `npm run bench --`. */
export function readCommandLine(words: readonly string[]): CommandLine<BenchWish> {
  return parsed({ command: described(), words, read: wished });
}

/** What each way of measuring reads; another flag beside it would do nothing, and is refused. */
const READ_BY: Readonly<Record<BenchWish['kind'], readonly (keyof Options)[]>> = {
  ladder: ['rates', 'seconds', 'cluster', 'clusterOnly', 'profile'],
  rebuild: [],
  parameters: [],
  watching: ['rates', 'seconds', 'pairs', 'profile'],
};

function wished(command: Command): CommandLine<BenchWish> & { kind: 'wish' | 'refused' } {
  const options = command.opts<Options>();
  const kind = kindOf(options);
  const own: readonly string[] = [...READ_BY[kind], kind];
  const foreign = Object.keys(options).find((name) => !own.includes(name));
  if (foreign !== undefined) {
    const flag = `--${foreign.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
    const with_ = kind === 'ladder' ? 'without --watching' : `with --${kind}`;
    return { kind: 'refused', reason: `${flag} does nothing ${with_}. See --help.` };
  }
  return { kind: 'wish', wish: measured(kind, options) };
}

function kindOf({ rebuild, parameters, watching }: Options): BenchWish['kind'] {
  if (rebuild === true) return 'rebuild';
  if (parameters === true) return 'parameters';
  return watching === true ? 'watching' : 'ladder';
}

function measured(kind: BenchWish['kind'], options: Options): BenchWish {
  const { rates, seconds = DEFAULT_SECONDS, pairs = DEFAULT_PAIRS, profile } = options;
  const profileDirectory = profile === undefined ? undefined : resolve(profile);
  switch (kind) {
    case 'rebuild':
    case 'parameters':
      return { kind };
    case 'watching':
      return {
        kind,
        watching: { rates: rates ?? DEFAULT_WATCHED_RATES, seconds, pairs, profileDirectory },
      };
    case 'ladder': {
      const profiles = profilesOf(options);
      return {
        kind,
        ladder: { rates: rates ?? DEFAULT_RATES, seconds, profiles, profileDirectory },
      };
    }
  }
}

function profilesOf({ cluster, clusterOnly }: Options): readonly Profile[] {
  if (clusterOnly === true) return ['cluster'];
  return cluster === true ? ['sandbox', 'cluster'] : ['sandbox'];
}

function described(): Command {
  return new Command('npm run bench --')
    .description(
      'Pays at one rate after the other, and says what a payment costs beside what the machine ' +
        'itself can do, which is measured before and after.',
    )
    .option(
      '--rates <n,n,…>',
      `payments a second, in this order (default: ${DEFAULT_RATES.join(',')}; with --watching: ` +
        `${DEFAULT_WATCHED_RATES.join(',')})`,
      rateList,
    )
    .option(
      '--seconds <n>',
      `how long each rate is offered (default: ${DEFAULT_SECONDS})`,
      wholeNumber(SECONDS_MAX),
    )
    .option('--cluster', 'the cluster too, after the sandbox and between the same floors')
    .addOption(new Option('--cluster-only', 'the cluster without the sandbox').conflicts('cluster'))
    .addOption(
      new Option('--rebuild', 'how fast a projection is made again').conflicts([
        'parameters',
        'watching',
      ]),
    )
    .addOption(
      new Option('--parameters', 'parsing and checking requests alone, in seconds').conflicts(
        'watching',
      ),
    )
    .option('--watching', 'what traces and metrics cost: pairs of runs with and without')
    .option(
      '--pairs <n>',
      `with --watching: how many (default: ${DEFAULT_PAIRS})`,
      wholeNumber(PAIRS_MAX),
    )
    .option('--profile <folder>', 'writes CPU profiles there; such figures are not to be quoted');
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
