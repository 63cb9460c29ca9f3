import type { Logger } from '@sluice/service';
import type { Kafka } from 'kafkajs';
import type { BrokerClock } from './broker-clock.js';
import type { DeadLetters } from './dead-letters.js';
import type { HandlerMeter } from './kafka-metrics.js';
import type { Replies } from './replies.js';

/** What a handler of commands looks like to a transport. */
export type Handler = (data: unknown, context?: unknown) => Promise<unknown>;

/** The bounds of one service's side of the bus; see the in-process adapter for their sizes. */
export interface CommandConsumerLimits {
  /** Commands of one partition that wait to be accepted; then it pauses. */
  readonly unacceptedCommandsMax: number;
  /** Commands in their accept phase at once. */
  readonly acceptingMax: number;
  /** Commands between arrival and reply; then every partition pauses. */
  readonly unfinishedCommandsMax: number;
  /** The pauses between the tries of a command; the last one repeats until its life ends (D-17). */
  readonly commandRetryDelaysMs: readonly number[];
  /** Commands that wait for another try; a further one is given up at once. */
  readonly retryingMax: number;
  /**
   * The pause before a command is tried again if its handler's infrastructure could not be reached.
   */
  readonly infrastructureRetryMs: number;
  readonly commitIntervalMs: number;
  /** How long a closing service waits for the work under way (D-57). */
  readonly drainMs: number;
}

/** What one service's command consumer is made of. */
export interface CommandConsumerParts {
  readonly kafka: Kafka;
  readonly groupId: string;
  /** Its name on the broker. */
  readonly topic: string;
  /** As it is declared. */
  readonly declaredTopic: string;
  readonly handlers: ReadonlyMap<string, Handler>;
  /** The newest schema version that the handlers read; 1 where a type is not named (D-18). */
  readonly schemaVersions: Readonly<Record<string, number>>;
  /**
   * Whether an error, other than InfrastructureAway, means that the handler's infrastructure cannot
   * be reached.
   */
  readonly isInfrastructure: (error: unknown) => boolean;
  readonly replies: Replies;
  readonly deadLetters: DeadLetters;
  readonly limits: CommandConsumerLimits;
  readonly fetchGatherMs: number;
  readonly meter: HandlerMeter;
  readonly brokerClock: Pick<BrokerClock, 'start' | 'lifeEndOf' | 'close'>;
  readonly logger: Logger | undefined;
}
