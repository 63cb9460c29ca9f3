import type { Admin, Consumer, Kafka } from 'kafkajs';
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

/** More names than a person reads say nothing. */
const NAMED_GROUPS_MAX = 20;
/** What the broker says of a group that has positions and no member that ever joined it. */
const CONSUMER_PROTOCOLS = ['consumer', ''];

/**
 * The group that is named, or all there are. Throws CommandEnded with those there are when there is
 * none of that name: positions of a misspelt group would be made, and nobody would ever read them.
 */
export async function groupNames(admin: Admin, named: string | undefined): Promise<string[]> {
  const { groups } = await admin.listGroups();
  const known = groups
    .filter(({ protocolType }) => CONSUMER_PROTOCOLS.includes(protocolType))
    .map(({ groupId }) => groupId)
    .sort();
  if (named === undefined) return known;
  if (known.includes(named)) return [named];
  const shown = known.slice(0, NAMED_GROUPS_MAX).join(', ');
  const more = known.length > NAMED_GROUPS_MAX ? ' and others' : '';
  throw failed(
    `There is no group ${named}. ${known.length === 0 ? 'There are none.' : `There are: ${shown}${more}.`}`,
  );
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
      partitions: assignmentOf(memberAssignment),
    })),
  }));
}

/** Empty while the group is sorting out who reads what. */
function assignmentOf(encoded: Buffer): Readonly<Record<string, readonly number[]>> {
  const decoded = kafkajs.AssignerProtocol.MemberAssignment.decode(encoded)?.assignment ?? {};
  return Object.fromEntries(
    Object.entries(decoded).map(([topic, partitions]) => [
      topic,
      [...partitions].sort((left, right) => left - right),
    ]),
  );
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
      if (typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') {
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

/** Kafka's name of an error; kafkajs wraps what it has repeated. */
function typeOf(error: unknown): string | undefined {
  const { type, cause } = error as { type?: string; cause?: unknown };
  return type ?? (typeof cause === 'object' && cause !== null ? typeOf(cause) : undefined);
}

/** Where a group is to go on. */
export interface NewOffset {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

/**
 * Moves a group's positions; resolves when the broker shows them. It is done by a member that joins,
 * commits and leaves: kafkajs' own setOffsets does the same for one topic at a time in 5 s each.
 */
export async function setGroupOffsets(
  kafka: Kafka,
  admin: Admin,
  group: string,
  offsets: readonly NewOffset[],
): Promise<void> {
  const topics = [...new Set(offsets.map(({ topic }) => topic))];
  const consumer = kafka.consumer({ groupId: group, maxWaitTimeInMs: FETCH_WAIT_MS });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics, fromBeginning: true });
    const joined = groupJoined(consumer);
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      // What it fetches before it leaves is nobody's: nothing is resolved or committed.
      eachBatch: () => Promise.resolve(),
    });
    await joined;
    consumer.pause(topics.map((topic) => ({ topic })));
    await consumer.commitOffsets(
      offsets.map(({ offset, ...place }) => ({ ...place, offset: offset.toString() })),
    );
  } finally {
    await consumer.disconnect();
  }
  await assertMoved(admin, group, offsets);
}

/**
 * Resolves once a consumer is a member, which its `run` does not wait for: where the broker's group
 * is not ready yet, kafkajs starts it again by itself. Rejects when it does not.
 */
export function groupJoined(consumer: Consumer): Promise<void> {
  const joined = new Promise<void>((resolve, reject) => {
    consumer.on(consumer.events.GROUP_JOIN, () => resolve());
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) reject(payload.error);
    });
  });
  // Whoever awaits it hears of it; until then it must not end the process.
  joined.catch(() => undefined);
  return joined;
}

/** The member does not read; it only has to be woken to leave. */
const FETCH_WAIT_MS = 50;

async function assertMoved(
  admin: Admin,
  group: string,
  offsets: readonly NewOffset[],
): Promise<void> {
  const topics = [...new Set(offsets.map(({ topic }) => topic))];
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
