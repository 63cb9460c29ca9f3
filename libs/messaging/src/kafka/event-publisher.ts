import type { Message } from '@sluice/contracts';
import { whileSending } from '../message-spans.js';
import { InfrastructureAway, MessagesRefused } from '../ports.js';
import type { GatheringProducer } from './gathering-producer.js';
import { encodeMessage } from './message-headers.js';
import type { Sending } from './producer-lane.js';
import type { TopicTable } from './topics.js';

/** Publishes events through a producer of their own (D-14). */
export class EventPublisher {
  constructor(
    private readonly producer: GatheringProducer,
    private readonly topics: TopicTable,
    private readonly timeoutMs: number,
  ) {}

  /** Resolves when the broker has every message; see `Events.publish`. */
  publish(topic: string, messages: readonly Message[]): Promise<void> {
    const place = { system: 'kafka', destination: topic } as const;
    return whileSending(place, messages, () => this.#publish(topic, messages));
  }

  async #publish(topic: string, messages: readonly Message[]): Promise<void> {
    const name = this.topics.brokerName(topic);
    const encoded = messages.map(encodeMessage);
    if (encoded.length === 0) return;
    void this.producer.connect();
    const refused: { readonly id: string; readonly reason: string }[] = [];
    await new Promise<void>((resolve, reject) => {
      let open = encoded.length;
      const sendings: Sending[] = [];
      const timer = setTimeout(() => {
        for (const sending of sendings) this.producer.withdraw(sending);
        reject(new InfrastructureAway(`Kafka has not taken events of ${topic} in time.`));
      }, this.timeoutMs);
      const ended = (): void => {
        open -= 1;
        if (open > 0) return;
        clearTimeout(timer);
        resolve();
      };
      for (const [index, { key, value, headers }] of encoded.entries()) {
        const partition = this.topics.partitionOf(topic, key);
        const id = messages[index]?.id ?? '';
        const message = { topic: name, partition, key, value, headers };
        sendings.push(
          this.producer.send(message, (outcome) => {
            if (outcome.kind === 'refused') refused.push({ id, reason: outcome.reason });
            ended();
          }),
        );
      }
    });
    const [first] = refused;
    if (first === undefined) return;
    throw new MessagesRefused(
      refused.map(({ id }) => id),
      first.reason,
    );
  }
}
