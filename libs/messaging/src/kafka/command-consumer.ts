import { setTimeout as delay } from 'node:timers/promises';
import type { CommandMessage } from '@sluice/contracts';
import { inRequest } from '@sluice/service';
import type { KafkaMessage } from 'kafkajs';
import { settled } from '../handler-result.js';
import { KeyedQueue } from '../keyed-queue.js';
import { errorType, startProcessing } from '../message-spans.js';
import { type CommandContext, Execution, InfrastructureAway, Unrecorded } from '../ports.js';
import { AssignedPartition } from './assigned-partition.js';
import { CommandRetries } from './command-retries.js';
import { UnrecordedReplies } from './unrecorded-replies.js';
import { CommandWork, placeOf } from './command-work.js';
import type { PartitionPosition } from './consumer-lag.js';
import { describeError } from './describe-error.js';
import { RefusedSendings } from './refused-sendings.js';
import {
  type ArrivedBatch,
  SupervisedConsumer,
  type TopicPartition,
} from './supervised-consumer.js';
import { decodeCommand, expiryOf, replyAddressOf } from './message-headers.js';
import { OffsetCommits } from './offset-commits.js';
import type { CommandConsumerParts } from './command-consumer-parts.js';

/**
 * Commands in two phases (D-12): accepted in order of their keys, which completes the offset, and
 * executed outside. kafkajs only hands over; which offsets are committed is decided here.
 */
export class CommandConsumer {
  readonly consumer: SupervisedConsumer;
  readonly #accepts: KeyedQueue;
  readonly #retries: CommandRetries;
  readonly #unrecorded: UnrecordedReplies;
  readonly #refused = new RefusedSendings();
  readonly #commits: OffsetCommits;
  readonly #inHand = new Map<string, CommandWork>();
  readonly #executions = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #assigned = new Map<string, AssignedPartition>();
  /** How many commands of each partition wait for their infrastructure. */
  readonly #away = new Map<AssignedPartition, number>();

