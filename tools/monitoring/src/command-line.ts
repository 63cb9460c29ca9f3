import { type CommandLine, parsed, wholeNumber } from '@sluice/command-line';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCAL_NAMESPACE } from './local-prometheus.js';

const CLUSTER_FOLDER = fileURLToPath(new URL('../../../.sluice-cluster', import.meta.url));
const MINUTES_DEFAULT = 5;
/** A month; a Prometheus rarely keeps more. */
const MINUTES_MAX = 43_200;
const URL_DEFAULT = 'http://127.0.0.1:9090';

/** What was typed. */
export type MonitoringWish =
  | {
      readonly command: 'config';
      readonly output: string;
      readonly dataFolder: string;
      readonly runbooks?: string;
    }
  | {
      readonly command: 'check';
      readonly url: string;
      readonly namespace: string;
      readonly minutes: number;
    };

interface Options {
  readonly output?: string;
  readonly data?: string;
  readonly runbooks?: string;
  readonly url?: string;
  readonly namespace?: string;
  readonly minutes?: number;
}

/** What each of the two reads; another flag would do nothing, and is refused. */
const READ_BY: Readonly<Record<MonitoringWish['command'], readonly (keyof Options)[]>> = {
  config: ['output', 'data', 'runbooks'],
  check: ['url', 'namespace', 'minutes'],
};

/** Reads the words behind `npm run monitoring --`; paths are meant from `folder`. */
export function readCommandLine(
  words: readonly string[],
  folder: string,
): CommandLine<MonitoringWish> {
  return parsed({ command: described(), words, read: (command) => wished(command, folder) });
}

function wished(
  described_: Command,
  folder: string,
): CommandLine<MonitoringWish> & { kind: 'wish' | 'refused' } {
  const command = described_.args[0] as MonitoringWish['command'];
  const options = described_.opts<Options>();
  const names = Object.keys(options) as (keyof Options)[];
  const foreign = names.find((name) => !READ_BY[command].includes(name));
  if (foreign !== undefined) {
    return { kind: 'refused', reason: `--${foreign} does nothing with ${command}. See --help.` };
  }
  return {
    kind: 'wish',
    wish: command === 'config' ? config(options, folder) : check(options),
  };
}

function config({ output = '.', data, runbooks }: Options, folder: string): MonitoringWish {
  return {
    command: 'config',
    output: resolve(folder, output),
    dataFolder: data === undefined ? CLUSTER_FOLDER : resolve(folder, data),
    ...(runbooks === undefined ? {} : { runbooks }),
  };
}

function check(options: Options): MonitoringWish {
  const { url = URL_DEFAULT, namespace = LOCAL_NAMESPACE, minutes = MINUTES_DEFAULT } = options;
  return {
    ...{ command: 'check', url, namespace, minutes },
  };
}

function described(): Command {
  return new Command('npm run monitoring --')
    .description(
      'config  writes prometheus.yml and rules.yml, for a Prometheus without an operator\n' +
        'check   sends the queries of every panel of the dashboards to a Prometheus',
    )
    .addArgument(new Argument('<what>', 'one of the two').choices(['config', 'check']))
    .option('--output <folder>', 'of config: where to (default: the folder you are in)')
    .option(
      '--data <folder>',
      'of config: the data folder of the local cluster to scrape (default: .sluice-cluster)',
    )
    .option('--runbooks <url>', 'of config: the address of docs/runbooks')
    .option('--url <url>', `of check: the Prometheus (default: ${URL_DEFAULT})`, address)
    .option(
      '--namespace <name>',
      `of check: the namespace of the series (default: ${LOCAL_NAMESPACE})`,
    )
    .option(
      '--minutes <n>',
      `of check: how far back (default: ${MINUTES_DEFAULT})`,
      wholeNumber(MINUTES_MAX),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 a query was refused or gave no data, 2 wrong usage.',
    );
}

function address(text: string): string {
  if (!URL.canParse(text)) throw new InvalidArgumentError('It must be a URL.');
  return text;
}
