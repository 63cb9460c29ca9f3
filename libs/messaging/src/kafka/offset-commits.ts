import type { AssignedPartition } from './assigned-partition.js';
import { CommitTimer } from './commit-timer.js';
import type { SupervisedConsumer } from './supervised-consumer.js';

/** Who waits for commits. */
export interface AwaitingCommits {
  /** Called after each commit, made or not, and at each interval without one. */
  settle(): void;
  /** Whether it has to be called again. */
  readonly isWaiting: boolean;
}

/**
 * Commits the positions that have changed, at intervals; a commit per message costs a request. At
 * rest nothing is looked at.
 */
export class OffsetCommits {
  readonly #timer: CommitTimer;
  #partitions: () => Iterable<AssignedPartition> = () => [];

  constructor(
    private readonly consumer: SupervisedConsumer,
    intervalMs: number,
    private readonly awaiting: AwaitingCommits,
  ) {
    const commit = (): Promise<void> => this.commitNow(this.#partitions());
    this.#timer = new CommitTimer(intervalMs, commit, () => this.#isLeft());
  }

  /** From now on these are committed. */
  start(partitions: () => Iterable<AssignedPartition>): void {
    this.#partitions = partitions;
  }

  /** A message has come, or a reply that waits. */
  stir(): void {
    this.#timer.stir();
  }

  /** Commits what has changed; never for a partition that is no longer ours (#1046). */
  async commitNow(partitions: Iterable<AssignedPartition>): Promise<void> {
    const changed = [...partitions].flatMap((assigned) => {
      const position = assigned.offsets.uncommitted;
      return assigned.isEnded || position === undefined ? [] : [{ assigned, position }];
    });
    if (changed.length === 0) return this.awaiting.settle();
    const isCommitted = await this.consumer.commit(
      changed.map(({ assigned: { topic, partition }, position }) => {
        return { topic, partition, offset: String(position) };
      }),
    );
    if (isCommitted) {
      for (const { assigned, position } of changed) assigned.offsets.committed(position);
    }
    this.awaiting.settle();
  }

  /** The last commit, after whatever runs. */
  async close(partitions: Iterable<AssignedPartition>): Promise<void> {
    await this.#timer.close();
    await this.commitNow(partitions);
  }

  #isLeft(): boolean {
    const partitions = [...this.#partitions()];
    return (
      this.awaiting.isWaiting ||
      partitions.some(({ isEnded, offsets }) => !isEnded && offsets.isUnsettled)
    );
  }
}
