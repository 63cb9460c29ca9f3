import type { Logger } from '@sluice/service';
import kafkajs, { type Kafka, type LogEntry } from 'kafkajs';
import process from 'node:process';
import { repairKafkajs } from './kafkajs-repairs.js';

/** Certificates for a listener with mutual TLS (D-47). */
export interface KafkaTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** How brokers are reached. */
export interface KafkaClientOptions {
  /** `host:port` of one or more of them. */
  readonly brokers: readonly string[];
  /** Appears in the broker's log and quotas, e.g. `payments`. */
  readonly clientId: string;
  readonly tls?: KafkaTls;
  readonly logger?: Logger;
}

/** Everything waits at most this long for a broker; then it is repeated (D-14). */
export const REQUEST_TIMEOUT_MS = 5_000;
const CONNECTION_TIMEOUT_MS = 3_000;

/** A client of kafkajs with our log; connects nothing yet. */
export function createKafka({ brokers, clientId, tls, logger }: KafkaClientOptions): Kafka {
  repairKafkajs();
  // Our partitions are computed by the same function as kafkajs' default; the warning is noise.
  process.env['KAFKAJS_NO_PARTITIONER_WARNING'] = '1';
  return new kafkajs.Kafka({
    brokers: [...brokers],
    clientId,
    ...(tls !== undefined && { ssl: { ca: [tls.ca], cert: tls.cert, key: tls.key } }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => (entry) => writeEntry(logger, entry),
  });
}

/**
 * kafkajs calls errors what is the normal life of a cluster: whatever it says is for debugging. What
 * an operator must know, the adapter says itself.
 */
function writeEntry(logger: Logger | undefined, { namespace, log }: LogEntry): void {
  if (logger?.isLevelEnabled('debug') !== true) return;
  const { message, groupId, broker, error } = log as unknown as Record<string, unknown>;
  logger.debug({ kafkajs: namespace, groupId, broker, kafkajsError: error }, message as string);
}

/** The error at the bottom: kafkajs wraps what it has repeated. */
export function causeOf(error: unknown): { name: string; type?: string; message: string } {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return { name: 'Error', message: String(cause) };
  const { type } = cause as { type?: string };
  return { name: cause.name, message: cause.message, ...(type !== undefined && { type }) };
}
