import { type CommandLine, parsed } from '@sluice/command-line';
import { Command, Option } from 'commander';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Renewal } from './certificates.js';
import { leaves } from './leaves.js';

/** Where the local overlay reads them; git ignores it. */
const OUTPUT = fileURLToPath(new URL('../../../k8s/overlays/local/secrets', import.meta.url));

const owners = [...new Set(leaves.map(({ owner }) => owner))];

/** What was typed. */
export interface SecretsWish {
  /** Absolute. */
  readonly output: string;
  readonly dummies: boolean;
  readonly renewal: Renewal;
  /** A path. */
  readonly seed?: string;
}

interface Options {
  readonly output?: string;
  readonly renew?: readonly string[];
  readonly seed?: string;
  readonly dummies?: true;
}

const renewable = [...owners, 'all', 'authority'];

/** Reads the words behind `npm run k8s:secrets --`. */
export function readCommandLine(words: readonly string[]): CommandLine<SecretsWish> {
  return parsed({ command: described(), words, read: wished });
}

function wished(command: Command): CommandLine<SecretsWish> & { kind: 'wish' | 'refused' } {
  const { output, renew = [], seed, dummies = false } = command.opts<Options>();
  if (dummies && renew.length > 0) {
    return { kind: 'refused', reason: '--dummies has nothing that could be renewed.' };
  }
  const renewal = {
    owners: new Set(renew.includes('all') ? owners : renew),
    authorities: renew.includes('authority'),
  };
  const folder = output === undefined ? OUTPUT : resolve(output);
  return {
    kind: 'wish',
    wish: { output: folder, dummies, renewal, ...(seed !== undefined && { seed }) },
  };
}

function described(): Command {
  return new Command('npm run k8s:secrets --')
    .description(
      'Makes the certificates, keys, passwords and database addresses of the local overlay. What ' +
        'is there already stays.',
    )
    .option('--output <folder>', 'another folder than k8s/overlays/local/secrets')
    .addOption(
      new Option(
        '--renew <name...>',
        'new certificates for these; all, or authority for everything including the authorities',
      ).choices(renewable),
    )
    .option('--seed <file>', 'the channels that accounts begins with')
    .option(
      '--dummies',
      'worthless ones, with which the overlay can be rendered and nothing can run',
    );
}
