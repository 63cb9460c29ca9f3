import { channel } from 'node:diagnostics_channel';
import { request as requestInClear, type RequestOptions } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { Socket } from 'node:net';
import {
  CALL,
  type Frame,
  FrameReader,
  FRAMES_PROTOCOL,
  FrameWriter,
  GOODBYE,
  MORE,
  PROBE_AFTER_MS,
  UNWRITTEN_BYTES_MAX,
} from './frames.js';
import type { HttpResult } from './http-client.js';
import type { TlsFiles } from './tls-material.js';

/** Where a connection goes, and what it takes. */
export interface FramedConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly tls: TlsFiles | undefined;
  readonly connectTimeoutMs: number;
  /** A longer answer is not kept. */
  readonly answerBytesMax: number;
}

/** One call, written at once. */
export interface FramedCall {
  /** Path, trace and request id, one a line. */
  readonly head: string;
  readonly body: string;
  readonly timeoutMs: number;
}

interface Waiting {
  readonly resolve: (result: HttpResult) => void;
  readonly timer: NodeJS.Timeout;
  /** How many frames had arrived when it was written. */
  readonly framesBefore: number;
  parts: Buffer[] | undefined;
  bytes: number;
}

/** So many calls are under way at once; what comes on top is left to HTTP, where it waits. */
const CALLS_MAX = 256;
/**
 * An address may stand for several instances, and a connection stays with one of them: after this
 * time another one gets its turn. A handshake a minute is nothing.
 */
const AGE_MAX_MS = 60_000;
const HIGHEST_ID = 0xff_ff_ff_ff;
/** As HTTP clients have: the account of a payment counts calls by it. */
const calls = channel('sluice:frames:call');

/**
 * The client's end of the connection between two processes (decision 0048). It never sends a call
 * twice. A call that was written and has no answer is lost, whatever ended the connection.
 */
export class FramedConnection {
  readonly #writer: FrameWriter;
  readonly #waiting = new Map<number, Waiting>();
  readonly #openedAtMs = performance.now();
  readonly #answerBytesMax: number;
  readonly #tls: TlsFiles | undefined;
  #lastId = GOODBYE;
  #framesRead = 0;
  #isRetired = false;

  private constructor(
    private readonly socket: Socket,
    { tls, answerBytesMax }: FramedConnectionOptions,
  ) {
    this.#tls = tls;
    this.#answerBytesMax = answerBytesMax;
    this.#writer = new FrameWriter(socket);
    const reader = new FrameReader(this.#receive);
    socket.setTimeout(0);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, PROBE_AFTER_MS);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
    socket.on('end', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.read(chunk);
      } catch {
        socket.destroy();
      }
    });
  }

  /** Undefined when the other side cannot be reached, or does not speak frames. */
  static open(options: FramedConnectionOptions): Promise<FramedConnection | undefined> {
    return new Promise((resolve) => {
      const request = upgradeRequest(options);
      const timer = setTimeout(() => request.destroy(), options.connectTimeoutMs);
      request.on('upgrade', ({ headers }, socket: Socket, first: Buffer) => {
        clearTimeout(timer);
        if (headers.upgrade !== FRAMES_PROTOCOL) {
          socket.destroy();
          return;
        }
        const connection = new FramedConnection(socket, options);
        if (first.length > 0) socket.unshift(first);
        resolve(connection);
      });
      request.on('response', () => request.destroy());
      request.on('error', () => undefined);
      request.on('close', () => {
        clearTimeout(timer);
        resolve(undefined);
      });
      request.end();
    });
  }

  /** Whether another call may be written now. */
  get isFree(): boolean {
    return (
      !this.#isRetired &&
      this.#waiting.size < CALLS_MAX &&
      this.socket.writableLength <= UNWRITTEN_BYTES_MAX
    );
  }

  /** Whether it takes no more calls. */
  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Whether another one should take its place: by its age, or for certificates of today. */
  isOutdated(tls: TlsFiles | undefined): boolean {
    return this.#tls !== tls || performance.now() - this.#openedAtMs > AGE_MAX_MS;
  }

  /** Writes a call; only while the connection is free. Never rejects. */
  call({ head, body, timeoutMs }: FramedCall): Promise<HttpResult> {
    const id = (this.#lastId = this.#lastId === HIGHEST_ID ? 1 : this.#lastId + 1);
    return new Promise((resolve) => {
      this.#waiting.set(id, {
        resolve,
        timer: setTimeout(this.#giveUp, timeoutMs, id),
        framesBefore: this.#framesRead,
        parts: undefined,
        bytes: 0,
      });
      this.#writer.send(id, CALL, head, body);
      if (calls.hasSubscribers) calls.publish({ head });
    });
  }

  /** Takes no more calls, and closes when those under way have ended. */
  retire(): void {
    this.#isRetired = true;
    if (this.#waiting.size === 0) this.socket.destroy();
  }

  /** Breaks off what is under way. */
  close(): void {
    this.socket.destroy();
    this.#end();
  }

  readonly #receive = ({ id, code, body }: Frame): void => {
    this.#framesRead += 1;
    if (id === GOODBYE) this.retire();
    const call = this.#waiting.get(id);
    // Nobody waits for it any more.
    if (call === undefined) return;
    call.bytes += body.length;
    if (call.bytes > this.#answerBytesMax) {
      this.#settle(id, { kind: 'lost', reason: 'answerTooLong' });
    } else if ((code & MORE) !== 0) {
      (call.parts ??= []).push(body);
    } else {
      const whole = call.parts === undefined ? body : Buffer.concat([...call.parts, body]);
      this.#settle(id, { kind: 'answered', statusCode: code, body: whole.toString('utf8') });
    }
  };

  readonly #giveUp = (id: number): void => {
    const isSilent = this.#waiting.get(id)?.framesBefore === this.#framesRead;
    this.#settle(id, { kind: 'lost', reason: 'timeout' });
    // Perhaps nobody is there any more. The calls of others have their own time to find out.
    if (isSilent) this.retire();
  };

  #settle(id: number, result: HttpResult): void {
    const call = this.#waiting.get(id);
    if (call === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(call.timer);
    call.resolve(result);
    if (this.#isRetired && this.#waiting.size === 0) this.socket.destroy();
  }

  #end(): void {
    this.#isRetired = true;
    for (const id of [...this.#waiting.keys()]) {
      this.#settle(id, { kind: 'lost', reason: 'connectionLost' });
    }
  }
}

function upgradeRequest({ origin, tls }: FramedConnectionOptions) {
  const { protocol, hostname, port } = new URL(origin);
  const options: RequestOptions = {
    // An IPv6 address is in brackets only within a URL.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port }),
    path: '/',
    agent: false,
    headers: { connection: 'upgrade', upgrade: FRAMES_PROTOCOL },
  };
  return protocol === 'https:' ? requestOverTls({ ...options, ...tls }) : requestInClear(options);
}
