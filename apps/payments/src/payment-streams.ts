import { initialState, type PaymentState } from '@sluice/domain-payments';
import type { KeyObject } from 'node:crypto';

/** A payment that somebody in this process is working on. */
export class PaymentStream {
  /** Of the last event in `state`; 0 before the first. */
  version = 0;
  state: PaymentState = initialState;
  /** Whether `state` was read or made here; a new payment needs no read. */
  loaded = false;
  /** The key of its personal data, once it was needed. */
  personalKey: KeyObject | undefined;
  /** The same as the database has it, where it was read together with the events. */
  wrappedPersonalKey: Buffer | undefined;

  /** How many hold on to it; with the last its memory goes. */
  holders = 0;
  waiting = 0;
  tail: Promise<void> | undefined;

  constructor(readonly id: string) {}
}

/** Too many commands wait for one payment (D-08); nothing was decided. */
export class StreamBusy extends Error {
  override readonly name = 'StreamBusy';

  constructor() {
    super('Too many commands wait for this payment.');
  }
}

/**
 * The payments in flight, each with its state and a queue: commands of one payment follow one
 * another here, so that version conflicts come from other processes only (D-08), and the outcome of
 * a new payment is decided without reading it.
 */
export class PaymentStreams {
  readonly #streams = new Map<string, PaymentStream>();

  constructor(private readonly waitingMax: number) {}

  /** Keeps a payment in memory until it is released as often as it was held. */
  hold(id: string): PaymentStream {
    let stream = this.#streams.get(id);
    if (stream === undefined) {
      stream = new PaymentStream(id);
      this.#streams.set(id, stream);
    }
    stream.holders += 1;
    return stream;
  }

  /** Lets go of a payment that was held. */
  release(stream: PaymentStream): void {
    stream.holders -= 1;
    if (stream.holders === 0) this.#streams.delete(stream.id);
  }

  /** The payment with this id, if somebody holds it. */
  has(id: string): boolean {
    return this.#streams.has(id);
  }

  /** Does the work after all earlier work on the payment. Throws StreamBusy when too much waits. */
  async exclusively<Result>(stream: PaymentStream, work: () => Promise<Result>): Promise<Result> {
    if (stream.waiting >= this.waitingMax) throw new StreamBusy();
    return this.#inTurn(stream, work);
  }

  /** The same for what must not be refused: an outcome has nowhere else to go. */
  async inTurn<Result>(stream: PaymentStream, work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(stream, work);
  }

  async #inTurn<Result>(stream: PaymentStream, work: () => Promise<Result>): Promise<Result> {
    const before = stream.tail;
    let finished: () => void = () => undefined;
    stream.tail = new Promise((resolve) => (finished = resolve));
    stream.waiting += 1;
    try {
      if (before !== undefined) await before;
      return await work();
    } finally {
      stream.waiting -= 1;
      finished();
    }
  }
}
