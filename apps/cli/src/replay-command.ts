import { Command } from 'commander';
import { collected, type Perform, withExample } from './command-parts.js';
import { usage } from './exit-codes.js';
import { type PositionFlags, positionOf } from './positions.js';
import type { ProjectionWish } from './replay-projection.js';
import type { ReplayAction, ReplayScope } from './replay-offsets.js';
import type { Session } from './session.js';
import type { Answer } from './answer.js';

interface ReplayFlags extends PositionFlags, ReplayScope, ProjectionWish {
  readonly projection?: string;
  readonly dryRun?: true;
  readonly export?: true;
  readonly describe?: true;
  readonly offsets?: true;
  readonly members?: true;
  readonly state?: true;
}

/** `sluice replay`: with the words and rules of kafka-consumer-groups, and projections beside. */
export function replayCommand(perform: Perform): Command {
  const command = new Command('replay').description(
    "move a consumer group to another position, or rebuild a projection from the store's events",
  );
  addScope(command);
  addPositions(command);
  addProjection(command);
  command
    .option('--dry-run', 'only report what would be done; this is the default')
    .option('--execute', 'do it')
    .option('--export', 'print the plan as CSV, for --from-file')
    .option('--describe', 'show the positions of groups')
    .option('--offsets', 'with --describe: offsets and lag; the default')
    .option('--members', 'with --describe: who reads what')
    .option('--state', 'with --describe: state and number of members')
    .action((flags: ReplayFlags) => perform(command, (session) => replay(session, flags)));
  return withExample(
    command,
    'sluice replay --group payments.commands --topic payments.commands.v1 --by-duration PT1H',
    'sluice replay --projection transactions --into shadow --diff --switch --execute --reason "version 2"',
  );
}

function addScope(command: Command): void {
  command
    .option('--group <group>', 'the group whose positions move')
    .option('--all-groups', 'every group')
    .option('--topic <topic[:p1,p2]>', 'a topic, or partitions of it; may be repeated', collected)
    .option('--all-topics', 'every topic that the group has read');
}

function addPositions(command: Command): void {
  command
    .option(
      '--to-datetime <instant>',
      'to the first message at or after this instant, YYYY-MM-DDTHH:mm:SS.sss (UTC)',
    )
    .option('--by-duration <duration>', 'to the first message within this long, PnDTnHnMnS')
    .option('--to-earliest', 'to the earliest message there is')
    .option('--to-latest', 'to the end, after the last message')
    .option('--to-current', 'to the present position of the group')
    .option('--to-offset <offset>', 'to this offset')
    .option('--shift-by <number>', 'by this many messages; backwards when negative')
    .option('--from-file <csv>', 'to the offsets of an exported plan');
}

function addProjection(command: Command): void {
  command
    .option('--projection <name>', 'a projection instead of a group')
    .option('--into <where>', 'shadow: fill new tables beside the live ones')
    .option('--diff', 'compare the new tables with the live ones, row by row')
    .option('--switch', 'let queries read the new tables; not when --diff finds differences')
    .option('--rollback', 'let queries read the previous tables again')
    .option(
      '--drop [tables]',
      'drop the tables kept for a rollback, or the tables with this number',
    )
    .option('--reason <text>', 'why; recorded beside the projection');
}

const POSITION_FLAGS = [
  ...(['toDatetime', 'byDuration', 'toEarliest', 'toLatest', 'toCurrent'] as const),
  ...(['toOffset', 'shiftBy', 'fromFile'] as const),
];
const SCOPE_FLAGS = ['group', 'allGroups', 'topic', 'allTopics', 'export', 'describe'] as const;
const PROJECTION_FLAGS = ['into', 'diff', 'switch', 'rollback', 'drop', 'reason'] as const;

async function replay(session: Session, flags: ReplayFlags): Promise<Answer> {
  if (flags.projection !== undefined) {
    refuseFlags(flags, [...POSITION_FLAGS, ...SCOPE_FLAGS], '--projection');
    if (flags.dryRun === true && flags.execute === true) throw bothGiven();
    const { replayProjection } = await import('./replay-projection.js');
    return replayProjection(session, flags.projection, flags);
  }
  refuseFlags(flags, PROJECTION_FLAGS, 'a group');
  const action = actionOf(flags);
  const { describeReplay, replayOffsets } = await import('./replay-offsets.js');
  if (action === 'describe') {
    refuseFlags(flags, POSITION_FLAGS, '--describe');
    return describeReplay(session, flags, viewOf(flags));
  }
  refuseFlags(flags, ['offsets', 'members', 'state'], 'a new position; they are for --describe');
  if (action === 'export' && session.asJson) {
    throw usage('Either --export or --json: a plan in CSV is no JSON.');
  }
  return replayOffsets(session, flags, positionOf(flags, session.now()), action);
}

function refuseFlags(
  flags: ReplayFlags,
  names: readonly (keyof ReplayFlags)[],
  with_: string,
): void {
  const given = names.find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw usage(`--${flag} cannot be given with ${with_}.`);
}

function bothGiven(): Error {
  return usage('Either --dry-run or --execute.');
}

function actionOf({ describe, dryRun, execute, export: exported }: ReplayFlags): ReplayAction {
  const given = [describe, dryRun, execute, exported].filter(Boolean).length;
  if (dryRun === true && execute === true) throw bothGiven();
  if (given > 1) throw usage('Only one of --describe, --dry-run, --execute and --export.');
  if (describe === true) return 'describe';
  if (exported === true) return 'export';
  return execute === true ? 'execute' : 'dryRun';
}

function viewOf({ offsets, members, state }: ReplayFlags): 'offsets' | 'members' | 'state' {
  if ([offsets, members, state].filter(Boolean).length > 1) {
    throw usage('Only one of --offsets, --members and --state.');
  }
  if (members === true) return 'members';
  return state === true ? 'state' : 'offsets';
}
