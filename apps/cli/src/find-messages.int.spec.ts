import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyTopics, createKafka } from '@sluice/messaging';
import { testKafka } from '@sluice/testing';
import type { Admin } from 'kafkajs';
import { type Ran, sluice } from './command-line-fixture.js';

const fixture = testKafka();
const prefix = fixture.topicPrefix;
const TWO_HOURS_MS = 2 * 60 * 60 * 1_000;
const NDC = `${'a'.repeat(32)}_${'1'.repeat(32)}`;
const OTHER = `${'a'.repeat(32)}_${'2'.repeat(32)}`;
const TRACE = '0af7651916cd43dd8448eb211c80319c';

let admin: Admin;

function message(correlationId: string, headers: Record<string, string>) {
  return { partition: 0, value: 'a value', headers: { correlationId, ...headers } };
}

/** One after the other: the broker's clock says when each came. */
beforeAll(async () => {
  const kafka = createKafka({ brokers: fixture.brokers, clientId: 'test' });
  admin = kafka.admin();
  await admin.connect();
  await applyTopics(admin, { prefix });
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
  await producer.send({
    topic: `${prefix}edge.replies.v1`,
    messages: [message(NDC, { outcome: 'replied' })],
  });
  await producer.send({
    topic: `${prefix}payments.payment.v1`,
    messages: [
      message(OTHER, { type: 'TransactionDeclined' }),
      message(NDC, { type: 'TransactionApproved', traceparent }),
    ],
  });
  await producer.disconnect();
}, 60_000);

afterAll(() => admin.disconnect());

function run(line: string, nowMs = Date.now()): Promise<Ran> {
  const words = `--brokers ${fixture.brokers.join(',')} ${line}`;
  return sluice(words, { topicPrefix: prefix, nowMs });
}

describe('sluice topics find', () => {
  it('shows every message of a request in their order, and nothing of what they say', async () => {
    const { output, exitCode } = await run(`topics find ${NDC}`);
    const [titles, reply, event, ...more] = output.trimEnd().split('\n');
    expect(titles).toMatch(/^AT +TOPIC +PLACE +TYPE +TRACE$/);
    expect(reply).toMatch(/^[0-9T:.-]{23}Z +\S+edge\.replies\.v1 +0:0 +reply: replied +-$/);
    expect(event).toMatch(new RegExp(`payments.payment.v1 +0:1 +TransactionApproved +${TRACE}$`));
    expect([more, exitCode]).toEqual([[], 0]);
    expect(output).not.toContain('a value');
  });

  it('looks back as far as it is told', async () => {
    const laterMs = Date.now() + TWO_HOURS_MS;
    const none = await run(`--json topics find ${NDC}`, laterMs);
    expect(JSON.parse(none.output)).toEqual({ messages: [] });
    const all = await run(`--json topics find ${NDC} --within PT3H`, laterMs);
    expect((JSON.parse(all.output) as { messages: unknown[] }).messages).toHaveLength(2);
  });

  it('says when there is none, leaves no group behind and refuses what is no ndc', async () => {
    const none = `${'f'.repeat(32)}_${'f'.repeat(32)}`;
    const { output } = await run(`topics find ${none}`);
    expect(output).toBe('No message of the last PT1H names it.\n');
    const { groups } = await admin.listGroups();
    expect(groups.filter(({ groupId }) => groupId.includes('find'))).toEqual([]);
    expect((await run('topics find 4711')).exitCode).toBe(2);
  });
});
