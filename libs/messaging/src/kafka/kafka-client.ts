import type { Logger, TlsFiles } from '@sluice/service';
import type { ISocketFactory, Kafka, LogEntry } from 'kafkajs';
import { connect, isIP } from 'node:net';
import process from 'node:process';
import { checkServerIdentity, connect as connectTls, type ConnectionOptions } from 'node:tls';
import { loadedKafkajs } from './kafkajs.js';
import { repairKafkajs } from './kafkajs-repairs.js';

/** Certificates for a listener with mutual TLS (D-47), e.g. a TlsMaterial. */
export interface KafkaTls {
  /**
   * The current files: each new connection reads them again, so that a renewal needs no restart.
   */
  readonly current: TlsFiles;
}

/** How brokers are reached. */
export interface KafkaClientOptions {
  /** `host:port` of one or more of them. */
  readonly brokers: readonly string[];
  /** Appears in the broker's log and quotas, e.g. `payments`. */
  readonly clientId: string;
  readonly tls?: KafkaTls | undefined;
  readonly logger?: Logger;
  /** How long a request may take; D-14 says 5 s. */
  readonly requestTimeoutMs?: number;
  /** Where to connect for a broker's address; tests put a proxy in between that can be cut. */
  readonly route?: (host: string, port: number) => { readonly host: string; readonly port: number };
}

/** Everything waits at most this long for a broker; then it is repeated (D-14). */
export const REQUEST_TIMEOUT_MS = 5_000;
const CONNECTION_TIMEOUT_MS = 3_000;
const KEEP_ALIVE_MS = 60_000;

/** A kafkajs client that logs to this logger; it does not connect yet. */
export function createKafka(options: KafkaClientOptions): Kafka {
  const { brokers, clientId, tls, logger, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  repairKafkajs();
  // Partitions are computed by the same function as kafkajs' default, so the warning is noise.
  process.env['KAFKAJS_NO_PARTITIONER_WARNING'] = '1';
  const kafkajs = loadedKafkajs();
  return new kafkajs.Kafka({
    brokers: [...brokers],
    clientId,
    ssl: tls !== undefined,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: requestTimeoutMs,
    socketFactory: brokerSockets(options),
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => (entry) => writeEntry(logger, entry),
  });
}

/**
 * Like kafkajs' own, but without waiting for a fuller packet, because requests are written whole,
 * and with the current certificates.
 */
export function brokerSockets({
  route,
  tls,
}: Pick<KafkaClientOptions, 'route' | 'tls'>): ISocketFactory {
  return ({ host, port, onConnect }) => {
    const to = route?.(host, port) ?? { host, port };
    const socket =
      tls === undefined
        ? connect(to, onConnect)
        : connectTls({ ...to, ...tls.current, ...checkedName(host) }, onConnect);
    return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
  };
}

/** Verifies that the broker is the intended one, whatever is in between. */
function checkedName(host: string): ConnectionOptions {
  return {
    ...(isIP(host) === 0 && { servername: host }),
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
  };
}

/**
 * kafkajs reports the normal life of a cluster as errors, so its messages are logged for debugging
 * only. What an operator must know, the adapter logs itself.
 */
function writeEntry(logger: Logger | undefined, { namespace, log }: LogEntry): void {
  if (logger?.isLevelEnabled('debug') !== true) return;
  const { message, groupId, broker, error } = log as unknown as Record<string, unknown>;
  logger.debug({ kafkajs: namespace, groupId, broker, kafkajsError: error }, message as string);
}

/** The root error: kafkajs wraps the errors of what it has repeated. */
export function causeOf(error: unknown): { name: string; type?: string; message: string } {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return { name: 'Error', message: String(cause) };
  const { type } = cause as { type?: string };
  return { name: cause.name, message: cause.message, ...(type !== undefined && { type }) };
}
