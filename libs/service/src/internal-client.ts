import { FramedConnection } from './framed-connection.js';
import { FRAME_BODY_BYTES_MAX, FRAME_HEAD_BYTES_MAX, FRAMES_OFFER } from './frames.js';
import { HttpClient, type HttpResult } from './http-client.js';
import { recordResult } from './request-span.js';
import { currentNdc, outsideOfRequests, type Span, startSpan } from './spans.js';
import type { TlsMaterial } from './tls-material.js';

/** How an instance of another service of ours is reached. */
export interface InternalClientOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly tls?: TlsMaterial | undefined;
  /** Of HTTP; calls beyond this number wait. Default 128. */
  readonly connectionsMax?: number;
  /** A longer answer is not read to its end. Default 64 KiB. */
  readonly answerBytesMax?: number;
  /** A connection that takes longer counts as refused. Default 3 s. */
  readonly connectTimeoutMs?: number;
}

/** One call. */
export interface InternalRequest {
  readonly path: string;
  /** JSON text. */
  readonly body: string;
  /** For everything together. */
  readonly timeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** After a failure; meanwhile calls go over HTTP. */
const OPEN_AGAIN_AFTER_MS = 10_000;
/** A `traceparent` has 55, and two line ends follow it. */
const TRACE_BYTES_MAX = 64;

/**
 * Calls to one instance of another service: as frames over one connection while there is one, else
 * over HTTP (decision 0048). The first calls go over HTTP; an answer that offers frames has the
 * connection opened, so servers that know only HTTP are never asked for anything else.
 */
export class InternalClient {
  readonly #http: HttpClient;
  readonly #origin: string;
  readonly #tls: TlsMaterial | undefined;
  readonly #answerBytesMax: number;
  readonly #connectTimeoutMs: number;
  #connection: FramedConnection | undefined;
  #opening: Promise<void> | undefined;
  #openAgainAtMs = 0;
  #isClosed = false;

  constructor(options: InternalClientOptions) {
    const { tls, ...others } = options;
    this.#http = new HttpClient({
      ...{ ...others, isTraced: true },
      ...(tls !== undefined && { tls }),
      onAnswerHeaders: (headers) => {
        if (FRAMES_OFFER in headers) this.#open();
      },
    });
    this.#origin = options.origin;
    this.#tls = tls;
    this.#answerBytesMax = options.answerBytesMax ?? ANSWER_BYTES_MAX;
    this.#connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  }

  /** Whether calls go as frames at present. */
  get isFramed(): boolean {
    return this.#connection?.isRetired === false;
  }

  /** Posts once; never rejects. */
  post(request: InternalRequest): Promise<HttpResult> {
    const connection = this.#usable();
    const ndc = currentNdc() ?? '';
    if (connection === undefined || !isShort(request, ndc)) return this.#overHttp(request);
    const { path, body, timeoutMs } = request;
    const span = startSpan(`POST ${path}`, { kind: 'client' });
    const sent = connection.call({ head: headOf(path, span, ndc), body, timeoutMs });
    if (!span.isRecording) return sent;
    return recordResult(span, { method: 'POST', path, origin: new URL(this.#origin) }, sent);
  }

  /**
   * Opens connections before somebody waits for them, by posting as often as told at once; the first
   * answer, or a failure.
   */
  async reach(request: InternalRequest, times: number): Promise<HttpResult | undefined> {
    const calls = Array.from({ length: times }, () => this.#overHttp(request));
    const results = await Promise.all(calls);
    await this.#opening;
    return results.find(({ kind }) => kind === 'answered') ?? results[0];
  }

  /** Aborts what is under way and closes every connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connection?.close();
    await Promise.all([this.#http.close(), this.#opening]);
  }

  #overHttp({ path, body, timeoutMs }: InternalRequest): Promise<HttpResult> {
    return this.#http.send({ method: 'POST', path, body, timeoutMs });
  }

  /** An outdated connection is used until the next one is open. */
  #usable(): FramedConnection | undefined {
    const connection = this.#connection;
    if (connection === undefined) return undefined;
    if (connection.isRetired) {
      this.#connection = undefined;
      return undefined;
    }
    if (connection.isOutdated(this.#tls?.current)) this.#open();
    return connection.isFree ? connection : undefined;
  }

  #open(): void {
    const isNeeded = !this.isFramed || this.#connection?.isOutdated(this.#tls?.current) === true;
    if (!isNeeded || this.#opening !== undefined || this.#isClosed) return;
    if (performance.now() < this.#openAgainAtMs) return;
    this.#opening = outsideOfRequests(() => this.#opened()).finally(() => {
      this.#opening = undefined;
    });
  }

  async #opened(): Promise<void> {
    const connection = await FramedConnection.open({
      origin: this.#origin,
      tls: this.#tls?.current,
      connectTimeoutMs: this.#connectTimeoutMs,
      answerBytesMax: this.#answerBytesMax,
    });
    if (connection === undefined) {
      this.#openAgainAtMs = performance.now() + OPEN_AGAIN_AFTER_MS;
    } else if (this.#isClosed) {
      connection.close();
    } else {
      this.#connection?.retire();
      this.#connection = connection;
    }
  }
}

/** Whether a call fits into one frame. */
function isShort({ path, body }: InternalRequest, ndc: string): boolean {
  if (path.length + ndc.length + TRACE_BYTES_MAX > FRAME_HEAD_BYTES_MAX) return false;
  // UTF-8 has at most three bytes for each unit of a string.
  return body.length * 3 <= FRAME_BODY_BYTES_MAX || Buffer.byteLength(body) <= FRAME_BODY_BYTES_MAX;
}

function headOf(path: string, { traceparent = '' }: Span, ndc: string): string {
  return traceparent === '' && ndc === '' ? path : `${path}\n${traceparent}\n${ndc}`;
}
