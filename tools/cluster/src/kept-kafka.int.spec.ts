import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createKafka } from '@sluice/messaging';
import { testBrokers } from '@sluice/testing';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { existingKafka } from './kept-kafka.js';

const newId = (): string => randomBytes(16).toString('hex');
const OWNERS = 'sluice.installation.';

let brokers: string;
let admin: ReturnType<ReturnType<typeof createKafka>['admin']>;

const owners = async (): Promise<readonly string[]> =>
  (await admin.listTopics()).filter((name) => name.startsWith(OWNERS));
const use = (installationId: string, takesOver = false) =>
  existingKafka(brokers, { installationId, takesOver });

beforeAll(async () => {
  brokers = (await testBrokers()).join(',');
  admin = createKafka({ brokers: brokers.split(','), clientId: 'owners' }).admin();
  await admin.connect();
}, 120_000);
beforeEach(async () => {
  const topics = [...(await owners())];
  if (topics.length > 0) await admin.deleteTopics({ topics });
});
afterAll(() => admin.disconnect());

describe('a Kafka that is there already', () => {
  it('belongs to the installation that was first, and to it at every start', async () => {
    const id = newId();
    await use(id);
    await use(id);
    expect(await owners()).toEqual([OWNERS + id]);
  });

  it('is refused to another one, in a sentence that says what to do', async () => {
    const id = newId();
    await use(id);
    await expect(use(newId())).rejects.toThrow(
      /belongs to a cluster with another data folder.*--kafka.*--reset/,
    );
    expect(await owners()).toEqual([OWNERS + id]);
  });

  it('is taken over by one that begins anew', async () => {
    await use(newId());
    const id = newId();
    await use(id, true);
    // A broker learns a moment after the controller which topics there are.
    while (!isDeepStrictEqual(await owners(), [OWNERS + id])) await setTimeout(10);
    await use(id);
    // Four looks at all topics, and making them: a busy machine takes its time.
  }, 60_000);
});
