import type { CommandConsumerLimits } from './command-consumer-parts.js';
import type { CommandSenderLimits } from './command-sender.js';
import type { EventConsumerLimits } from './event-consumer.js';

/** The bounds of one process's side of the bus. */
export interface KafkaLimits
  extends CommandSenderLimits, CommandConsumerLimits, EventConsumerLimits {
  /** How long `publish` waits for the broker; then it rejects, and its messages are given up. */
  readonly publishTimeoutMs: number;
  /** In busy times, from one produce request of commands or replies to the next. */
  readonly produceGatherMs: number;
  /** In busy times, from one fetch of commands or replies to the next. */
  readonly fetchGatherMs: number;
  /** The same for events, which nobody waits for. */
  readonly eventFetchGatherMs: number;
}

/** The limits unless told otherwise. */
export const defaultKafkaLimits: KafkaLimits = {
  waitingCommandsMax: 10_000,
  unsentCommandsMax: 1_024,
  unacceptedCommandsMax: 1_024,
  acceptingMax: 256,
  unfinishedCommandsMax: 10_000,
  commandRetryDelaysMs: [100, 200, 400, 800, 1_600],
  retryingMax: 256,
  infrastructureRetryMs: 500,
  commitIntervalMs: 250,
  drainMs: 20_000,
  batchRetryDelaysMs: [50, 200, 800, 3_200],
  eventCommitIntervalMs: 1_000,
  publishTimeoutMs: 10_000,
  produceGatherMs: 4,
  fetchGatherMs: 4,
  eventFetchGatherMs: 25,
};
