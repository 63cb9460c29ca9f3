import { describe, expect, it } from '@jest/globals';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import { applyTopics, mayPass } from './topics.js';

const declarations = ['a', 'b'].map((name) => ({ name, partitions: 2, config: {} }));

const protocolError = (type: string, retriable: boolean): Error =>
  Object.assign(
    new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { retriable }) as Error),
    { type },
  );
const notLeader = () => protocolError('NOT_LEADER_FOR_PARTITION', true);
const timedOut = () => protocolError('REQUEST_TIMED_OUT', true);
const existsAlready = () => protocolError('TOPIC_ALREADY_EXISTS', false);
const notAllowed = () => protocolError('TOPIC_AUTHORIZATION_FAILED', false);

/** A Kafka that fails as told, one failure each time, and then does what it is asked. */
class ScriptedKafka {
  readonly calls: string[] = [];
  readonly topics = new Set<string>();
  readonly admin: Admin;

  constructor(private readonly failures: Partial<Record<string, Error[]>> = {}) {
    this.admin = {
      listTopics: () => this.#answer('list', () => [...this.topics]),
      createTopics: ({ topics }: { topics: ITopicConfig[] }) =>
        this.#answer('create', () => topics.forEach(({ topic }) => this.topics.add(topic))),
      fetchTopicOffsets: (topic: string) => this.#answer(`offsets ${topic}`, () => []),
      fetchTopicMetadata: ({ topics }: { topics: string[] }) =>
        this.#answer('metadata', () => ({
          topics: topics.map((name) => ({ name, partitions: [0, 1] })),
        })),
      describeConfigs: () => this.#answer('configs', () => ({ resources: [] })),
    } as unknown as Admin;
  }

  #answer<Answer>(call: string, answer: () => Answer): Promise<Answer> {
    this.calls.push(call);
    const failure = this.failures[call]?.shift();
    return failure === undefined ? Promise.resolve(answer()) : Promise.reject(failure);
  }
}

describe('applyTopics', () => {
  it('waits for leaders that do not know yet that they are', async () => {
    const unheard = new TypeError("Cannot destructure property 'partitions'");
    const kafka = new ScriptedKafka({ 'offsets b': [notLeader(), unheard, notLeader()] });
    expect(await applyTopics(kafka.admin, { prefix: '', declarations })).toEqual({
      created: ['a', 'b'],
      differences: [],
    });
    expect(kafka.calls.filter((call) => call === 'offsets b')).toHaveLength(4);
    expect(kafka.calls.filter((call) => call === 'create')).toHaveLength(1);
  });

  it('tries again what a busy broker did not do in time, or did in part', async () => {
    const partly = new kafkajs.KafkaJSAggregateError('Topic creation errors', [
      existsAlready(),
      timedOut(),
    ]);
    const kafka = new ScriptedKafka({ list: [timedOut()], create: [timedOut(), partly] });
    expect((await applyTopics(kafka.admin, { declarations })).created).toEqual(['a', 'b']);
    expect(kafka.calls.filter((call) => call === 'create')).toHaveLength(3);
  });

  it('asks again about the topics that were there', async () => {
    const kafka = new ScriptedKafka({ metadata: [notLeader()] });
    await applyTopics(kafka.admin, { declarations });
    expect(await applyTopics(kafka.admin, { declarations })).toEqual({
      created: [],
      differences: [],
    });
    expect(kafka.calls.filter((call) => call === 'metadata')).toHaveLength(2);
  });

  it('throws at once what is wrong for good', async () => {
    const kafka = new ScriptedKafka({ create: [notAllowed()] });
    await expect(applyTopics(kafka.admin, { declarations })).rejects.toThrow(
      'TOPIC_AUTHORIZATION_FAILED',
    );
    expect(kafka.calls).toEqual(['list', 'create']);
  });
});

describe('mayPass', () => {
  const aggregate = (...errors: Error[]) => new kafkajs.KafkaJSAggregateError('several', errors);
  const gaveUp = (cause: Error) =>
    new kafkajs.KafkaJSNumberOfRetriesExceeded(cause, { retryCount: 2, retryTime: 1 });

  it.each([
    ['a leader that is none yet', notLeader(), true],
    ['what is not allowed', notAllowed(), false],
    ['a lost connection', new kafkajs.KafkaJSConnectionError('gone'), true],
    ['tries that were not enough', gaveUp(notLeader()), true],
    ['tries that could not be', gaveUp(notAllowed()), false],
    ['one of several wrong for good', aggregate(timedOut(), notAllowed()), false],
    ['several that may', aggregate(timedOut(), existsAlready()), true],
    ['an error of our own', new TypeError('undefined'), false],
  ])('%s', (_, error, expected) => {
    expect(mayPass(error)).toBe(expected);
  });
});
