import { topicsOfCells } from '@sluice/contracts';
import { AccessNotChecked, type AppliedAccess, applyAccess, applyTopics } from '@sluice/messaging';
import type { Admin } from 'kafkajs';
import type { Answer } from './answer.js';
import { exitCodes, refused } from './exit-codes.js';
import type { Session } from './session.js';
import { durationText } from './durations.js';
import { textTable } from './text-table.js';

/** What `topics apply` is told. */
export interface TopicsWish {
  readonly replicationFactor: number;
  /** Whether access rules are made too. */
  readonly withAccess: boolean;
  /** Of payments; each has command topics of its own (page 0047). */
  readonly cells: number;
}

/** `topics apply`: makes the topics that are missing, and says which are not as declared. */
export async function applyDeclaredTopics(
  session: Session,
  { replicationFactor, withAccess, cells }: TopicsWish,
): Promise<Answer> {
  const admin = await session.admin();
  const prefix = session.topicPrefix;
  const declarations = topicsOfCells(cells);
  const topics = await applyTopics(admin, { prefix, replicationFactor, declarations });
  const access = withAccess ? await accessApplied(admin, prefix, cells) : undefined;
  const { created } = topics;
  const differences = [...topics.differences, ...(access?.differences ?? [])];
  const text = [
    created.length === 0 ? 'Every topic is there.' : `Made: ${created.join(', ')}.`,
    ...(access === undefined ? [] : [accessText(access)]),
    ...differences.map((difference) => `Not as declared: ${difference}.`),
  ];
  return {
    data: { created, ...(access !== undefined && { granted: access.granted }), differences },
    text: text.join('\n'),
    ...(differences.length > 0 && { exitCode: exitCodes.different }),
  };
}

async function accessApplied(admin: Admin, prefix: string, cells: number): Promise<AppliedAccess> {
  return applyAccess(admin, prefix, cells).catch((error: unknown) => {
    throw error instanceof AccessNotChecked ? refused(error.message) : error;
  });
}

function accessText({ granted }: AppliedAccess): string {
  if (granted.length === 0) return 'Every access rule is there.';
  return `Allowed:\n${granted.map((rule) => `  ${rule}`).join('\n')}`;
}

/** `topics list`: what is declared for so many cells, beside what the broker has. */
export async function listTopics(session: Session, cells: number): Promise<Answer> {
  const admin = await session.admin();
  const declaredTopics = topicsOfCells(cells);
  const existing = new Set(await admin.listTopics());
  const names = declaredTopics.map(({ name }) => session.topicPrefix + name);
  const present = names.filter((name) => existing.has(name));
  const metadata =
    present.length === 0 ? { topics: [] } : await admin.fetchTopicMetadata({ topics: present });
  const topics = declaredTopics.map(({ name, partitions, config }, index) => {
    const found = metadata.topics.find((topic) => topic.name === names[index]);
    return {
      name: names[index] ?? name,
      declaredPartitions: partitions,
      partitions: found?.partitions.length ?? null,
      retentionMs: Number(config['retention.ms']),
    };
  });
  const text = textTable(
    topics,
    [
      { title: 'TOPIC', cell: ({ name }) => name },
      { title: 'DECLARED', cell: (topic) => String(topic.declaredPartitions), alignRight: true },
      {
        title: 'PARTITIONS',
        cell: ({ partitions }) => (partitions === null ? 'missing' : String(partitions)),
        alignRight: true,
      },
      {
        title: 'RETENTION',
        cell: ({ retentionMs }) => durationText(retentionMs),
        alignRight: true,
      },
    ],
    'No topics are declared.',
  );
  const differs = topics.some((topic) => topic.partitions !== topic.declaredPartitions);
  return { data: topics, text, ...(differs && { exitCode: exitCodes.different }) };
}
