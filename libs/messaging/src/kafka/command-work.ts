import type { CommandMessage } from '@sluice/contracts';
import type { Span } from '@sluice/service';
import type { KafkaMessage } from 'kafkajs';
import type { AssignedPartition } from './assigned-partition.js';
import type { ReplyAddress } from './message-headers.js';

/** One delivery of a command, from its arrival to its reply. */
export class CommandWork {
  /** Its accept phase is over: the offset is complete (D-12). */
  isAccepted = false;
  /** On the clock of performance.now(). */
  readonly arrivedMs = performance.now();
  /** From the beginning of its accept phase until its reply. */
  span: Span | undefined;

  constructor(
    /** Where it came from last: after a rebalance it may come again while it still runs. */
    public assigned: AssignedPartition,
    readonly raw: KafkaMessage,
    readonly command: CommandMessage,
    readonly reply: ReplyAddress | undefined,
  ) {}

  get offset(): number {
    return Number(this.raw.offset);
  }

  /** On the clock of performance.now(); known from the beginning of its accept phase (D-03). */
  lifeEndsMs = Number.NEGATIVE_INFINITY;

  /** The same for every delivery to this process. */
  get place(): string {
    return placeOf(this.assigned, this.raw);
  }

  /** It was delivered again while it is running: that run counts for this delivery too. */
  join(assigned: AssignedPartition): void {
    this.assigned = assigned;
    if (this.isAccepted) assigned.offsets.complete(this.offset);
  }

  /** The offset is complete. */
  accepted(): void {
    this.isAccepted = true;
    this.assigned.offsets.complete(this.offset);
  }
}

/** Topic, partition and offset as one word. */
export function placeOf(
  { topic, partition }: AssignedPartition,
  { offset }: Pick<KafkaMessage, 'offset'>,
): string {
  return `${topic}/${partition}/${offset}`;
}
