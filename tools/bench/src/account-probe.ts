import { subscribe } from 'node:diagnostics_channel';
import { Session } from 'node:inspector';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded before a service (`node --import …/account-probe.js?socket=<path>`): counts what the process
 * sends to others, and profiles it when it is told to. Nothing of the service changes for it, so that
 * it can be loaded before any build; therefore it imports nothing of ours.
 */

/** What a probe can be told, one word a line. */
export type ProbeWord = 'count' | 'start' | 'stop';

/** What was sent so far, by what it was: `HTTP POST /hold`, `Kafka produce`. */
export type ProbeCounts = Readonly<Record<string, number>>;

/** What the profiler and the tracer of V8 saw. */
export interface ProbeProfile {
  /** As DevTools read it, but for its samples' text. */
  readonly profile: CpuProfile;
  /** When the main thread compiled, from and to, on the clock of the profile's samples. */
  readonly compiling: readonly (readonly [number, number])[];
  /** Thread time of V8's helpers, in microseconds. */
  readonly helpers: { readonly collection: number; readonly compilation: number };
}

/** The part of a CPU profile that is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

const SAMPLING_INTERVAL_US = 500;
const TRACED = ['disabled-by-default-v8.compile', 'disabled-by-default-v8.gc'];
/** The first two bytes behind the length of a request to Kafka. */
const KAFKA_REQUESTS: Readonly<Record<number, string>> = {
  ...{ 0: 'produce', 1: 'fetch', 2: 'list offsets', 3: 'metadata', 8: 'offset commit' },
  ...{ 9: 'offset fetch', 10: 'find coordinator', 12: 'heartbeat' },
};
const KAFKA_API_KEY_AT = 4;

const counts: Record<string, number> = {};

function count(what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

function countHttp(): void {
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: { method: string; path: string } };
    count(`HTTP ${request.method} ${request.path.split('?', 1)[0] ?? ''}`);
  });
  subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: { method: string; path: string } };
    count(`HTTP ${request.method} ${request.path.split('?', 1)[0] ?? ''}`);
  });
}

/** Calls over the one connection that two of our processes have. */
function countFrames(): void {
  subscribe('sluice:frames:call', (message) => {
    const { head } = message as { head: string };
    count(`frame POST ${head.split('\n', 1)[0] ?? ''}`);
  });
}

/** Our client writes each request whole, so a write begins with its length and kind. */
function countKafka(): void {
  const ports = (process.env['KAFKA_BROKERS'] ?? '')
    .split(',')
    .map((broker) => Number(broker.slice(broker.lastIndexOf(':') + 1)));
  subscribe('net.client.socket', (message) => {
    const { socket } = message as { socket: Socket };
    socket.once('connect', () => {
      if (!ports.includes(socket.remotePort ?? -1)) return;
      const write = socket.write.bind(socket) as (...words: unknown[]) => boolean;
      socket.write = (data: unknown, ...rest: unknown[]) => {
        const key = Buffer.isBuffer(data) ? data.readInt16BE(KAFKA_API_KEY_AT) : -1;
        count(`Kafka ${KAFKA_REQUESTS[key] ?? 'others'}`);
        return write(data, ...rest);
      };
    });
  });
}

/** Built-in functions have no frame in a profile; while it is taken, these two have one. */
function showJson(): () => void {
  const { parse, stringify } = JSON as unknown as Record<string, (...words: unknown[]) => unknown>;
  if (parse === undefined || stringify === undefined) throw new Error('There is no JSON.');
  Object.assign(JSON, {
    parse: function jsonParse(...words: unknown[]): unknown {
      return parse(...words);
    },
    stringify: function jsonStringify(...words: unknown[]): unknown {
      return stringify(...words);
    },
  });
  return () => void Object.assign(JSON, { parse, stringify });
}

class Profiling {
  readonly #session = new Session();
  readonly #compiling: [number, number][] = [];
  readonly #helpers = { collection: 0, compilation: 0 };
  #hideJson: () => void = () => undefined;

  async start(): Promise<void> {
    this.#session.connect();
    this.#session.on('NodeTracing.dataCollected', ({ params }) => {
      for (const event of params.value as unknown as TraceEvent[]) this.#note(event);
    });
    const traceConfig = { includedCategories: TRACED };
    await this.#post('NodeTracing.start', { traceConfig });
    await this.#post('Profiler.enable');
    await this.#post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
    this.#hideJson = showJson();
    await this.#post('Profiler.start');
  }

  async stop(): Promise<ProbeProfile> {
    const { profile } = (await this.#post('Profiler.stop')) as { profile: CpuProfile };
    this.#hideJson();
    const isTraced = new Promise((resolve) => {
      this.#session.once('NodeTracing.tracingComplete', resolve);
    });
    await this.#post('NodeTracing.stop');
    await isTraced;
    this.#session.disconnect();
    return { profile, compiling: this.#compiling, helpers: this.#helpers };
  }

  /** Parts lie inside of wholes: on the main thread intervals may, for helpers the wholes count. */
  #note({ name, cat, ph, tid, ts, dur = 0, tdur = 0 }: TraceEvent): void {
    if (ph !== 'X') return;
    if (tid === process.pid) {
      if (cat.includes('v8.compile')) this.#compiling.push([ts, ts + dur]);
    } else if (/^V8\.GC_.*BACKGROUND/.test(name)) this.#helpers.collection += tdur;
    else if (/^V8\..*Background$/.test(name)) this.#helpers.compilation += tdur;
  }

  #post(method: string, words: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#session.post(method, words, (error, answer) => {
        if (error === null) resolve(answer);
        else reject(new Error(`${method}: ${error.message}`));
      });
    });
  }
}

/** Does what it is told, and answers with a line each. */
function obey(socket: Socket): void {
  let profiling: Profiling | undefined;
  const doWord = async (word: ProbeWord): Promise<unknown> => {
    switch (word) {
      case 'count':
        return { ...counts, 'event loop turns': loopTurns() };
      case 'start':
        profiling = new Profiling();
        return profiling.start();
      case 'stop':
        return profiling?.stop();
    }
  };
  createInterface(socket).on('line', (word) => {
    doWord(word as ProbeWord).then(
      (answer) => socket.write(`${JSON.stringify({ answer })}\n`),
      (error: unknown) => socket.write(`${JSON.stringify({ error: String(error) })}\n`),
    );
  });
}

function loopTurns(): number {
  const timing = performance.nodeTiming as { uvMetricsInfo?: { loopCount: number } };
  return timing.uvMetricsInfo?.loopCount ?? 0;
}

const path = new URL(import.meta.url).searchParams.get('socket');
if (path !== null && isMainThread) {
  countHttp();
  countFrames();
  countKafka();
  const socket = connect(path);
  // Who asks may have ended; the service goes on without.
  socket.on('error', () => undefined).unref();
  socket.write(`${JSON.stringify({ pid: process.pid })}\n`);
  obey(socket);
}
