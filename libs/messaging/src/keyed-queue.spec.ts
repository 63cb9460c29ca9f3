import { describe, expect, it } from '@jest/globals';
import { KeyedQueue } from './keyed-queue.js';

describe('a queue by key', () => {
  it('runs at most so many tasks at once, and the others as soon as there is room', async () => {
    const queue = new KeyedQueue(2);
    const work = new ManualWork();
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key, work.task(key));
    expect(work.running).toEqual(['a', 'b']);
    await work.end('a');
    expect(work.running).toEqual(['b', 'c']);
    await work.end('c');
    expect(work.running).toEqual(['b', 'd']);
  });

  it('lets a busy key wait behind keys that came first', async () => {
    const queue = new KeyedQueue(1);
    const work = new ManualWork();
    queue.add('a', work.task('a1'));
    queue.add('a', work.task('a2'));
    queue.add('b', work.task('b1'));
    await work.end('a1');
    expect(work.running).toEqual(['b1']);
    await work.end('b1');
    expect(work.running).toEqual(['a2']);
  });

  it('goes on after a task that fails', async () => {
    const queue = new KeyedQueue(1);
    const work = new ManualWork();
    queue.add('a', () => Promise.reject(new Error('broken')));
    queue.add('a', work.task('a2'));
    queue.add('b', work.task('b1'));
    await work.turn();
    expect(work.running).toHaveLength(1);
    await work.end(work.running[0] ?? '');
    expect(work.running).toHaveLength(1);
  });

  it('is idle when the last task has ended', async () => {
    const queue = new KeyedQueue(1);
    const work = new ManualWork();
    await queue.idle();
    queue.add('a', work.task('a1'));
    queue.add('b', work.task('b1'));
    let idle = false;
    const told = queue.idle().then(() => (idle = true));
    await work.end('a1');
    expect(idle).toBe(false);
    await work.end('b1');
    await told;
    expect(idle).toBe(true);
  });

  it('forgets what has not started, and only that', async () => {
    const queue = new KeyedQueue(1);
    const work = new ManualWork();
    for (const name of ['a1', 'a2', 'b1']) queue.add(name.charAt(0), work.task(name));
    queue.clear();
    await work.end('a1');
    expect(work.running).toEqual([]);
    await queue.idle();
    queue.add('b', work.task('b2'));
    expect(work.running).toEqual(['b2']);
  });
});

/** Tasks that run until the test ends them. */
class ManualWork {
  readonly running: string[] = [];
  readonly #ends = new Map<string, () => void>();

  task(name: string): () => Promise<void> {
    return () => {
      this.running.push(name);
      return new Promise((resolve) => this.#ends.set(name, resolve));
    };
  }

  async end(name: string): Promise<void> {
    this.running.splice(this.running.indexOf(name), 1);
    this.#ends.get(name)?.();
    await this.turn();
  }

  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}
