import { type CommandLine, parsed, wholeNumber } from '@sluice/command-line';
import { SECOND_CELL } from '@sluice/contracts';
import { Command, Option } from 'commander';
import { type BuilderName, builderNames } from './builders.js';

/** What was typed. */
export interface DeployWish {
  /** A path; absent: the demo channel alone. */
  readonly seed?: string;
  readonly builder?: BuilderName;
  /** What the images begin with; absent: as the Dockerfiles say. */
  readonly nodeImage?: string;
  readonly debianImage?: string;
  /** The command that takes an archive to the nodes, or `none`. */
  readonly loadWith?: string;
  /** Of payments, each with a PostgreSQL; absent: as many as the cluster has, or one. */
  readonly cells?: number;
  readonly port: number;
  readonly timeoutMs: number;
  readonly reset: boolean;
  readonly remove: boolean;
}

const PORT_MAX = 65_535;
const PORT_DEFAULT = 8_080;
/** Images are there by then; the slowest part is Kafka's first start. */
const TIMEOUT_DEFAULT_SECONDS = 300;
const TIMEOUT_MAX_SECONDS = 3_600;

interface Options {
  readonly seed?: string;
  readonly builder?: BuilderName;
  readonly nodeImage?: string;
  readonly debianImage?: string;
  readonly loadWith?: string;
  readonly cells?: number;
  readonly port: number;
  readonly timeout: number;
  readonly reset?: boolean;
  readonly remove?: boolean;
}

/** Reads the words behind `npm run deploy:local --`. */
export function readCommandLine(words: readonly string[]): CommandLine<DeployWish> {
  return parsed({ command: described(), words, read: wished });
}

function wished(command: Command): CommandLine<DeployWish> & { kind: 'wish' | 'refused' } {
  const { timeout, reset = false, remove = false, ...others } = command.opts<Options>();
  if (reset && remove) {
    return { kind: 'refused', reason: '--remove leaves nothing that --reset could begin with.' };
  }
  return { kind: 'wish', wish: { ...others, timeoutMs: timeout * 1_000, reset, remove } };
}

function described(): Command {
  return new Command('npm run deploy:local --')
    .description(
      'Builds the images, brings them to the cluster of the current context of kubectl, applies ' +
        'k8s/overlays/local, waits until everything is ready and makes a payment.',
    )
    .option('--seed <file>', 'channels of your own beside the demo channel')
    .addOption(
      new Option(
        '--builder <name>',
        'the program that builds the images; the default is the first that is installed',
      ).choices(builderNames),
    )
    .option('--node-image <image>', 'the base of the image of the services: Debian and Node 24')
    .option('--debian-image <image>', 'the base of the images of PostgreSQL and Kafka: Debian')
    .option(
      '--load-with <command>',
      'takes an archive, whose path is put behind it, to the nodes; none: they see what is built. ' +
        'Known without it: kind, minikube, k3d, docker-desktop',
    )
    .option(
      '--cells <number>',
      'how many cells of payments, each with a PostgreSQL of its own; the default is as many as there are, or one',
      wholeNumber(SECOND_CELL),
    )
    .option(
      '--port <number>',
      'the local port to which Sluice is forwarded if nodes cannot be reached',
      wholeNumber(PORT_MAX),
      PORT_DEFAULT,
    )
    .option(
      '--timeout <seconds>',
      'how long everything may take to get ready',
      wholeNumber(TIMEOUT_MAX_SECONDS),
      TIMEOUT_DEFAULT_SECONDS,
    )
    .option('--reset', 'delete the namespace and all data in it first')
    .option('--remove', 'delete the namespace and all data in it, and no more');
}
