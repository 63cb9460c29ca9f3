import { type CommandLine, parsed, wholeNumber } from '@sluice/command-line';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { DELETED_PODS, type DeletedPod, DRILL_NAMES, type DrillName } from './drills.js';

/** What was typed. */
export interface DrillWish {
  readonly name: DrillName;
  readonly pods: readonly DeletedPod[];
  readonly perSecond: number;
  readonly peakPerSecond: number;
  /** Of scale: CPU, as Kubernetes writes it. */
  readonly aim?: string;
  /** Of shoppers: so many pay at checkouts. */
  readonly shoppers: number;
  /** Of rolling-update: so many are asked by their issuers. */
  readonly challenges: number;
  /** Of shoppers: what edge is updated to. */
  readonly edgeImage?: string;
  /** Absent: a node's port. */
  readonly url?: string;
  /** A path for the JSON report. */
  readonly report?: string;
}

/** D-57. */
const RATE_DEFAULT = 30;
/** Twice what one instance is to do by the autoscaler's target, with room. */
const PEAK_DEFAULT = 200;
const RATE_MAX = 2_000;
const SHOPPERS_DEFAULT = 50;
/** Each has a connection, and the drill is one process. */
const SHOPPERS_MAX = 500;
const CHALLENGES_DEFAULT = 50;
/** One after the other comes to the issuer, who waits for ten minutes. */
const CHALLENGES_MAX = 200;

interface Options {
  readonly pod?: DeletedPod;
  readonly rate: number;
  readonly peak: number;
  readonly aim?: string;
  readonly shoppers: number;
  readonly challenges: number;
  readonly edgeImage?: string;
  readonly url?: string;
  readonly report?: string;
}

/** Reads the words behind `npm run drill --`. */
export function readCommandLine(words: readonly string[]): CommandLine<DrillWish> {
  return parsed({ command: described(), words, read: wished });
}

function wished(command: Command): CommandLine<DrillWish> & { kind: 'wish' | 'refused' } {
  const name = command.args[0] as DrillName;
  const { pod, rate, peak, ...others } = command.opts<Options>();
  if (pod !== undefined && name !== 'pod-deleted') {
    return { kind: 'refused', reason: '--pod belongs to pod-deleted; see --help.' };
  }
  if (others.edgeImage !== undefined && name !== 'shoppers') {
    return { kind: 'refused', reason: '--edge-image belongs to shoppers; see --help.' };
  }
  const pods = pod === undefined ? DELETED_PODS : [pod];
  return { kind: 'wish', wish: { name, pods, perSecond: rate, peakPerSecond: peak, ...others } };
}

function described(): Command {
  return new Command('npm run drill --')
    .description(
      'Pays on the cluster of the current context of kubectl, disturbs it meanwhile, and compares ' +
        "the merchant's books with the events, the simulator's book and the projection.\n\n" +
        'rolling-update  edge, payments, risk, registrations and vault are updated while issuers ask shoppers;\n' +
        '                no payment may fail, and no authentication be lost\n' +
        'shoppers        people pay at checkouts while edge, with its widget, checkouts, payments and vault\n' +
        '                are updated; no page, form or status may fail, and every hash has to match\n' +
        'pod-deleted     a pod is deleted and comes back; nothing may be lost or doubled\n' +
        'scale           payments goes to the most instances and back; no payment may fail\n' +
        'move-shards     shards move from one cell of payments to another and back; no payment may fail\n' +
        'starts          each service starts anew, one at a time: ready within 10 s, all in 2 GB',
    )
    .addArgument(new Argument('<name>', 'the drill').choices(DRILL_NAMES))
    .addOption(
      new Option('--pod <name>', 'of pod-deleted: whose pod; the default is each in turn').choices(
        DELETED_PODS,
      ),
    )
    .option('--rate <number>', 'payments a second', wholeNumber(RATE_MAX), RATE_DEFAULT)
    .option(
      '--peak <number>',
      'of scale: payments a second at most',
      wholeNumber(RATE_MAX),
      PEAK_DEFAULT,
    )
    .option(
      '--aim <cpu>',
      'of scale: target of the autoscaler during the drill, e.g. 120m; for machines too small to reach its own',
      cpuAmount,
    )
    .option(
      '--shoppers <number>',
      'of shoppers: how many pay at once',
      wholeNumber(SHOPPERS_MAX),
      SHOPPERS_DEFAULT,
    )
    .option(
      '--challenges <number>',
      'of rolling-update: how many shoppers are asked by their issuers meanwhile',
      wholeNumber(CHALLENGES_MAX),
      CHALLENGES_DEFAULT,
    )
    .option(
      '--edge-image <image>',
      'of shoppers: edge is updated to it and back, so that the widget is another one meanwhile; the nodes must have it',
    )
    .option('--url <address>', "the address of edge, if a node's port cannot be reached")
    .option('--report <file>', 'writes the figures as JSON');
}

function cpuAmount(text: string): string {
  if (!/^[1-9][0-9]{0,4}m$/.test(text)) throw new InvalidArgumentError('It must be like 120m.');
  return text;
}
