import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** A request that is ready to be written, and how its answer is judged. */
export interface PreparedRequest {
  readonly bytes: Buffer;
  /** Whether the answer is the one that was asked for; anything else counts as an error. */
  readonly expected: (status: number, body: Buffer) => boolean;
}

export interface LoadOptions {
  readonly host: string;
  readonly port: number;
  /** Requests per second, offered whatever the answers take (open loop). */
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Bound of kept connections; a request that finds none free waits, and the wait is latency. */
  readonly connectionsMax: number;
  /** Seed of the Poisson arrivals, so that two runs offer the same schedule. */
  readonly seed: number;
  readonly prepare: (index: number) => PreparedRequest;
}

export interface LoadResult {
  readonly offeredPerSecond: number;
  readonly achievedPerSecond: number;
  readonly answered: number;
  readonly errors: number;
  /** The first unexpected answer, for the person who reads the report. */
  readonly firstError?: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

const NANOSECONDS_PER_MS = 1e6;
const HEADER_END = Buffer.from('\r\n\r\n');
/** How often the schedule is looked at; arrivals in between are sent together, late by at most this. */
const TICK_MS = 1;
/** How long answers may trail the last arrival before they count as errors. */
const DRAIN_MS = 30_000;

/** One kept connection with at most one request in flight, so that answers need no matching. */
class Connection {
  #socket: Socket;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #bodyEnd = 0;
  #bodyStart = 0;
  #status = 0;
  onAnswer: (status: number, body: Buffer) => void = () => undefined;
  onBroken: (reason: string) => void = () => undefined;

  constructor(host: string, port: number) {
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on('data', (chunk) => {
      this.#receive(chunk);
    });
    this.#socket.on('error', (error) => {
      this.onBroken(error.message);
    });
    this.#socket.on('close', () => {
      this.onBroken('connection closed');
    });
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.onBroken = () => undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#receivedBytes += chunk.length;
    const all = this.#received.length === 1 ? chunk : Buffer.concat(this.#received);
    this.#received = [all];
    if (this.#bodyEnd === 0) this.#readHead(all);
    if (this.#bodyEnd === 0 || this.#receivedBytes < this.#bodyEnd) return;
    const body = all.subarray(this.#bodyStart, this.#bodyEnd);
    const status = this.#status;
    this.#received = [];
    this.#receivedBytes = 0;
    this.#bodyEnd = 0;
    this.onAnswer(status, body);
  }

  #readHead(all: Buffer): void {
    const headEnd = all.indexOf(HEADER_END);
    if (headEnd < 0) return;
    const head = all.toString('latin1', 0, headEnd).toLowerCase();
    const lengthAt = head.indexOf('\r\ncontent-length:');
    const length =
      lengthAt < 0 ? 0 : Number.parseInt(head.slice(lengthAt + '\r\ncontent-length:'.length), 10);
    this.#status = Number.parseInt(head.slice('http/1.1 '.length), 10);
    this.#bodyStart = headEnd + HEADER_END.length;
    this.#bodyEnd = this.#bodyStart + length;
  }
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    // mulberry32: small, good enough for gaps, repeatable.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Arrival times in milliseconds from the start: exponential gaps, the same for the same seed. */
export function poissonArrivalsMs(ratePerSecond: number, seconds: number, seed: number): number[] {
  const random = randomFrom(seed);
  const arrivals: number[] = [];
  let at = 0;
  for (;;) {
    at += (-Math.log(1 - random()) * 1000) / ratePerSecond;
    if (at >= seconds * 1000) return arrivals;
    arrivals.push(at);
  }
}

/**
 * Offers requests at the times of the schedule, whether or not earlier ones are answered, and
 * counts latency from the intended time, so that a stall of the server cannot hide itself.
 */
export async function offerLoad(options: LoadOptions): Promise<LoadResult> {
  const run = new LoadRun(options);
  return run.finished();
}

class LoadRun {
  readonly #options: LoadOptions;
  readonly #arrivals: number[];
  readonly #latency: RecordableHistogram = createHistogram();
  readonly #idle: Connection[] = [];
  readonly #waiting: number[] = [];
  #open = 0;
  #next = 0;
  #answered = 0;
  #errors = 0;
  #firstError: string | undefined;
  #startedAt = 0;
  #lastAnswerAt = 0;
  #finish: (result: LoadResult) => void = () => undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#arrivals = poissonArrivalsMs(options.ratePerSecond, options.seconds, options.seed);
  }

  finished(): Promise<LoadResult> {
    return new Promise((resolve) => {
      this.#finish = resolve;
      this.#startedAt = performance.now();
      const timer = setInterval(() => {
        this.#tick(timer);
      }, TICK_MS);
    });
  }

  #tick(timer: NodeJS.Timeout): void {
    const now = performance.now() - this.#startedAt;
    while (this.#next < this.#arrivals.length && (this.#arrivals[this.#next] ?? 0) <= now) {
      this.#arrive(this.#next);
      this.#next += 1;
    }
    const done = this.#answered + this.#errors;
    const overdue = now > this.#options.seconds * 1000 + DRAIN_MS;
    if (this.#next < this.#arrivals.length || (done < this.#arrivals.length && !overdue)) return;
    clearInterval(timer);
    for (const connection of this.#idle) connection.close();
    this.#finish(this.#result());
  }

  #arrive(index: number): void {
    const connection = this.#idle.pop();
    if (connection !== undefined) this.#send(connection, index);
    else if (this.#open < this.#options.connectionsMax) this.#send(this.#newConnection(), index);
    else this.#waiting.push(index);
  }

  #newConnection(): Connection {
    this.#open += 1;
    return new Connection(this.#options.host, this.#options.port);
  }

  #send(connection: Connection, index: number): void {
    const request = this.#options.prepare(index);
    connection.onAnswer = (status, body) => {
      this.#lastAnswerAt = performance.now() - this.#startedAt;
      const latencyMs = this.#lastAnswerAt - (this.#arrivals[index] ?? 0);
      this.#latency.record(Math.max(1, Math.round(latencyMs * NANOSECONDS_PER_MS)));
      if (request.expected(status, body)) this.#answered += 1;
      else this.#fail(`${String(status)} ${body.toString('utf8').slice(0, 300)}`);
      this.#reuse(connection);
    };
    connection.onBroken = (reason) => {
      connection.close();
      this.#open -= 1;
      this.#fail(reason);
    };
    connection.send(request.bytes);
  }

  #reuse(connection: Connection): void {
    connection.onBroken = () => {
      const at = this.#idle.indexOf(connection);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#open -= 1;
    };
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#idle.push(connection);
    else this.#send(connection, waiting);
  }

  #fail(reason: string): void {
    this.#errors += 1;
    this.#firstError ??= reason;
  }

  #result(): LoadResult {
    const ms = (percentile: number): number =>
      this.#latency.percentile(percentile) / NANOSECONDS_PER_MS;
    const missing = this.#arrivals.length - this.#answered - this.#errors;
    const firstError = this.#firstError ?? (missing > 0 ? 'no answer' : undefined);
    return {
      offeredPerSecond: this.#arrivals.length / this.#options.seconds,
      achievedPerSecond:
        (this.#answered * 1000) / Math.max(this.#lastAnswerAt, this.#options.seconds * 1000),
      answered: this.#answered,
      errors: this.#errors + missing,
      ...(firstError === undefined ? {} : { firstError }),
      p50Ms: ms(50),
      p99Ms: ms(99),
      p999Ms: ms(99.9),
      maxMs: this.#latency.count === 0 ? 0 : this.#latency.max / NANOSECONDS_PER_MS,
    };
  }
}
