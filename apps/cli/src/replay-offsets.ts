import { isProjectionGroup } from '@sluice/contracts';
import { readFileSync } from 'node:fs';
import type { Answer } from './answer.js';
import { exitCodes, refused, usage } from './exit-codes.js';
import {
  assertIdle,
  describeGroups,
  groupNames,
  type GroupPartition,
  groupPartitions,
  type GroupState,
  setGroupOffsets,
  TopicOffsets,
} from './groups.js';
import { planFromCsv, type PlannedOffset, planToCsv } from './offset-plan.js';
import { chosenOffset, type Position, within } from './positions.js';
import type { Session } from './session.js';
import { textTable, type TableColumn } from './text-table.js';
import { parseTopicScope, type TopicScope } from './topic-scope.js';

/** Which groups and topics are meant. */
export interface ReplayScope {
  readonly group?: string;
  readonly allGroups?: true;
  readonly topic?: readonly string[];
  readonly allTopics?: true;
}

/** What is to happen with the plan. */
export type ReplayAction = 'describe' | 'dryRun' | 'execute' | 'export';

/** A partition with where it stands and where it is to go on. */
export interface MovedPartition extends GroupPartition {
  readonly next: bigint;
  /** Another offset than was asked for: that one is not there. */
  readonly isAdjusted: boolean;
}

/** Plans, and perhaps makes, a group's new positions. */
export async function replayOffsets(
  session: Session,
  scope: ReplayScope,
  position: Position,
  action: Exclude<ReplayAction, 'describe'>,
): Promise<Answer> {
  const plan =
    position.kind === 'file'
      ? await planOfFile(session, scope, readPlan(position.path))
      : await planOf(session, scope, position, topicScopesOf(scope));
  const admin = await session.admin();
  const groups = [...new Set(plan.map(({ group }) => group))];
  if (plan.length === 0)
    throw refused('The group has read nothing there; name topics with --topic.');
  if (action === 'export') {
    return { data: shownPlan(plan), text: planToCsv(plan.map(planned), scope.allGroups === true) };
  }
  assertIdle(await describeGroups(admin, groups));
  const differs = position.kind === 'file' && plan.some(({ isAdjusted }) => isAdjusted);
  if (action === 'dryRun' || differs) return notDone(plan, differs, action);
  for (const group of groups) {
    session.throwIfInterrupted();
    const own = plan.filter((one) => one.group === group).map(planned);
    await setGroupOffsets(await session.kafka(), admin, group, own);
  }
  return {
    data: { done: true, partitions: shownPlan(plan) },
    text: `${planTable(plan)}\nDone: ${plan.length} partitions have new positions.`,
  };
}

function notDone(
  plan: readonly MovedPartition[],
  differs: boolean,
  action: 'dryRun' | 'execute',
): Answer {
  const difference = differs
    ? 'The plan does not fit the topics any more: offsets marked * are not there. '
    : '';
  const advice = action === 'dryRun' && !differs ? ' Add --execute to do it.' : '';
  return {
    data: { done: false, differs, partitions: shownPlan(plan) },
    text: `${planTable(plan)}\n${difference}Nothing was done.${advice}`,
    ...(differs && { exitCode: exitCodes.different }),
  };
}

