import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const INFORMATIONAL_BELOW = 200;
const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Status line and headers, as text. */
  readonly head: string;
  readonly body: Buffer;
  /** The server said that it closes the connection. */
  readonly closes: boolean;
}

/** What came back for the bytes that were written. */
export interface Exchange {
  readonly answers: readonly RawAnswer[];
  readonly durationMs: number;
  /** Why there are fewer answers than expected. */
  readonly failure?: string;
}

/** What to write, and what to wait for. */
export interface RawRequest {
  readonly bytes: Buffer;
  /** How many answers the bytes ask for; more than one when requests are pipelined. */
  readonly answers: number;
  /** Answers to HEAD have a length and no body. */
  readonly isHead: boolean;
  /** The next request goes over a new connection: this one may leave bytes behind. */
  readonly isLast?: boolean;
}

/** What the bytes of a request are made of; every part may be nonsense. */
export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly version?: string;
  /** Whole lines. */
  readonly headers: readonly string[];
  /** A text is latin1: one character, one byte. */
  readonly body?: string | Buffer;
}

/** A request as it goes over the wire: nothing is added to what it says. */
export function requestBytes({
  method,
  target,
  version = 'HTTP/1.1',
  headers,
  body = '',
}: RequestParts): Buffer {
  const head = [`${method} ${target} ${version}`, ...headers, '', ''].join('\r\n');
  const content = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
}

/** A request of a well-behaved client, which expects one answer. */
export function politeRequest(
  method: 'GET' | 'POST',
  target: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): RawRequest {
  const content = Buffer.from(body);
  const all = { Host: 'sluice.test', ...headers, 'Content-Length': String(content.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const bytes = requestBytes({ method, target, headers: lines, body: content });
  return { bytes, answers: 1, isHead: false };
}

/**
 * HTTP/1.1 without a client's good manners: writes any bytes, and reads answers as they come.
 * One exchange at a time; opens a new socket whenever the server has closed the last one.
 */
export class RawConnection {
  #socket: Socket | undefined;
  /** The socket opened last: what older ones still have to say is not heard. */
  #latest: Socket | undefined;
  #received = Buffer.alloc(0);
  #wake: (() => void) | undefined;
  #ended: string | undefined;
  readonly #host: string;
  readonly #port: number;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** Writes the bytes and waits for the answers, at most `timeoutMs` for all of them. */
  async exchange(request: RawRequest, timeoutMs: number): Promise<Exchange> {
    if (this.#ended !== undefined) this.close();
    const isFresh = this.#socket === undefined;
    const exchange = await this.#exchangeOnce(request, timeoutMs);
    // A kept connection may have been closed just now; only a fresh one proves anything.
    const isClosed = exchange.answers.length === 0 && this.#socket === undefined;
    return isClosed && !isFresh && exchange.durationMs < timeoutMs
      ? this.#exchangeOnce(request, timeoutMs)
      : exchange;
  }

  async #exchangeOnce(request: RawRequest, timeoutMs: number): Promise<Exchange> {
    const socket = this.#socket ?? (await this.#open());
    const startedAt = performance.now();
    const answers: RawAnswer[] = [];
    const patience = { isOver: false };
    const timer = setTimeout(() => {
      patience.isOver = true;
      this.#wake?.();
    }, timeoutMs);
    socket.write(request.bytes);
    while (answers.length < request.answers) {
      const answer = this.#takeAnswer(request.isHead);
      if (answer !== undefined) {
        if (answer.status >= INFORMATIONAL_BELOW) answers.push(answer);
        if (answer.closes) break;
      } else if (patience.isOver || this.#ended !== undefined) break;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    clearTimeout(timer);
    const durationMs = performance.now() - startedAt;
    const isComplete = answers.length === request.answers && answers.at(-1)?.closes !== true;
    const failure =
      answers.length > 0
        ? undefined
        : patience.isOver
          ? `no answer within ${String(timeoutMs)} ms`
          : `no answer: ${this.#ended ?? 'unknown'}`;
    if (!isComplete || this.#received.length > 0 || request.isLast === true) this.close();
    return { answers, durationMs, ...(failure === undefined ? undefined : { failure }) };
  }

  /** The same; a connection that cannot be opened is a failure as any other. */
  async tried(request: RawRequest, timeoutMs: number): Promise<Exchange> {
    try {
      return await this.exchange(request, timeoutMs);
    } catch (error) {
      return { answers: [], durationMs: 0, failure: `no connection: ${String(error)}` };
    }
  }

  /** Ends it; the next exchange opens another. */
  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Promise<Socket> {
    this.#received = Buffer.alloc(0);
    this.#ended = undefined;
    return new Promise((resolve, reject) => {
      const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
      this.#latest = socket;
      const isCurrent = (): boolean => this.#latest === socket;
      const end = (why: string): void => {
        if (!isCurrent()) return;
        this.#ended ??= why;
        this.#wake?.();
      };
      socket.on('data', (chunk) => {
        if (!isCurrent()) return;
        this.#received = Buffer.concat([this.#received, chunk]);
        this.#wake?.();
      });
      socket.on('end', () => {
        end('the connection was closed');
      });
      socket.on('close', () => {
        end('the connection was closed');
        if (this.#socket === socket) this.#socket = undefined;
      });
      socket.on('error', (error) => {
        end(error.message);
        reject(error);
      });
      socket.once('connect', () => {
        this.#socket = socket;
        resolve(socket);
      });
    });
  }

  /** The next whole answer among the received bytes, if there is one. */
  #takeAnswer(isHead: boolean): RawAnswer | undefined {
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd === -1) return undefined;
    const head = this.#received.toString('latin1', 0, headEnd);
    const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    const bodyStart = headEnd + HEAD_END.length;
    const hasBody =
      !isHead && status >= INFORMATIONAL_BELOW && status !== NO_CONTENT && status !== NOT_MODIFIED;
    const rest = this.#received.subarray(bodyStart);
    const body = hasBody
      ? bodyOf(head, rest, this.#ended !== undefined)
      : { content: Buffer.alloc(0), used: 0 };
    if (body === undefined) return undefined;
    this.#received = rest.subarray(body.used);
    const closes = headerOf(head, 'connection')?.toLowerCase() === 'close';
    return { status, head, body: body.content, closes };
  }
}

/** The value of a header, trimmed; of several, the first. */
export function headerOf(head: string, name: string): string | undefined {
  const prefix = `${name}:`;
  return head
    .split('\r\n')
    .find((line) => line.toLowerCase().startsWith(prefix))
    ?.slice(prefix.length)
    .trim();
}

/** The body at the beginning of some bytes, and how many of them it takes; none until all of it is there. */
export function bodyOf(
  head: string,
  rest: Buffer,
  isEnded: boolean,
): { content: Buffer; used: number } | undefined {
  const length = headerOf(head, 'content-length');
  if (length !== undefined) {
    const size = Number(length);
    return rest.length < size ? undefined : { content: rest.subarray(0, size), used: size };
  }
  if (headerOf(head, 'transfer-encoding')?.toLowerCase() === 'chunked') return chunkedBody(rest);
  // Without a length the body ends with the connection.
  return isEnded ? { content: rest, used: rest.length } : undefined;
}

function chunkedBody(rest: Buffer): { content: Buffer; used: number } | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    const start = lineEnd + 2;
    if (rest.length < start + size + 2) return undefined;
    if (size === 0) return { content: Buffer.concat(chunks), used: start + 2 };
    chunks.push(rest.subarray(start, start + size));
    at = start + size + 2;
  }
}
