import {
  checkpointsOf,
  listParked,
  listTableSets,
  type ParkedEvent,
  type Projection,
  type TableSet,
} from '@sluice/projections';
import type { Answer } from './answer.js';
import { TopicOffsets } from './groups.js';
import { knownProjections, projectionNamed } from './known-projections.js';
import type { Session } from './session.js';
import { instantText, textTable } from './text-table.js';

/** A table set with how far it has come. */
export interface TableSetReport {
  readonly id: number;
  readonly projection: string;
  readonly version: number;
  readonly state: string;
  readonly createdAt: string;
  readonly incarnation: string | null;
  /** Events of the topic that are not in the rows; null when Kafka was not asked. */
  readonly lag: bigint | null;
  readonly parkedEvents: number;
  readonly parkedStreams: number;
  readonly checkpoints: readonly CheckpointReport[];
}

/** One partition of the topic that a table set reads. */
export interface CheckpointReport {
  readonly topic: string;
  readonly partition: number;
  /** The next offset to be read, as Kafka's own tools mean it: all before it are in the rows. */
  readonly currentOffset: bigint;
  readonly logEndOffset: bigint | null;
  readonly lag: bigint | null;
}

/** `projections list`: every table set of every projection. */
export async function listProjections(session: Session): Promise<Answer> {
  const projections = await knownProjections();
  const reports = await reportsOf(session, projections);
  const text = textTable(
    reports,
    [
      { title: 'PROJECTION', cell: ({ projection }) => projection },
      { title: 'TABLES', cell: ({ id }) => String(id), alignRight: true },
      { title: 'VERSION', cell: ({ version }) => String(version), alignRight: true },
      { title: 'STATE', cell: ({ state }) => state },
      { title: 'LAG', cell: ({ lag }) => lag?.toString() ?? '-', alignRight: true },
      { title: 'PARKED', cell: ({ parkedEvents }) => String(parkedEvents), alignRight: true },
      { title: 'SINCE (UTC)', cell: ({ createdAt }) => createdAt },
    ],
    'No projection has tables yet; reporting makes them when it starts.',
  );
  return { data: reports, text };
}

/** `projections describe NAME`: the same with each partition. */
export async function describeProjection(session: Session, name: string): Promise<Answer> {
  const projection = await projectionNamed(name);
  const reports = await reportsOf(session, [projection]);
  const parts = reports.map(
    (report) =>
      `Tables ${report.id}, version ${report.version}, ${report.state}, since ${report.createdAt}, ` +
      `lag ${report.lag?.toString() ?? 'not known'}, ${report.parkedEvents} events of ` +
      `${report.parkedStreams} payments parked\n` +
      checkpointTable(report.checkpoints),
  );
  const head = `Projection ${name}, version ${projection.version} here, reads ${projection.topic}`;
  const text = [head, ...parts].join('\n\n');
  return {
    data: { name, version: projection.version, topic: projection.topic, tableSets: reports },
    text,
  };
}

function checkpointTable(checkpoints: readonly CheckpointReport[]): string {
  return textTable(
    checkpoints,
    [
      { title: 'TOPIC', cell: ({ topic }) => topic },
      { title: 'PARTITION', cell: ({ partition }) => String(partition), alignRight: true },
      {
        title: 'CURRENT-OFFSET',
        cell: ({ currentOffset }) => currentOffset.toString(),
        alignRight: true,
      },
      {
        title: 'LOG-END-OFFSET',
        cell: ({ logEndOffset }) => logEndOffset?.toString() ?? '-',
        alignRight: true,
      },
      { title: 'LAG', cell: ({ lag }) => lag?.toString() ?? '-', alignRight: true },
    ],
    'It has read nothing from its topic yet.',
  );
}

/** The table sets of a projection, oldest first. */
export async function tableSetsOf(
  session: Session,
  projection: Projection,
): Promise<readonly TableSet[]> {
  return listTableSets(session.database('reporting'), session.schema('reporting'), projection.name);
}

async function reportsOf(
  session: Session,
  projections: readonly Projection[],
): Promise<readonly TableSetReport[]> {
  const database = session.database('reporting');
  const schema = session.schema('reporting');
  const parked = await listParked(database, schema);
  const read: { set: TableSet; checkpoints: Checkpoints }[] = [];
  for (const { name } of projections) {
    for (const set of await listTableSets(database, schema, name)) {
      read.push({ set, checkpoints: await checkpointsOf(database, schema, set.id) });
    }
  }
  // Last: reporting goes on meanwhile, and must not be ahead of the ends that it is measured by.
  const ends = await logEnds(session, projections);
  return read.map(({ set, checkpoints }) => reportOf(set, checkpoints, ends, parked));
}

type Checkpoints = Awaited<ReturnType<typeof checkpointsOf>>;
type LogEnds = ReadonlyMap<
  string,
  ReadonlyMap<number, { readonly low: bigint; readonly high: bigint }>
>;

/** What the tables say is worth reading without Kafka too. */
async function logEnds(
  session: Session,
  projections: readonly Projection[],
): Promise<LogEnds | undefined> {
  try {
    const topics = new TopicOffsets(await session.admin());
    const names = [...new Set(projections.map(({ topic }) => session.topicPrefix + topic))];
    const ends = await Promise.all(names.map((name) => topics.of(name)));
    return new Map(
      names.map((name, index) => [
        name.slice(session.topicPrefix.length),
        ends[index] ?? new Map(),
      ]),
    );
  } catch (error) {
    session.say(`Lag is not known: ${(error as Error).message}`);
    return undefined;
  }
}

function reportOf(
  set: TableSet,
  checkpoints: Checkpoints,
  ends: LogEnds | undefined,
  parked: readonly ParkedEvent[],
): TableSetReport {
  const own = parked.filter(({ tableSet }) => tableSet === set.id);
  const reported = checkpoints.map(({ topic, partition, offset }) => {
    const end = ends?.get(topic)?.get(partition)?.high ?? null;
    // A checkpoint is the last offset that is dealt with.
    const currentOffset = BigInt(offset) + 1n;
    const lag = end === null ? null : lagBetween(currentOffset, end);
    return { topic, partition, currentOffset, logEndOffset: end, lag };
  });
  return {
    id: set.id,
    projection: set.projection,
    version: set.version,
    state: set.state,
    createdAt: instantText(set.createdAt.getTime()),
    incarnation: set.incarnation,
    lag: ends === undefined ? null : lagOf(reported, ends),
    parkedEvents: own.length,
    parkedStreams: new Set(own.map(({ streamId }) => streamId)).size,
    checkpoints: reported,
  };
}

/**
 * Never negative: a log that was made anew, or whose end another broker knows late, ends before what
 * is in the rows, and would make up for what other partitions are behind.
 */
function lagBetween(currentOffset: bigint, end: bigint): bigint {
  return end > currentOffset ? end - currentOffset : 0n;
}

/** Of a partition that was never read, all that is there is still to be read. */
function lagOf(checkpoints: readonly CheckpointReport[], ends: LogEnds): bigint {
  const read = new Map(checkpoints.map((one) => [`${one.topic}/${one.partition}`, one.lag ?? 0n]));
  let total = 0n;
  for (const [topic, partitions] of ends) {
    for (const [partition, { low, high }] of partitions) {
      total += read.get(`${topic}/${partition}`) ?? high - low;
    }
  }
  return total;
}
