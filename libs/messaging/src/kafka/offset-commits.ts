import type { AssignedPartition } from './assigned-partition.js';
import type { SupervisedConsumer } from './supervised-consumer.js';

/** Commits the positions that have changed, at intervals; a commit per message costs a request. */
export class OffsetCommits {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly consumer: SupervisedConsumer,
    private readonly intervalMs: number,
    /** Called after each commit, made or not, and at each interval without one. */
    private readonly onSettled: () => void,
  ) {}

  /** Does nothing when it has been started already. */
  start(partitions: () => Iterable<AssignedPartition>): void {
    this.#timer ??= setInterval(() => {
      this.#running ??= this.commitNow(partitions()).finally(() => {
        this.#running = undefined;
      });
    }, this.intervalMs).unref();
  }

  /** Commits what has changed; never for a partition that is no longer ours (#1046). */
  async commitNow(partitions: Iterable<AssignedPartition>): Promise<void> {
    const changed = [...partitions].flatMap((assigned) => {
      const position = assigned.offsets.uncommitted;
      return assigned.isEnded || position === undefined ? [] : [{ assigned, position }];
    });
    if (changed.length === 0) return this.onSettled();
    const isCommitted = await this.consumer.commit(
      changed.map(({ assigned: { topic, partition }, position }) => {
        return { topic, partition, offset: String(position) };
      }),
    );
    if (isCommitted) {
      for (const { assigned, position } of changed) assigned.offsets.committed(position);
    }
    this.onSettled();
  }

  /** The last commit, after whatever runs. */
  async close(partitions: Iterable<AssignedPartition>): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    await this.commitNow(partitions);
  }
}
