import { type CommandLine, parsed } from '@sluice/command-line';
import type { Command } from 'commander';
import { resolve } from 'node:path';
import type { AccountWish } from './account.js';
import type { AgainstWish } from './against.js';
import type { CheckoutsEndingWish } from './checkouts-ending.js';
import type { CheckoutsWish } from './checkouts.js';
import {
  DEFAULT_COMPARED_RATES,
  DEFAULT_GROWING_RATE,
  DEFAULT_GROWING_SECONDS,
  DEFAULT_PAIRS,
  DEFAULT_RATES,
  DEFAULT_SECONDS,
  DEFAULT_SIZES,
  described,
  type Options,
} from './command-options.js';
import type { RiskWish } from './risk.js';
import type { GrowWish } from './grow.js';
import type { Profile } from './installation-under-test.js';
import type { ReadsWish } from './reads.js';
import type { ReadsAgainstWish } from './reads-against.js';
import type { RebuildAgainstWish } from './rebuild-against.js';
import type { RegistrationsWish } from './registrations.js';
import type { RegistrationsGrowthWish } from './registrations-growth.js';
import type { SchedulesWish } from './schedules.js';
import type { WatchingWish } from './watching.js';
import type { WebhooksWish } from './webhooks.js';

/** What was typed: what is measured, and how. */
export type BenchWish =
  | { readonly kind: 'ladder'; readonly ladder: Ladder }
  /** How fast a cluster's projection is made again, from its topic and from the store of events. */
  | { readonly kind: 'rebuild' }
  /** The same from the store, by the commands of two builds. */
  | { readonly kind: 'rebuildAgainst'; readonly rebuild: RebuildAgainstWish }
  /** Parsing and checking a request alone, in this process: seconds instead of minutes. */
  | { readonly kind: 'parameters' }
  /** Opening the tokens of wallets alone, in this process. */
  | { readonly kind: 'wallets' }
  /** How soon a shopper can type into the card form of a page, in a browser. */
  | { readonly kind: 'form' }
  /** Packing and unpacking messages of ISO 8583 alone, in this process. */
  | { readonly kind: 'iso8583' }
  /** What traces and metrics cost the cluster: pairs of runs with and without. */
  | { readonly kind: 'watching'; readonly watching: Omit<WatchingWish, 'warmUp'> }
  /** What a payment costs, by process, by subsystem and in counts. */
  | { readonly kind: 'account'; readonly account: AccountWish }
  /** The same of two builds, in pairs of runs. */
  | { readonly kind: 'against'; readonly against: AgainstWish }
  /** CI's short pair; without a commit it is against the last release. */
  | { readonly kind: 'cost'; readonly commit: string | undefined }
  /** What payments and reads take with more and more payments in the store. */
  | { readonly kind: 'grow'; readonly grow: GrowWish }
  /** What installations with cells would carry, computed. */
  | { readonly kind: 'model' }
  /** What reads take, against a bare server with one indexed read. */
  | { readonly kind: 'reads'; readonly reads: ReadsWish }
  /** The same reads of two builds. */
  | { readonly kind: 'readsAgainst'; readonly reads: ReadsAgainstWish }
  /** What checkouts take, beside payments. */
  | { readonly kind: 'checkouts'; readonly checkouts: CheckoutsWish }
  /** What the others notice of many that end at once. */
  | { readonly kind: 'checkoutsEnding'; readonly ending: CheckoutsEndingWish }
  /** What payments take that rules are applied to. */
  | { readonly kind: 'risk'; readonly risk: RiskWish }
  /** What payments take whose shopper is authenticated without being asked. */
  | { readonly kind: 'threeDSecure'; readonly threeDSecure: RiskWish }
  /** How soon many schedules are charged that are due at once. */
  | { readonly kind: 'schedules'; readonly schedules: SchedulesWish }
  /** How many notifications are told, and how soon. */
  | { readonly kind: 'webhooks'; readonly webhooks: WebhooksWish }
  /** What payments by registration take, beside those by card. */
  | { readonly kind: 'registrations'; readonly registrations: RegistrationsWish }
  /** What registrations take where there are many, beside where there are few. */
  | { readonly kind: 'registrationsGrowth'; readonly growth: RegistrationsGrowthWish };

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

/** Registrations that are paid with: enough that no cache of one makes a difference. */
const STORED = 1_000;

