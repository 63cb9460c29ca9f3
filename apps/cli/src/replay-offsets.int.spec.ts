import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectionGroupOf } from '@sluice/contracts';
import { createKafka } from '@sluice/messaging';
import { testKafka } from '@sluice/testing';
import type { Admin, Kafka } from 'kafkajs';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ran, sluice } from './command-line-fixture.js';
import { setGroupOffsets } from './groups.js';

const fixture = testKafka();
/** Long ago: a broker takes no message from the future. */
const FIRST_MS = Date.UTC(2021, 4, 4, 12);
const MINUTE_MS = 60_000;
const MESSAGES = 10;

let kafka: Kafka;
let admin: Admin;
let topic = '';
let count = 0;
const folder = mkdtempSync(join(tmpdir(), 'sluice-replay-'));

/** Ten messages in each of two partitions, a minute apart. */
beforeAll(async () => {
  kafka = createKafka({ brokers: fixture.brokers, clientId: 'test' });
  admin = kafka.admin();
  await admin.connect();
  topic = `${fixture.topicPrefix}letters`;
  const forEver = [{ name: 'retention.ms', value: '-1' }];
  await admin.createTopics({
    waitForLeaders: true,
    topics: [{ topic, numPartitions: 2, configEntries: forEver }],
  });
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const messages = [0, 1].flatMap((partition) =>
    Array.from({ length: MESSAGES }, (_, index) => ({
      partition,
      value: `${partition}/${index}`,
      timestamp: String(FIRST_MS + index * MINUTE_MS),
    })),
  );
  await producer.send({ topic, messages }).finally(() => producer.disconnect());
});

afterAll(async () => {
  await admin.disconnect();
  rmSync(folder, { recursive: true });
});

function run(line: string, nowMs = FIRST_MS): Promise<Ran> {
  return sluice(`--brokers ${fixture.brokers.join(',')} ${line}`, {
    topicPrefix: fixture.topicPrefix,
    nowMs,
  });
}

/** A group that stands at these offsets of both partitions. */
async function groupAt(...offsets: readonly number[]): Promise<string> {
  const groupId = `${fixture.topicPrefix}readers-${(count += 1)}`;
  const partitions = offsets.map((offset, partition) => ({
    ...{ topic, partition },
    offset: BigInt(offset),
  }));
  await setGroupOffsets(kafka, admin, groupId, partitions);
  return groupId;
}

async function positions(groupId: string): Promise<number[]> {
  const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
  return found!.partitions
    .sort((left, right) => left.partition - right.partition)
    .map(({ offset }) => Number(offset));
}

/** What a member of the group reads until it has so many. */
async function read(groupId: string, expected: number): Promise<string[]> {
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 50 });
  const values: string[] = [];
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await new Promise<void>((resolve) => {
    void consumer.run({
      eachMessage: async ({ message }) => {
        values.push(String(message.value));
        if (values.length === expected) resolve();
      },
    });
  });
  await consumer.disconnect();
  return values.sort();
}

describe('a group that has read everything', () => {
  it('reads everything again after a replay to the earliest offset', async () => {
    const group = `${fixture.topicPrefix}whole`;
    const first = await read(group, 2 * MESSAGES);
    const { exitCode, output } = await run(
      `replay --group ${group} --all-topics --to-earliest --execute`,
    );
    expect(output).toMatch(/Done: 2 partitions have new positions/);
    expect(exitCode).toBe(0);
    expect(await read(group, 2 * MESSAGES)).toEqual(first);
  }, 60_000);

  it('stays where it is in a dry run, which says that nothing was done', async () => {
    const group = await groupAt(10, 10);
    const { exitCode, output } = await run(
      `replay --group ${group} --topic ${topic} --to-earliest`,
    );
    expect(output).toMatch(/CURRENT-OFFSET +NEW-OFFSET +LOG-END-OFFSET +LAG +NEW-LAG/);
    expect(output).toMatch(/Nothing was done\. Add --execute to do it\.\n$/);
    expect(exitCode).toBe(0);
    expect(await positions(group)).toEqual([10, 10]);
  });
});

