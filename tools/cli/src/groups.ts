import type { Admin } from 'kafkajs';
import kafkajs from 'kafkajs';
import { failed, refused } from './exit-codes.js';
import type { PartitionOffsets } from './positions.js';
import { isInScope, type TopicScope } from './topic-scope.js';

/** One member of a group, and what it reads. */
export interface GroupMember {
  readonly group: string;
  readonly memberId: string;
  readonly clientId: string;
  readonly host: string;
  /** By topic. */
  readonly partitions: Readonly<Record<string, readonly number[]>>;
}

/** A consumer group as the broker knows it. */
export interface GroupState {
  readonly group: string;
  readonly state: string;
  readonly members: readonly GroupMember[];
}

/** Where a group stands in one partition. */
export interface GroupPartition extends PartitionOffsets {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** The groups that are named, or all there are. */
export async function groupNames(admin: Admin, named: string | undefined): Promise<string[]> {
  if (named !== undefined) return [named];
  const { groups } = await admin.listGroups();
  return groups
    .filter(({ protocolType }) => protocolType === 'consumer')
    .map(({ groupId }) => groupId)
    .sort();
}

/** What the broker says of groups. */
export async function describeGroups(
  admin: Admin,
  groups: readonly string[],
): Promise<readonly GroupState[]> {
  if (groups.length === 0) return [];
  const description = await admin.describeGroups([...groups]);
  return description.groups.map(({ groupId, state, members }) => ({
    group: groupId,
    state,
    members: members.map(({ memberId, clientId, clientHost, memberAssignment }) => ({
      group: groupId,
      memberId,
      clientId,
      host: clientHost.replace(/^\//, ''),
      partitions:
        kafkajs.AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment ?? {},
    })),
  }));
}

/** Positions must not move under somebody who reads. Throws CommandEnded with who that is. */
export function assertIdle(states: readonly GroupState[]): void {
  const busy = states.find(({ state, members }) => members.length > 0 || !isIdle(state));
  if (busy === undefined) return;
  const clients = [...new Set(busy.members.map(({ clientId }) => clientId))].join(', ');
  throw refused(
    `The group ${busy.group} is active (${busy.state}${clients === '' ? '' : `: ${clients}`}). ` +
      'Stop its members first.',
  );
}

function isIdle(state: string): boolean {
  return state === 'Empty' || state === 'Dead';
}

/** Offsets are asked for these topics; `all` means those that the group has read. */
export async function groupPartitions(
  admin: Admin,
  group: string,
  scopes: readonly TopicScope[] | 'all',
  topics: TopicOffsets,
): Promise<readonly GroupPartition[]> {
  const names = scopes === 'all' ? [] : [...new Set(scopes.map(({ topic }) => topic))];
  for (const name of names) await topics.of(name);
  const committed = await admin.fetchOffsets({ groupId: group, topics: names });
  const found: GroupPartition[] = [];
  for (const { topic, partitions } of committed) {
    const bounds = await topics.of(topic);
    for (const { partition, offset } of partitions) {
      const known = bounds.get(partition);
      if (known === undefined || !isInScope(scopes, topic, partition)) continue;
      const current = BigInt(offset);
      if (scopes === 'all' && current < 0n) continue;
      found.push({ group, topic, partition, ...known, ...(current >= 0n && { current }) });
    }
  }
  assertAllFound(scopes, found);
  return found.sort(
    (left, right) => compare(left.topic, right.topic) || left.partition - right.partition,
  );
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function assertAllFound(
  scopes: readonly TopicScope[] | 'all',
  found: readonly GroupPartition[],
): void {
  if (scopes === 'all') return;
  for (const { topic, partitions } of scopes) {
    for (const partition of partitions ?? []) {
      if (!found.some((one) => one.topic === topic && one.partition === partition)) {
        throw failed(`The topic ${topic} has no partition ${partition}.`);
      }
    }
  }
}

/** First and last offsets of topics, each asked once, and where an instant is if one is meant. */
export class TopicOffsets {
  readonly #known = new Map<string, ReadonlyMap<number, Omit<PartitionOffsets, 'current'>>>();

  constructor(
    private readonly admin: Admin,
    private readonly instantMs?: number,
  ) {}

  /** By partition. Throws CommandEnded when there is no such topic. */
  async of(topic: string): Promise<ReadonlyMap<number, Omit<PartitionOffsets, 'current'>>> {
    const known = this.#known.get(topic) ?? (await this.#ask(topic));
    this.#known.set(topic, known);
    return known;
  }

  async #ask(topic: string): Promise<ReadonlyMap<number, Omit<PartitionOffsets, 'current'>>> {
    const offsets = await this.admin.fetchTopicOffsets(topic).catch((error: unknown) => {
      if ((error as { type?: string }).type === 'UNKNOWN_TOPIC_OR_PARTITION') {
        throw failed(`There is no topic ${topic}.`);
      }
      throw error;
    });
    const instants =
      this.instantMs === undefined
        ? []
        : await this.admin.fetchTopicOffsetsByTimestamp(topic, this.instantMs);
    return new Map(
      offsets.map(({ partition, low, high }) => {
        const at = instants.find((one) => one.partition === partition)?.offset;
        const atInstant = at === undefined ? {} : { atInstant: BigInt(at) };
        return [partition, { low: BigInt(low), high: BigInt(high), ...atInstant }];
      }),
    );
  }
}

/** Moves a group's positions; resolves when the broker shows them. */
export async function setGroupOffsets(
  admin: Admin,
  group: string,
  offsets: readonly {
    readonly topic: string;
    readonly partition: number;
    readonly offset: bigint;
  }[],
): Promise<void> {
  const topics = [...new Set(offsets.map(({ topic }) => topic))];
  for (const topic of topics) {
    const partitions = offsets
      .filter((one) => one.topic === topic)
      .map(({ partition, offset }) => ({ partition, offset: offset.toString() }));
    await admin.setOffsets({ groupId: group, topic, partitions });
  }
  const after = await admin.fetchOffsets({ groupId: group, topics });
  for (const { topic, partition, offset } of offsets) {
    const now = after
      .find((one) => one.topic === topic)
      ?.partitions.find((one) => one.partition === partition)?.offset;
    if (now !== offset.toString()) {
      throw failed(
        `Partition ${partition} of ${topic} stands at ${String(now)}, not ${offset}: somebody else ` +
          `moved the group ${group} at the same time.`,
      );
    }
  }
}
