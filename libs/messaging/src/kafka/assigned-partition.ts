import { PartitionOffsets } from './partition-offsets.js';

/** Why a partition is paused. */
export type PauseReason = 'full' | 'infrastructure' | 'newerWriter' | 'closing';

/** What an assigned partition needs from its consumer. */
export interface PartitionSwitch {
  pause(): void;
  resume(): void;
}

/**
 * One partition as long as it is assigned to this consumer; each generation makes a new one (D-16).
 */
export class AssignedPartition {
  readonly offsets = new PartitionOffsets();
  /** Messages that are not accepted yet. */
  unaccepted = 0;
  /** No longer assigned here: what has not started is dropped, and nothing is committed. */
  isEnded = false;
  readonly #reasons = new Set<PauseReason>();

  constructor(
    readonly topic: string,
    readonly partition: number,
    private readonly gate: PartitionSwitch,
  ) {}

  get isPaused(): boolean {
    return this.#reasons.size > 0;
  }

  isPausedFor(reason: PauseReason): boolean {
    return this.#reasons.has(reason);
  }

  pauseFor(reason: PauseReason): void {
    if (this.isEnded) return;
    if (this.#reasons.size === 0) this.gate.pause();
    this.#reasons.add(reason);
  }

  resumeFrom(reason: PauseReason): void {
    if (!this.#reasons.delete(reason) || this.isEnded) return;
    if (this.#reasons.size === 0) this.gate.resume();
  }
}