describe('a group in the middle', () => {
  it.each([
    ['--to-latest', [10, 10]],
    ['--to-current', [4, 6]],
    ['--to-offset 3', [3, 3]],
    ['--to-offset 99', [10, 10]],
    ['--shift-by -5', [0, 1]],
    ['--shift-by +3', [7, 9]],
    ['--to-datetime 2021-05-04T12:07:00.000', [7, 7]],
    ['--to-datetime 2021-05-04T12:07:00.001', [8, 8]],
    ['--to-datetime 2022-01-01', [10, 10]],
    ['--by-duration PT30M', [0, 0]],
  ])('goes on after %s', async (flag, expected) => {
    const group = await groupAt(4, 6);
    const line = `replay --group ${group} --topic ${topic} ${flag} --execute --json`;
    const { exitCode, json } = await run(line, FIRST_MS + 20 * MINUTE_MS);
    expect(exitCode).toBe(0);
    expect(json().partitions).toMatchObject(
      expected.map((offset, partition) => ({
        ...{ group, topic, partition, currentOffset: ['4', '6'][partition] },
        ...{ newOffset: String(offset), newLag: String(MESSAGES - offset) },
      })),
    );
    expect(await positions(group)).toEqual(expected);
  });

  it('moves in the partitions that are named, and in no others', async () => {
    const group = await groupAt(4, 6);
    await run(`replay --group ${group} --topic ${topic}:1 --to-earliest --execute`);
    expect(await positions(group)).toEqual([4, 0]);
    const { exitCode, errors } = await run(
      `replay --group ${group} --topic ${topic}:7 --to-earliest --execute`,
    );
    expect([exitCode, errors]).toEqual([1, `The topic ${topic} has no partition 7.\n`]);
  });

  it('is not moved while a member reads (exit code 4)', async () => {
    const group = await groupAt(4, 6);
    const consumer = kafka.consumer({ groupId: group, maxWaitTimeInMs: 50 });
    await consumer.connect();
    await consumer.subscribe({ topics: [topic] });
    const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
    await consumer.run({ autoCommit: false, eachMessage: async () => {} });
    await joined;
    try {
      const line = `replay --group ${group} --topic ${topic} --to-earliest`;
      for (const flag of ['--execute', '--dry-run']) {
        const { exitCode, errors, output } = await run(`${line} ${flag}`);
        expect(errors).toMatch(/is active \(\w+: test\)\. Stop its members first\.\n$/);
        expect([exitCode, output]).toEqual([4, '']);
      }
      const members = await run(`replay --describe --group ${group} --members --json`);
      expect(members.json()).toMatchObject([{ clientId: 'test', partitions: { [topic]: [0, 1] } }]);
      const state = await run(`replay --describe --group ${group} --state`);
      expect(state.output).toMatch(/Stable +1\n$/);
    } finally {
      await consumer.disconnect();
    }
    expect(await positions(group)).toEqual([4, 6]);
  });

  it('is described with its lag', async () => {
    const group = await groupAt(4, 6);
    const { json } = await run(`replay --describe --group ${group} --json`);
    expect(json()).toEqual([
      { group, topic, partition: 0, currentOffset: '4', logEndOffset: '10', lag: '6' },
      { group, topic, partition: 1, currentOffset: '6', logEndOffset: '10', lag: '4' },
    ]);
  });
});

describe('a plan', () => {
  it('that was exported moves a group when it is read back', async () => {
    const group = await groupAt(4, 6);
    const exported = await run(`replay --group ${group} --topic ${topic} --shift-by -2 --export`);
    expect(exported.output).toBe(`${topic},0,2\n${topic},1,4\n`);
    expect(await positions(group)).toEqual([4, 6]);
    const file = join(folder, 'plan.csv');
    writeFileSync(file, exported.output);
    const { exitCode } = await run(`replay --group ${group} --from-file ${file} --execute`);
    expect(exitCode).toBe(0);
    expect(await positions(group)).toEqual([2, 4]);
  });

  it('that does not fit the topic any more is not done (exit code 3)', async () => {
    const group = await groupAt(4, 6);
    const file = join(folder, 'late.csv');
    writeFileSync(file, `${topic},0,3\n${topic},1,55\n`);
    const { exitCode, output } = await run(`replay --group ${group} --from-file ${file} --execute`);
    expect(output).toMatch(/10 \*/);
    expect(output).toMatch(/Nothing was done\.\n$/);
    expect(exitCode).toBe(3);
    expect(await positions(group)).toEqual([4, 6]);
  });
});

describe('a replay that cannot be', () => {
  it('of a topic that is not there says so', async () => {
    const group = await groupAt(4, 6);
    const line = `replay --group ${group} --topic nothing --to-earliest`;
    const { exitCode, errors } = await run(line);
    expect([exitCode, errors]).toEqual([1, 'There is no topic nothing.\n']);
  });

  it('of a group that feeds a projection is refused: its positions are elsewhere', async () => {
    const tableSet = { id: 2, createdAt: new Date(FIRST_MS) };
    const group = fixture.topicPrefix + projectionGroupOf('reporting', tableSet);
    await setGroupOffsets(kafka, admin, group, [{ topic, partition: 0, offset: 4n }]);
    const line = `replay --group ${group} --topic ${topic} --to-earliest --execute`;
    const { exitCode, errors } = await run(line);
    expect(errors).toMatch(/use --projection NAME/);
    expect(exitCode).toBe(4);
    const [found] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
    expect(found?.partitions.find(({ partition }) => partition === 0)?.offset).toBe('4');
  });

  it('of a misspelt group says which there are, and makes none', async () => {
    const group = await groupAt(4, 6);
    const file = join(folder, 'misspelt.csv');
    writeFileSync(file, `${topic},0,3\n`);
    for (const flags of [
      `--topic ${topic} --to-earliest --execute`,
      `--from-file ${file} --execute`,
      '--describe',
    ]) {
      const { exitCode, errors } = await run(`replay --group ${group}x ${flags}`);
      expect(errors).toContain(`There is no group ${group}x. There are: `);
      expect(exitCode).toBe(1);
    }
    const { groups } = await admin.listGroups();
    expect(groups.map(({ groupId }) => groupId)).not.toContain(`${group}x`);
  });

  it('of a group without a position cannot shift it', async () => {
    const group = `${fixture.topicPrefix}elsewhere`;
    await setGroupOffsets(kafka, admin, group, [{ topic, partition: 1, offset: 4n }]);
    const { exitCode, errors } = await run(
      `replay --group ${group} --topic ${topic} --shift-by -1 --execute`,
    );
    expect(errors).toMatch(/has no position in partition 0/);
    expect(exitCode).toBe(4);
  });
});
