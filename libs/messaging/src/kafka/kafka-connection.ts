import { type KafkaSettings, type Logger, TlsMaterial } from '@sluice/service';
import type { KafkaClientOptions } from './kafka-client.js';

/** What is the same for every client of a process. */
export type KafkaConnection = Pick<KafkaClientOptions, 'brokers' | 'tls' | 'logger'> & {
  readonly topicPrefix: string;
};

/** Reads how Kafka is reached. Throws SettingsError when the certificates are not usable. */
export async function kafkaConnection(
  settings: KafkaSettings,
  logger: Logger,
): Promise<KafkaConnection> {
  const { brokers, topicPrefix } = settings;
  const tls = await TlsMaterial.open(
    settings,
    (error) => logger.error({ err: error }, "Kafka's changed TLS files were not taken over."),
    'KAFKA_TLS',
  );
  return { brokers, topicPrefix, tls, logger };
}