function readPlan(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usage(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`);
  }
}

/** Without those of projections; naming one of them is refused. */
function movable(session: Session, groups: readonly string[], isNamed: boolean): readonly string[] {
  const feeding = groups.filter((group) =>
    isProjectionGroup(group.slice(session.topicPrefix.length)),
  );
  if (feeding.length === 0) return groups;
  const sentence =
    `${feeding.join(', ')}: positions of projections are in their own database; ` +
    'use --projection NAME.';
  if (isNamed) throw refused(sentence);
  session.say(sentence);
  return groups.filter((group) => !feeding.includes(group));
}

/** Reads the scope's flags. */
export function topicScopesOf(scope: ReplayScope): readonly TopicScope[] | 'all' {
  const { group, allGroups, topic = [], allTopics } = scope;
  if ((group === undefined) === (allGroups === undefined)) {
    throw usage('Say whose positions: either --group G or --all-groups.');
  }
  if ((topic.length === 0) === (allTopics === undefined)) {
    throw usage('Say which topics: either --topic T[:p1,p2] or --all-topics.');
  }
  return allTopics === true ? 'all' : topic.map(parseTopicScope);
}

async function planOf(
  session: Session,
  scope: ReplayScope,
  position: Exclude<Position, { kind: 'file' }>,
  scopes: readonly TopicScope[] | 'all',
): Promise<readonly MovedPartition[]> {
  const admin = await session.admin();
  const topics = new TopicOffsets(
    admin,
    position.kind === 'instant' ? position.milliseconds : undefined,
  );
  const plan: MovedPartition[] = [];
  if (scope.group !== undefined) movable(session, [scope.group], true);
  const groups = await groupNames(admin, scope.group);
  for (const group of movable(session, groups, scope.group !== undefined)) {
    for (const partition of await groupPartitions(admin, group, scopes, topics)) {
      const chosen = chosenOffset(position, partition);
      if (chosen === undefined) {
        throw refused(
          `The group ${group} has no position in partition ${partition.partition} of ` +
            `${partition.topic} that could be shifted.`,
        );
      }
      plan.push({ ...partition, next: chosen.offset, isAdjusted: chosen.isAdjusted });
    }
  }
  return plan;
}

async function planOfFile(
  session: Session,
  { group, allGroups }: ReplayScope,
  text: string,
): Promise<readonly MovedPartition[]> {
  if (group !== undefined && allGroups === true) {
    throw usage('Say whose positions: either --group G or --all-groups.');
  }
  const lines = planFromCsv(text, group);
  movable(session, [...new Set(lines.map((line) => line.group))], true);
  const admin = await session.admin();
  const topics = new TopicOffsets(admin);
  const plan: MovedPartition[] = [];
  for (const name of new Set(lines.map((line) => line.group))) {
    await groupNames(admin, name);
    const own = lines.filter((line) => line.group === name);
    const partitions = await groupPartitions(admin, name, scopesOf(own), topics);
    for (const partition of partitions) {
      const line = own.find(
        (one) => one.topic === partition.topic && one.partition === partition.partition,
      );
      if (line === undefined) continue;
      const { offset: next, isAdjusted } = within(line.offset, partition.low, partition.high);
      plan.push({ ...partition, next, isAdjusted });
    }
  }
  return plan;
}

function scopesOf(lines: readonly PlannedOffset[]): readonly TopicScope[] {
  return [...new Set(lines.map(({ topic }) => topic))].map((topic) => ({
    topic,
    partitions: new Set(
      lines.filter((line) => line.topic === topic).map(({ partition }) => partition),
    ),
  }));
}

function planned({ group, topic, partition, next }: MovedPartition): PlannedOffset {
  return { group, topic, partition, offset: next };
}

const places: readonly TableColumn<GroupPartition>[] = [
  { title: 'GROUP', cell: ({ group }) => group },
  { title: 'TOPIC', cell: ({ topic }) => topic },
  { title: 'PARTITION', cell: ({ partition }) => String(partition), alignRight: true },
  { title: 'CURRENT-OFFSET', cell: ({ current }) => current?.toString() ?? '-', alignRight: true },
];
const end: TableColumn<GroupPartition> = {
  title: 'LOG-END-OFFSET',
  cell: ({ high }) => high.toString(),
  alignRight: true,
};
const lag: TableColumn<GroupPartition> = {
  title: 'LAG',
  cell: ({ current, high }) => (current === undefined ? '-' : (high - current).toString()),
  alignRight: true,
};

function planTable(plan: readonly MovedPartition[]): string {
  const columns: readonly TableColumn<MovedPartition>[] = [
    ...places,
    {
      title: 'NEW-OFFSET',
      cell: ({ next, isAdjusted }) => `${next}${isAdjusted ? ' *' : ''}`,
      alignRight: true,
    },
    end,
    lag,
    { title: 'NEW-LAG', cell: ({ high, next }) => (high - next).toString(), alignRight: true },
  ];
  const note = plan.some(({ isAdjusted }) => isAdjusted)
    ? '\n* the nearest offset that is there'
    : '';
  return `${textTable(plan, columns, 'Nothing to move.')}${note}`;
}

function shownPlan(plan: readonly MovedPartition[]): readonly object[] {
  return plan.map(({ atInstant: _, next, isAdjusted, ...partition }) => ({
    ...shownPartition(partition),
    newOffset: next,
    newLag: partition.high - next,
    isAdjusted,
  }));
}

function shownPartition({ group, topic, partition, current, high }: GroupPartition): object {
  return {
    ...{ group, topic, partition, currentOffset: current ?? null, logEndOffset: high },
    lag: current === undefined ? null : high - current,
  };
}

/** What `--describe` shows: offsets, members or state of groups. */
export async function describeReplay(
  session: Session,
  scope: ReplayScope,
  view: 'offsets' | 'members' | 'state',
): Promise<Answer> {
  const admin = await session.admin();
  const scopes = topicScopesOf(scope.topic === undefined ? { ...scope, allTopics: true } : scope);
  const groups = await groupNames(admin, scope.group);
  const states = await describeGroups(admin, groups);
  switch (view) {
    case 'state':
      return { data: states.map(shownState), text: stateTable(states) };
    case 'members':
      return membersAnswer(states);
    case 'offsets': {
      const topics = new TopicOffsets(admin);
      const partitions: GroupPartition[] = [];
      for (const group of groups) {
        partitions.push(...(await groupPartitions(admin, group, scopes, topics)));
      }
      const text = textTable(partitions, [...places, end, lag], 'No positions are known.');
      return { data: partitions.map(shownPartition), text };
    }
  }
}

function shownState({ group, state, members }: GroupState): object {
  return { group, state, members: members.length };
}

function stateTable(states: readonly GroupState[]): string {
  const columns: readonly TableColumn<GroupState>[] = [
    { title: 'GROUP', cell: ({ group }) => group },
    { title: 'STATE', cell: ({ state }) => state },
    { title: 'MEMBERS', cell: ({ members }) => String(members.length), alignRight: true },
  ];
  return textTable(states, columns, 'There are no groups.');
}

function membersAnswer(states: readonly GroupState[]): Answer {
  const members = states.flatMap((state) => state.members);
  const text = textTable(
    members,
    [
      { title: 'GROUP', cell: ({ group }) => group },
      { title: 'CLIENT-ID', cell: ({ clientId }) => clientId },
      { title: 'HOST', cell: ({ host }) => host },
      {
        title: 'PARTITIONS',
        cell: ({ partitions }) =>
          Object.entries(partitions)
            .map(([topic, numbers]) => `${topic}:${numbers.join(',')}`)
            .join(' '),
      },
    ],
    'The group has no active members.',
  );
  return { data: members, text };
}
