/** A piece of work that deals with its own failures. */
export type Task = () => Promise<void>;

/**
 * Runs the tasks of one key one after the other, in the order they came, and those of different
 * keys at the same time, at most `runningMax` at once. It holds what it is given: whoever fills it
 * keeps the bound.
 */
export class KeyedQueue {
  /** A key is present while one of its tasks runs or is ready to; the array waits behind that one. */
  readonly #waitingByKey = new Map<string, Task[]>();
  readonly #ready: { readonly key: string; readonly task: Task }[] = [];
  readonly #idleListeners: (() => void)[] = [];
  #running = 0;

  constructor(private readonly runningMax: number) {}

  /** Adds a task; it starts at once when its key is free and there is room. */
  add(key: string, task: Task): void {
    const waiting = this.#waitingByKey.get(key);
    if (waiting !== undefined) {
      waiting.push(task);
      return;
    }
    this.#waitingByKey.set(key, []);
    this.#start(key, task);
  }

  /** Forgets every task that has not started. */
  clear(): void {
    for (const { key } of this.#ready) this.#waitingByKey.delete(key);
    this.#ready.length = 0;
    for (const waiting of this.#waitingByKey.values()) waiting.length = 0;
    this.#tellWhenIdle();
  }

  /** Resolves once nothing runs and nothing waits. */
  async idle(): Promise<void> {
    if (this.#waitingByKey.size === 0) return;
    await new Promise<void>((resolve) => this.#idleListeners.push(resolve));
  }

  #start(key: string, task: Task): void {
    if (this.#running >= this.runningMax) {
      this.#ready.push({ key, task });
      return;
    }
    this.#running += 1;
    const ended = (): void => this.#ended(key);
    task().then(ended, ended);
  }

  #ended(key: string): void {
    this.#running -= 1;
    const following = this.#waitingByKey.get(key)?.shift();
    if (following === undefined) this.#waitingByKey.delete(key);
    else this.#ready.push({ key, task: following });
    const next = this.#ready.shift();
    if (next !== undefined) this.#start(next.key, next.task);
    this.#tellWhenIdle();
  }

  #tellWhenIdle(): void {
    if (this.#waitingByKey.size > 0) return;
    for (const resolve of this.#idleListeners.splice(0)) resolve();
  }
}
