/** So many failures in a row are no accident. */
const FAILURES_MAX = 5;
/** How long nobody is asked then: payments of this time are not kept waiting for nothing. */
const PAUSE_MS = 5_000;

/**
 * Lets nobody wait for a service that fails again and again: after some failures it is not asked for a while,
 * then by one call, whose end decides whether others follow.
 */
export class Breaker {
  #failures = 0;
  #pausedUntilMs = 0;
  #isTrying = false;

  constructor(private readonly monotonicMs: () => number) {}

  /** Whether it may be called now; whoever is told so says how it ended. */
  begin(): boolean {
    if (this.#failures < FAILURES_MAX) return true;
    if (this.#isTrying || this.monotonicMs() < this.#pausedUntilMs) return false;
    this.#isTrying = true;
    return true;
  }

  /** The call has succeeded. */
  succeeded(): void {
    this.#failures = 0;
    this.#isTrying = false;
  }

  /** The call has failed. */
  failed(): void {
    this.#failures += 1;
    this.#isTrying = false;
    if (this.#failures >= FAILURES_MAX) this.#pausedUntilMs = this.monotonicMs() + PAUSE_MS;
  }

  /** The call was not made, for a reason of ours, which says nothing of the service. */
  notAsked(): void {
    this.#isTrying = false;
  }
}
