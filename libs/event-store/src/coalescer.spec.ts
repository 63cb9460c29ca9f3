import { describe, expect, it } from '@jest/globals';
import { StoreBusy } from './append-member.js';
import { type Coalesced, Coalescer, type CoalescerLimits } from './coalescer.js';

const limits: CoalescerLimits = {
  statementsMax: 2,
  companionMembersMin: 1,
  membersMax: 4,
  statementBytesMax: 100,
  waitingMax: 50,
  waitingPerStreamMax: 3,
};

describe('the coalescer', () => {
  it('puts what comes together into one statement', async () => {
    const statements = new Statements();
    statements.add('a', 'b', 'c');
    expect(statements.underWay).toEqual([]);
    await turn();
    expect(statements.underWay).toEqual(['a b c']);
  });

  it('has so many statements under way, and the next one takes what waited', async () => {
    const statements = new Statements();
    for (const stream of ['a', 'b']) {
      statements.add(stream);
      await turn();
    }
    statements.add('c', 'd');
    await turn();
    expect(statements.underWay).toEqual(['a', 'b']);
    await statements.end('a');
    expect(statements.underWay).toEqual(['b', 'c d']);
  });

  it('starts a statement beside another once enough have come for it', async () => {
    const statements = new Statements({ ...limits, companionMembersMin: 3 });
    statements.add('a');
    await turn();
    statements.add('b', 'c');
    await turn();
    expect(statements.underWay).toEqual(['a']);
    statements.add('d');
    await turn();
    expect(statements.underWay).toEqual(['a', 'b c d']);
    statements.add('e');
    await statements.end('a');
    await statements.end('b c d');
    expect(statements.underWay).toEqual(['e']);
  });

  it('fills a statement up to its bounds of number and size', async () => {
    const statements = new Statements();
    statements.add('a', 'b', 'c', 'd', 'e');
    await turns();
    expect(statements.underWay).toEqual(['a b c d', 'e']);
    const large = new Statements();
    large.addItem({ streamId: 'a', idempotencyKey: undefined, bytes: 60 });
    large.addItem({ streamId: 'b', idempotencyKey: undefined, bytes: 60 });
    large.addItem({ streamId: 'c', idempotencyKey: undefined, bytes: 40 });
    await turns();
    expect(large.underWay).toEqual(['a c', 'b']);
  });

  it('sends what is larger than the bound alone', async () => {
    const statements = new Statements();
    statements.addItem({ streamId: 'a', idempotencyKey: undefined, bytes: 1_000 });
    statements.add('b');
    await turns();
    expect(statements.underWay).toEqual(['a', 'b']);
  });

  it('has a stream in one statement at a time, in order', async () => {
    const statements = new Statements();
    statements.add('a', 'a', 'b', 'a');
    await turn();
    expect(statements.underWay).toEqual(['a b']);
    statements.add('c');
    await turn();
    expect(statements.underWay).toEqual(['a b', 'c']);
    await statements.end('a b');
    expect(statements.underWay).toEqual(['c', 'a']);
    await statements.end('a');
    expect(statements.underWay).toEqual(['c', 'a']);
  });

  it('has an idempotency key in one statement at a time', async () => {
    const statements = new Statements();
    for (const streamId of ['a', 'b']) {
      statements.addItem({ streamId, idempotencyKey: 'same', bytes: 1 });
    }
    statements.add('c');
    await turns();
    expect(statements.underWay).toEqual(['a c']);
    await statements.end('a c');
    expect(statements.underWay).toEqual(['b']);
  });

  it('goes on after a statement that fails', async () => {
    const statements = new Statements();
    statements.add('a', 'a');
    await turn();
    await statements.end('a', new Error('broken'));
    expect(statements.underWay).toEqual(['a']);
    await statements.end('a');
    expect(statements.size).toBe(0);
  });

  it('is busy when too many wait, for a stream or in all', async () => {
    const statements = new Statements();
    statements.add('a', 'a', 'a', 'a');
    expect(() => statements.add('a')).toThrow(StoreBusy);
    for (let n = statements.size; n < limits.waitingMax; n += 1) statements.add(`s${String(n)}`);
    expect(() => statements.add('one more')).toThrow(StoreBusy);
    await turn();
    await statements.end(statements.underWay[0] ?? '');
    statements.add('one more');
  });
});

/** Statements that are under way until the test ends them. */
class Statements {
  underWay: string[] = [];
  readonly #ends = new Map<string, (error?: Error) => void>();
  readonly #coalescer: Coalescer<Coalesced>;

  constructor(bounds: CoalescerLimits = limits) {
    this.#coalescer = new Coalescer((items) => this.#run(items), bounds);
  }

  get size(): number {
    return this.#coalescer.size;
  }

  add(...streams: string[]): void {
    for (const streamId of streams) {
      this.#coalescer.add({ streamId, idempotencyKey: undefined, bytes: 1 });
    }
  }

  addItem(item: Coalesced): void {
    this.#coalescer.add(item);
  }

  async end(name: string, error?: Error): Promise<void> {
    this.underWay.splice(this.underWay.indexOf(name), 1);
    this.#ends.get(name)?.(error);
    await turns();
  }

  #run(items: readonly Coalesced[]): Promise<void> {
    const name = items.map(({ streamId }) => streamId).join(' ');
    this.underWay.push(name);
    return new Promise((resolve, reject) => {
      this.#ends.set(name, (error) => (error === undefined ? resolve() : reject(error)));
    });
  }
}

async function turns(): Promise<void> {
  await turn();
  await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