  constructor(private readonly parts: CommandConsumerParts) {
    const { kafka, groupId, topic, limits, logger } = parts;
    this.#accepts = new KeyedQueue(limits.acceptingMax);
    this.consumer = new SupervisedConsumer({
      kafka,
      groupId,
      topics: [topic],
      gatherMs: parts.fetchGatherMs,
      onFetched: (name, count) => parts.meter.consumed(name, count),
      duties: {
        assigned: (partitions) => this.#assign(partitions),
        revoked: () => this.#revoke(),
        arrived: (batch) => this.#arrived(batch),
      },
      onTrouble: (reason) => logger?.warn({ groupId, reason }, 'A command consumer starts again.'),
    });
    this.#unrecorded = new UnrecordedReplies({
      drop: (work) => this.#drop(work),
    });
    this.#commits = new OffsetCommits(this.consumer, limits.commitIntervalMs, this.#unrecorded);
    this.#retries = new CommandRetries({
      limits,
      closing: this.#closing.signal,
      handle: (work) => this.#handle(work),
      accepted: (work, result) => this.#accepted(work, result),
      giveUp: (work, reason) => this.#giveUp(work, reason),
      drop: (work) => this.#drop(work),
    });
  }

  /**
   * Resolves when it has joined its group. No command is taken before its age can be determined.
   */
  async start(): Promise<void> {
    await this.parts.brokerClock.start();
    if (!this.#closing.signal.aborted) await this.consumer.start();
  }

  /** How far it has come in each of its partitions. */
  positions(): readonly PartitionPosition[] {
    return [...this.#assigned.values()].map(({ topic, partition, offsets }) => {
      return { topic, partition, position: offsets.position };
    });
  }

  /**
   * In this order (D-16): nothing new, the accept queue empties, its offsets are committed, the
   * group is left, executions end. kafkajs' commit does nothing once it has begun to stop.
   */
  async close(): Promise<void> {
    const giveUp = delay(this.parts.limits.drainMs, undefined, { ref: false });
    for (const assigned of this.#assigned.values()) assigned.pauseFor('closing');
    this.#closing.abort();
    this.parts.brokerClock.close();
    await Promise.race([this.#accepts.idle(), giveUp]);
    await this.#retries.idle();
    this.#accepts.clear();
    await this.#commits.close(this.#assigned.values());
    await Promise.race([this.#unrecorded.close(), giveUp]);
    await this.consumer.close();
    this.#endAssignments();
    await Promise.race([Promise.all(this.#executions), giveUp]);
  }

  #assign(partitions: readonly TopicPartition[]): void {
    this.#endAssignments();
    // Pauses of an earlier generation are forgotten with it.
    this.consumer.resume(partitions);
    this.#assigned = new Map(
      partitions.map(({ topic, partition }) => {
        const gate = {
          pause: () => this.consumer.pause([{ topic, partition }]),
          resume: () => this.consumer.resume([{ topic, partition }]),
        };
        return [`${topic}/${partition}`, new AssignedPartition(topic, partition, gate)];
      }),
    );
    if (this.#closing.signal.aborted) {
      for (const assigned of this.#assigned.values()) assigned.pauseFor('closing');
    }
    this.#commits.start(() => this.#assigned.values());
  }

  #revoke(): void {
    // May still count in the old generation; if not, the commands come again and are joined.
    void this.#commits.commitNow(this.#assigned.values());
    this.#endAssignments();
  }

  #endAssignments(): void {
    for (const assigned of this.#assigned.values()) assigned.isEnded = true;
    this.#assigned = new Map();
    this.#away.clear();
  }

  #arrived({ topic, partition, messages }: ArrivedBatch): void {
    const assigned = this.#assigned.get(`${topic}/${partition}`);
    if (assigned === undefined) return;
    this.#commits.stir();
    for (const message of messages) {
      if (assigned.isPausedFor('newerWriter')) return;
      this.#take(assigned, message);
    }
    if (assigned.unaccepted >= this.parts.limits.unacceptedCommandsMax || this.#isFull()) {
      assigned.pauseFor('full');
    }
  }

  #take(assigned: AssignedPartition, raw: KafkaMessage): void {
    const offset = Number(raw.offset);
    const running = this.#inHand.get(placeOf(assigned, raw));
    if (running !== undefined) {
      assigned.offsets.add(offset);
      running.join(assigned);
      return;
    }
    let command: CommandMessage;
    try {
      command = decodeCommand(raw);
    } catch (error) {
      assigned.offsets.add(offset);
      const reason = describeError(error);
      const place = { topic: assigned.topic, partition: assigned.partition, offset: raw.offset };
      this.parts.logger?.error(
        { ...place, reason },
        'A message that is no command goes to the dead letters.',
      );
      void this.#bury(assigned, raw, reason);
      return;
    }
    const handler = this.parts.handlers.get(command.type);
    const readable = this.parts.schemaVersions[command.type] ?? 1;
    if (handler === undefined || command.schemaVersion > readable) {
      this.#halt(assigned, command, raw.offset);
      return;
    }
    assigned.offsets.add(offset);
    assigned.unaccepted += 1;
    const work = new CommandWork(assigned, raw, command, replyAddressOf(raw));
    this.#accepts.add(command.key, () => this.#accept(work));
  }

  /** D-18: a newer release wrote what this one cannot read, so a newer instance must take it. */
  #halt(
    assigned: AssignedPartition,
    { type, schemaVersion }: CommandMessage,
    offset: string,
  ): void {
    const { topic, partition } = assigned;
    assigned.pauseFor('newerWriter');
    this.consumer.seek({ topic, partition }, offset);
    const fields = { topic, partition, offset, type, schemaVersion };
    this.parts.logger?.error(fields, 'ALARM newer writer: a partition stands until it is read.');
  }

  async #accept(work: CommandWork): Promise<void> {
    const { assigned } = work;
    if (assigned.isEnded) return;
    this.#inHand.set(work.place, work);
    const { partition } = assigned;
    const { groupId: group, declaredTopic: destination } = this.parts;
    const place = { system: 'kafka', destination, partition, group } as const;
    work.span = startProcessing({ ...place, offset: work.raw.offset }, work.command);
    // All log lines from here to the reply belong to this request.
    await inRequest(work.span, { ndc: work.command.correlationId }, () => this.#acceptNow(work));
    assigned.unaccepted -= 1;
    this.#makeRoom();
  }

  async #acceptNow(work: CommandWork): Promise<void> {
    const { brokerClock } = this.parts;
    const { timeToLiveMs } = work.command;
    const appendedAtMs = Number(work.raw.timestamp);
    const life = { appendedAtMs, timeToLiveMs, expiresAtMs: expiryOf(work.raw) };
    work.lifeEndsMs = await brokerClock.lifeEndOf(life);
    if (this.#refused.isCopy(work)) {
      work.accepted();
      return this.#finish(work);
    }
    try {
      const result = await this.#untilInfrastructure(work);
      if (result !== DROPPED) this.#accepted(work, result);
    } catch {
      // Nest has logged it. Others of this key go on.
      this.#retries.add(work);
    }
  }

  #handle({ command, lifeEndsMs: endsMs }: CommandWork, lifeEndsMs = endsMs): Promise<unknown> {
    const handler = this.parts.handlers.get(command.type);
    if (handler === undefined) throw new TypeError(`There is no handler for ${command.type}.`);
    const context: CommandContext = { lifeEndsMs };
    return settled(handler(command, context));
  }

  /**
   * It is not the command's fault if infrastructure cannot be reached, so its partition waits with
   * it.
   */
  async #untilInfrastructure(work: CommandWork, lifeEndsMs?: number): Promise<unknown> {
    for (;;) {
      try {
        return await this.#handle(work, lifeEndsMs);
      } catch (error) {
        if (!(error instanceof InfrastructureAway) && !this.parts.isInfrastructure(error)) {
          throw error;
        }
        if (!(await this.#waitForInfrastructure(work, error))) return DROPPED;
      }
    }
  }

  /** False when the command's partition is no longer assigned here. */
  async #waitForInfrastructure(work: CommandWork, error: unknown): Promise<boolean> {
    const { assigned } = work;
    const { limits, logger } = this.parts;
    const waiting = this.#away.get(assigned) ?? 0;
    if (waiting === 0) {
      const fields = { topic: assigned.topic, partition: assigned.partition };
      logger?.warn({ ...fields, reason: describeError(error) }, 'A partition waits.');
    }
    this.#away.set(assigned, waiting + 1);
    assigned.pauseFor('infrastructure');
    const { signal } = this.#closing;
    await delay(limits.infrastructureRetryMs, undefined, { signal }).catch(() => undefined);
    const left = (this.#away.get(assigned) ?? 1) - 1;
    this.#away.set(assigned, left);
    if (left === 0) assigned.resumeFrom('infrastructure');
    if (!signal.aborted && !work.assigned.isEnded) return true;
    this.#drop(work);
    return false;
  }

  #accepted(work: CommandWork, result: unknown): void {
    work.accepted();
    if (result instanceof Unrecorded) {
      const reply: unknown = result.reply;
      // The other copy may still be performed: it tells.
      if (this.#hasCopyInHand(work)) return this.#finish(work);
      this.#refused.add(work);
      this.#unrecorded.add(work, {
        answer: (isTaken) => this.parts.replies.replied(work.reply, reply, isTaken),
        finished: () => this.#finish(work),
        late: () => this.#acceptLate(work),
      });
      this.#commits.stir();
      return;
    }
    if (!(result instanceof Execution)) {
      this.parts.replies.replied(work.reply, result);
      this.#finish(work);
      return;
    }
    const execution = this.#execute(work, result as Execution<unknown>);
    this.#executions.add(execution);
    void execution.finally(() => this.#executions.delete(execution));
  }

  async #execute(work: CommandWork, execution: Execution<unknown>): Promise<void> {
    const { replies, logger } = this.parts;
    try {
      const reply = await execution.run();
      replies.replied(work.reply, reply);
      this.#finish(work);
    } catch (error) {
      // The request event is committed, so the sweeper finds it and the answer is pending.
      const { type, id } = work.command;
      logger?.error({ type, id, reason: describeError(error) }, 'An execution failed.');
      work.span?.failed(errorType(error));
      replies.unanswered(work.reply);
      this.#finish(work);
    }
  }

  /** Whether the broker had this sending twice, and the other copy is being tried. */
  #hasCopyInHand({ reply, place }: CommandWork): boolean {
    if (reply === undefined) return false;
    for (const other of this.#inHand.values()) {
      if (other.reply?.correlation === reply.correlation && other.place !== place) return true;
    }
    return false;
  }

  /**
   * Has its handler record that a command has expired. Its offset may be committed already, so if
   * that fails too, the command is kept as a dead letter.
   */
  async #acceptLate(work: CommandWork): Promise<void> {
    // For the handler it is over: the reply may be heard yet, and says that nothing was done. What is
    // left of it is still the transport's: until it ends, or the offset is committed, the command may
    // come to another process.
    const endedMs = Math.min(work.lifeEndsMs, performance.now());
    try {
      const result = await this.#untilInfrastructure(work, endedMs);
      if (result === DROPPED) return await this.#bury(work.assigned, work.raw, NOTHING_RECORDED);
      if (!(result instanceof Unrecorded)) return this.#accepted(work, result);
    } catch {
      // Nest has logged it.
    }
    await this.#giveUp(work, NOTHING_RECORDED);
  }

  #finish(work: CommandWork): void {
    this.#inHand.delete(work.place);
    const seconds = (performance.now() - work.arrivedMs) / 1_000;
    this.parts.meter.processed(work.assigned.topic, seconds);
    work.span?.end();
    this.#makeRoom();
  }

  /** The command now belongs to another instance. */
  #drop(work: CommandWork): void {
    this.#inHand.delete(work.place);
    work.span?.end();
  }

  async #giveUp(work: CommandWork, reason: string): Promise<void> {
    const { type, id } = work.command;
    this.parts.logger?.error({ type, id, reason }, 'A command is given up (D-17).');
    work.span?.failed('givenUp');
    await this.#bury(work.assigned, work.raw, reason);
    work.accepted();
    this.parts.replies.failed(work.reply);
    this.#finish(work);
  }

  async #bury(assigned: AssignedPartition, raw: KafkaMessage, reason: string): Promise<void> {
    const { topic, partition } = assigned;
    if (!(await this.parts.deadLetters.copy(topic, partition, raw, reason))) {
      const fields = { topic, partition, offset: raw.offset };
      this.parts.logger?.error(fields, 'A dead letter could not be kept.');
    }
    assigned.offsets.complete(Number(raw.offset));
  }

  #isFull(): boolean {
    return this.#inHand.size >= this.parts.limits.unfinishedCommandsMax;
  }

  #makeRoom(): void {
    if (this.#isFull()) return;
    const resumeBelow = this.parts.limits.unacceptedCommandsMax / 2;
    for (const assigned of this.#assigned.values()) {
      if (assigned.unaccepted <= resumeBelow) assigned.resumeFrom('full');
    }
  }
}

/** The command now belongs to another instance; nothing of it remains here. */
const DROPPED = Symbol('dropped');

const NOTHING_RECORDED = 'nothing was recorded of it while it lived';