/** Reads the words behind `npm run bench --`. */
export function readCommandLine(words: readonly string[]): CommandLine<BenchWish> {
  return parsed({ command: described(), words, read: wished });
}

/** What each way of measuring reads; another flag beside it would do nothing, and is refused. */
const READ_BY: Readonly<Record<BenchWish['kind'], readonly (keyof Options)[]>> = {
  ladder: ['rates', 'seconds', 'cluster', 'clusterOnly', 'profile'],
  rebuild: ['rebuild'],
  rebuildAgainst: ['rebuild', 'against', 'pairs'],
  parameters: ['parameters'],
  wallets: ['wallets'],
  iso8583: ['iso8583'],
  form: ['form'],
  watching: ['watching', 'rates', 'seconds', 'pairs', 'profile'],
  account: ['account', 'rates', 'seconds', 'cluster', 'clusterOnly', 'profile', 'cells'],
  against: [
    'account',
    'against',
    'rates',
    'seconds',
    'cluster',
    'clusterOnly',
    'pairs',
    'together',
    'profile',
    'cells',
  ],
  model: ['model'],
  cost: ['cost', 'against'],
  grow: ['grow', 'payments', 'rates', 'seconds', 'pairs', 'together', 'picture'],
  reads: ['reads', 'rates', 'seconds', 'pairs', 'profile'],
  readsAgainst: ['reads', 'against', 'rates', 'seconds', 'pairs', 'together'],
  checkouts: ['checkouts', 'rates', 'seconds', 'pairs', 'clusterOnly'],
  checkoutsEnding: ['checkouts', 'stored', 'rates', 'seconds'],
  registrations: ['registrations', 'rates', 'seconds', 'pairs'],
  risk: ['risk', 'rates', 'seconds', 'pairs'],
  threeDSecure: ['threeDSecure', 'rates', 'seconds', 'pairs'],
  schedules: ['schedules', 'stored', 'clusterOnly', 'profile'],
  webhooks: ['webhooks', 'rates', 'seconds', 'profile'],
  registrationsGrowth: ['registrations', 'stored', 'rates', 'seconds', 'pairs'],
};

/** The flags that say what is measured. */
const SAID_BY: Readonly<Record<BenchWish['kind'], string>> = {
  ladder: '',
  ...{ rebuild: '--rebuild', parameters: '--parameters', watching: '--watching' },
  ...{ wallets: '--wallets', iso8583: '--iso8583', form: '--form' },
  ...{ rebuildAgainst: '--rebuild --against', readsAgainst: '--reads --against' },
  ...{ account: '--account', against: '--account --against', cost: '--cost' },
  ...{ grow: '--grow', reads: '--reads', model: '--model', registrations: '--registrations' },
  ...{
    risk: '--risk',
    threeDSecure: '--three-d-secure',
    schedules: '--schedules',
    webhooks: '--webhooks',
  },
  ...{ checkouts: '--checkouts', checkoutsEnding: '--checkouts --stored' },
  registrationsGrowth: '--registrations --stored',
};

