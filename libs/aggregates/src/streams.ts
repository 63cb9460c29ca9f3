import type { KeyObject } from 'node:crypto';

/** A stream that somebody in this process is working on. */
export class Stream<State> {
  /** Of the last event in `state`; 0 before the first. */
  version = 0;
  /** After its last event. */
  state: State;
  /** Whether `state` was read or made here; a new stream needs no read. */
  loaded = false;
  /** The key of its personal data, once it was needed. */
  personalKey: KeyObject | undefined;
  /** The same, wrapped as in the database, if it was read together with the events. */
  wrappedPersonalKey: Buffer | undefined;

  /** How many hold it; when the last one releases it, it leaves the memory. */
  holders = 0;
  waiting = 0;
  tail: Promise<void> | undefined;

  constructor(
    readonly id: string,
    initialState: State,
  ) {
    this.state = initialState;
  }
}

/** Too many commands wait for one stream (D-08); nothing was decided. */
export class StreamBusy extends Error {
  override readonly name = 'StreamBusy';

  constructor() {
    super('Too many commands wait for this stream.');
  }
}

/**
 * The streams in flight, each with its state and a queue: commands of one stream are decided one
 * after another, so version conflicts come only from other processes (D-08), and a new stream need
 * not be read for its later commands.
 */
export class Streams<State> {
  readonly #streams = new Map<string, Stream<State>>();

  /** @param waitingMax commands that may wait for one stream */
  constructor(
    private readonly initialState: State,
    private readonly waitingMax: number,
  ) {}

  /** Keeps a stream in memory until it is released as often as it was held. */
  hold(id: string): Stream<State> {
    let stream = this.#streams.get(id);
    if (stream === undefined) {
      stream = new Stream(id, this.initialState);
      this.#streams.set(id, stream);
    }
    stream.holders += 1;
    return stream;
  }

  /** Lets go of a stream that was held. */
  release(stream: Stream<State>): void {
    stream.holders -= 1;
    if (stream.holders === 0) this.#streams.delete(stream.id);
  }

  /** Whether somebody holds the stream with this id. */
  has(id: string): boolean {
    return this.#streams.has(id);
  }

  /** Does the work after all earlier work on the stream. Throws StreamBusy when too much waits. */
  async exclusively<Result>(stream: Stream<State>, work: () => Promise<Result>): Promise<Result> {
    if (stream.waiting >= this.waitingMax) throw new StreamBusy();
    return this.#inTurn(stream, work);
  }

  /** The same for work that must not be refused, such as recording an outcome. */
  async inTurn<Result>(stream: Stream<State>, work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(stream, work);
  }

  async #inTurn<Result>(stream: Stream<State>, work: () => Promise<Result>): Promise<Result> {
    const before = stream.tail;
    let finished: () => void = () => undefined;
    stream.tail = new Promise((resolve) => (finished = resolve));
    stream.waiting += 1;
    try {
      await before;
      return await work();
    } finally {
      stream.waiting -= 1;
      finished();
    }
  }
}
