import { deadTopicOf } from '@sluice/contracts';
import type { KafkaMessage } from 'kafkajs';
import type { GatheringProducer } from './gathering-producer.js';
import type { TopicTable } from './topics.js';

/** Copies what could not be handled to `<topic>.dead`, as it came and with the reason (D-17). */
export class DeadLetters {
  constructor(
    private readonly producer: GatheringProducer,
    private readonly topics: TopicTable,
    /** Told the declared topic of each message whose copy is safe. */
    private readonly onBuried: (topic: string) => void = () => undefined,
  ) {}

  /** Resolves when the copy is safe, or can never be: false. */
  copy(
    brokerTopic: string,
    partition: number,
    raw: Pick<KafkaMessage, 'key' | 'value' | 'headers' | 'offset'>,
    reason: string,
  ): Promise<boolean> {
    const declared = this.topics.declaredName(brokerTopic);
    const topic = this.topics.brokerName(deadTopicOf(declared));
    void this.producer.connect();
    return new Promise((resolve) => {
      const message = {
        topic,
        partition,
        key: raw.key === null ? null : raw.key.toString('utf8'),
        value: raw.value,
        headers: { ...singleHeaders(raw.headers), deadReason: reason, deadOffset: raw.offset },
      };
      this.producer.send(message, ({ kind }) => {
        if (kind === 'acknowledged') this.onBuried(declared);
        resolve(kind === 'acknowledged');
      });
    });
  }
}

function singleHeaders(headers: KafkaMessage['headers']): Record<string, string | Buffer> {
  const single: Record<string, string | Buffer> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) single[name] = first;
  }
  return single;
}
