import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '@sluice/contracts';
import { whileProcessing } from './message-spans.js';
import type { EventSubscription, OpenSubscription, ReceivedEvent } from './ports.js';

/** As many as make a difference between one partition and several; Kafka's topics have more. */
const PARTITIONS = 8;
/** What a subscriber gets at most in one batch: one statement's worth of rows. */
const BATCH_MESSAGES_MAX = 500;
/** More messages in a millisecond than any process publishes, so offsets grow across restarts. */
const OFFSETS_PER_MILLISECOND = 1_000;

/** A message as JSON, and the key within which its order matters. */
export interface PublishedText {
  readonly key: string;
  readonly text: string;
}

/** A published message on its way to one group, and the publisher who waits for it. */
interface Waiting {
  readonly offset: string;
  readonly read: () => Message;
  readonly done: (handled: boolean) => void;
}

/**
 * Events without a log: a publisher waits until every group has handled its messages, so nothing
 * has to be kept. Each group has one line per topic and partition, which one of its instances
 * handles.
 */
export class InProcessSubscriptions {
  readonly #members = new Map<string, Member[]>();
  readonly #lines = new Map<string, Line>();
  #nextOffset: number;

  constructor(
    now: () => number,
    private readonly retryDelaysMs: readonly number[],
  ) {
    this.#nextOffset = now() * OFFSETS_PER_MILLISECOND;
  }

  /** Delivers from now on to this instance of its group. */
  add(subscription: EventSubscription): OpenSubscription {
    const member = new Member(subscription);
    const members = this.#members.get(subscription.group) ?? [];
    this.#members.set(subscription.group, [...members, member]);
    return {
      close: async () => {
        this.#remove(subscription.group, member);
        await member.close();
      },
    };
  }

  /** Resolves when every group that subscribed has handled the messages; rejects on closing. */
  async deliver(topic: string, published: readonly PublishedText[]): Promise<void> {
    const groups = [...this.#members.entries()].filter(([, members]) =>
      members.some(({ subscription }) => subscription.topics.includes(topic)),
    );
    if (groups.length === 0) return;
    const handled: Promise<boolean>[] = [];
    for (const { key, text } of published) {
      const partition = partitionOf(key);
      const offset = String((this.#nextOffset += 1));
      // Once for all groups: most of them look at its type alone.
      let message: Message | undefined;
      const read = (): Message => (message ??= JSON.parse(text) as Message);
      for (const [group] of groups) {
        const line = this.#line(group, topic, partition);
        handled.push(new Promise((done) => line.add({ offset, read, done })));
      }
    }
    if ((await Promise.all(handled)).includes(false)) {
      throw new Error(`A subscriber of ${topic} closed before it had handled every message.`);
    }
  }

  /**
   * Lets the current batches end; the publishers of all others are told that they were not handled.
   */
  async close(): Promise<void> {
    const members = [...this.#members.values()].flat();
    this.#members.clear();
    await Promise.all(members.map((member) => member.close()));
  }

  #line(group: string, topic: string, partition: number): Line {
    const name = JSON.stringify([group, topic, partition]);
    let line = this.#lines.get(name);
    if (line === undefined) {
      const memberOf = (): Member | undefined => {
        const members = (this.#members.get(group) ?? []).filter(({ subscription }) =>
          subscription.topics.includes(topic),
        );
        return members[partition % members.length];
      };
      line = new Line(topic, partition, memberOf, this.retryDelaysMs);
      this.#lines.set(name, line);
    }
    return line;
  }

  #remove(group: string, member: Member): void {
    const others = (this.#members.get(group) ?? []).filter((other) => other !== member);
    if (others.length === 0) this.#members.delete(group);
    else this.#members.set(group, others);
  }
}

/** One instance of a group. */
class Member {
  readonly closing = new AbortController();
  readonly #batches = new Set<Promise<void>>();

  constructor(readonly subscription: EventSubscription) {}

  async handle(
    topic: string,
    partition: number,
    messages: readonly ReceivedEvent[],
  ): Promise<void> {
    const { group } = this.subscription;
    const batch = whileProcessing(
      {
        ...{ system: 'in_process', destination: topic, group },
        ...{ partition, offset: messages[0]?.offset },
      },
      messages.map(({ message }) => message),
      () => this.subscription.handle({ topic, partition, messages }),
    );
    this.#batches.add(batch);
    try {
      await batch;
    } finally {
      this.#batches.delete(batch);
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.#batches);
  }
}

/** The messages of one partition for one group: one batch at a time, in order. */
class Line {
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(
    private readonly topic: string,
    private readonly partition: number,
    private readonly memberOf: () => Member | undefined,
    private readonly retryDelaysMs: readonly number[],
  ) {}

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (this.#isRunning) return;
    this.#isRunning = true;
    // What the same publisher adds in this turn joins the batch.
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_MESSAGES_MAX);
      const handled = await this.#handle(batch);
      for (const { done } of batch) done(handled);
    }
    this.#isRunning = false;
  }

  /** Whether it was handled; it is tried as long as the group has an instance. */
  async #handle(batch: readonly Waiting[]): Promise<boolean> {
    for (let tries = 0; ; tries += 1) {
      const member = this.memberOf();
      if (member === undefined) return false;
      const messages = batch.map(({ offset, read }) => ({ offset, message: read() }));
      try {
        await member.handle(this.topic, this.partition, messages);
        return true;
      } catch {
        const pauseMs = this.retryDelaysMs[Math.min(tries, this.retryDelaysMs.length - 1)] ?? 0;
        const { signal } = member.closing;
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

/** FNV-1a: any hash that spreads keys evenly and is always the same. */
function partitionOf(key: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01_00_01_93);
  }
  return (hash >>> 0) % PARTITIONS;
}