function wished(command: Command): CommandLine<BenchWish> & { kind: 'wish' | 'refused' } {
  const options = command.opts<Options>();
  const kind = kindOf(options);
  const own: readonly string[] = READ_BY[kind];
  const foreign = Object.keys(options).find((name) => !own.includes(name));
  if ((kind === 'grow' || kind === 'webhooks') && (options.rates?.length ?? 1) > 1) {
    const reason = `${SAID_BY[kind]} pays at one rate: give --rates one number.`;
    return { kind: 'refused', reason };
  }
  if (own.includes('cells') && options.cells !== undefined && options.clusterOnly !== true) {
    return { kind: 'refused', reason: '--cells is for a cluster: add --cluster-only.' };
  }
  if (foreign === undefined) return { kind: 'wish', wish: measured(kind, options) };
  const flag = `--${foreign.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
  const readers = Object.entries(READ_BY)
    .filter(([, names]) => (names as readonly string[]).includes(foreign))
    .map(([reader]) => SAID_BY[reader as BenchWish['kind']]);
  const when = kind === 'ladder' ? `without ${readers.join(' or ')}` : `with ${SAID_BY[kind]}`;
  return { kind: 'refused', reason: `${flag} does nothing ${when}. See --help.` };
}

function kindOf(options: Options): BenchWish['kind'] {
  const { rebuild, parameters, watching, account, cost, grow, reads, against } = options;
  if (options.registrations === true) {
    return options.stored === undefined ? 'registrations' : 'registrationsGrowth';
  }
  if (options.checkouts === true) {
    return options.stored === undefined ? 'checkouts' : 'checkoutsEnding';
  }
  if (options.risk === true) return 'risk';
  if (options.threeDSecure === true) return 'threeDSecure';
  if (options.schedules === true) return 'schedules';
  if (options.webhooks === true) return 'webhooks';
  if (options.model === true) return 'model';
  if (options.wallets === true) return 'wallets';
  if (options.iso8583 === true) return 'iso8583';
  if (options.form === true) return 'form';
  if (rebuild === true) return against === undefined ? 'rebuild' : 'rebuildAgainst';
  if (parameters === true) return 'parameters';
  if (cost === true) return 'cost';
  if (grow === true) return 'grow';
  if (reads === true) return against === undefined ? 'reads' : 'readsAgainst';
  if (account === true) return against === undefined ? 'account' : 'against';
  return watching === true ? 'watching' : 'ladder';
}

function measured(kind: BenchWish['kind'], options: Options): BenchWish {
  const { seconds = DEFAULT_SECONDS, pairs = DEFAULT_PAIRS, profile, cells } = options;
  const profileDirectory = profile === undefined ? undefined : resolve(profile);
  const profiles = profilesOf(options);
  const rates = options.rates ?? (kind === 'ladder' ? DEFAULT_RATES : DEFAULT_COMPARED_RATES);
  switch (kind) {
    case 'rebuild':
    case 'parameters':
    case 'wallets':
    case 'iso8583':
    case 'form':
    case 'model':
      return { kind };
    case 'watching':
      return { kind, watching: { rates, seconds, pairs, profileDirectory } };
    case 'account':
      return { kind, account: { rates, seconds, profiles, profileDirectory, cells } };
    case 'against': {
      const { against: commit = '', together: isTogether = false } = options;
      const run = { rates, seconds, pairs, isTogether };
      return { kind, against: { commit, profiles, ...run, profileDirectory, cells } };
    }
    case 'cost':
      return { kind, commit: options.against };
    case 'grow':
      return { kind, grow: growing(options, pairs) };
    case 'reads':
      return { kind, reads: { rates, seconds, pairs, profileDirectory } };
    case 'rebuildAgainst':
      return { kind, rebuild: { commit: options.against ?? '', pairs } };
    case 'readsAgainst': {
      const { against: commit = '', together: isTogether = false } = options;
      return { kind, reads: { commit, rates, seconds, pairs, isTogether } };
    }
    case 'checkouts': {
      const runIn = options.clusterOnly === true ? 'cluster' : 'sandbox';
      return { kind, checkouts: { rates, seconds, rounds: pairs, profile: runIn } };
    }
    case 'checkoutsEnding': {
      const [rate = DEFAULT_GROWING_RATE] = options.rates ?? [];
      return { kind, ending: { rate, seconds, stored: options.stored ?? STORED } };
    }
    case 'risk':
      return { kind, risk: { rates, seconds, rounds: pairs } };
    case 'threeDSecure':
      return { kind, threeDSecure: { rates, seconds, rounds: pairs } };
    case 'schedules': {
      const runIn = options.clusterOnly === true ? 'cluster' : 'sandbox';
      return { kind, schedules: { runIn, stored: options.stored ?? 0, profileDirectory } };
    }
    case 'webhooks':
      return { kind, webhooks: { rate: rates[0] ?? 0, seconds, profileDirectory } };
    case 'registrations':
      return { kind, registrations: { rates, seconds, rounds: pairs, registrations: STORED } };
    case 'registrationsGrowth':
      return { kind, growth: { rates, seconds, pairs, stored: options.stored ?? STORED } };
    case 'ladder':
      return { kind, ladder: { rates, seconds, profiles, profileDirectory } };
  }
}

function growing(options: Options, pairs: number): GrowWish {
  const { payments = DEFAULT_SIZES, seconds = DEFAULT_GROWING_SECONDS, picture } = options;
  const { together: isTogether = false } = options;
  const [rate = DEFAULT_GROWING_RATE] = options.rates ?? [];
  const file = picture === undefined ? undefined : resolve(picture);
  return { payments, rate, seconds, pairs, isTogether, picture: file };
}

function profilesOf({ cluster, clusterOnly }: Options): readonly Profile[] {
  if (clusterOnly === true) return ['cluster'];
  return cluster === true ? ['sandbox', 'cluster'] : ['sandbox'];
}
