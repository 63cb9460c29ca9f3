/** A pause that can be cut short. One caller pauses, any number ring. */
export class Alarm {
  #ringsAtMs = Infinity;
  #timer: NodeJS.Timeout | undefined;
  #end: (() => void) | undefined;

  /** Resolves after so long, or earlier if it rings; a ring since the last pause counts. */
  async pause(ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      this.#ringBy(Math.min(untilMs, this.#ringsAtMs));
    });
    clearTimeout(this.#timer);
    this.#end = undefined;
    this.#ringsAtMs = Infinity;
  }

  /** Ends the pause, or the next one, at the latest so many milliseconds from now. */
  ring(inMs: number): void {
    this.#ringBy(performance.now() + inMs);
  }

  #ringBy(atMs: number): void {
    if (atMs > this.#ringsAtMs) return;
    this.#ringsAtMs = atMs;
    if (this.#end === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#end, Math.max(0, atMs - performance.now()));
  }
}
