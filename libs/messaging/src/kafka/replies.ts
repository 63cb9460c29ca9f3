import { REPLY_TOPIC } from '@sluice/contracts';
import type { Logger } from '@sluice/service';
import { encodeResult } from '../handler-result.js';
import { startSending } from '../message-spans.js';
import { describeError } from './describe-error.js';
import type { GatheringProducer } from './gathering-producer.js';
import { type ReplyAddress, replyHeaders, type ReplyOutcome } from './message-headers.js';
import type { TopicTable } from './topics.js';

/** More replies than senders may wait for; with the broker away they are of no use anyway. */
const WAITING_MAX = 20_000;

const NOTHING = (): void => undefined;

/** Sends answers to the partition of the waiting sender (D-02). */
export class Replies {
  constructor(
    private readonly producer: GatheringProducer,
    private readonly topics: TopicTable,
    private readonly logger: Logger | undefined,
  ) {}

  /**
   * The handler's answer. `onTaken`: the broker has it, or nobody waits for it.
   */
  replied(address: ReplyAddress | undefined, reply: unknown, onTaken = NOTHING): void {
    if (address === undefined) return onTaken();
    let text: string;
    try {
      text = encodeResult(reply);
    } catch (error) {
      this.logger?.error({ reason: describeError(error) }, 'A reply is not JSON.');
      this.unanswered(address);
      return;
    }
    this.#send(address, 'replied', { value: Buffer.from(text), onTaken });
  }

  /** The work ended without an answer, but what was asked is recorded. */
  unanswered(address: ReplyAddress | undefined): void {
    if (address !== undefined) this.#send(address, 'unanswered', { value: null, onTaken: NOTHING });
  }

  /** The command was given up (D-17). */
  failed(address: ReplyAddress | undefined): void {
    if (address !== undefined) this.#send(address, 'failed', { value: null, onTaken: NOTHING });
  }

  #send(
    address: ReplyAddress,
    outcome: ReplyOutcome,
    { value, onTaken }: { readonly value: Buffer | null; readonly onTaken: () => void },
  ): void {
    if (this.producer.size >= WAITING_MAX) return;
    const { partition, ndc } = address;
    const place = { system: 'kafka', destination: REPLY_TOPIC, partition } as const;
    const span = startSending(place, ndc === undefined ? {} : { correlationId: ndc });
    const message = {
      topic: this.topics.brokerName(REPLY_TOPIC),
      partition,
      key: null,
      value,
      headers: replyHeaders(address, outcome, span.traceparent),
    };
    this.producer.send(message, (result) => {
      if (result.kind === 'refused') {
        span.failed('refused');
        this.logger?.error(result, 'A reply was refused.');
      } else {
        onTaken();
      }
      span.end();
    });
  }
}
