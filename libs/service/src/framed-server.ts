import type { Socket } from 'node:net';
import {
  CALL,
  type Frame,
  FRAME_BODY_BYTES_MAX,
  FrameBroken,
  FrameReader,
  FrameWriter,
  GOODBYE,
  MORE,
  PROBE_AFTER_MS,
  UNWRITTEN_BYTES_MAX,
} from './frames.js';
import type { InternalAnswer, InternalCall } from './internal-answers.js';

/** How frames are answered. */
export interface FramedServerParts {
  readonly bodyBytesMax: number;
  answer(call: InternalCall): Promise<InternalAnswer>;
}

/** A frame that has begun is whole after this time, or its sender has stopped. */
const FRAME_TIMEOUT_MS = 10_000;
/** Clients close at the goodbye; one that does not is not waited for. */
const GOODBYE_WAIT_MS = 1_000;
/** Path, trace and request id. */
const HEAD_LINES = 3;

/** The server's ends of the connections over which other processes call (decision 0048). */
export class FramedServer {
  readonly #connections = new Set<ServedConnection>();

  constructor(private readonly parts: FramedServerParts) {}

  /** Serves a connection from now on; `caller` is the service that its certificate names. */
  serve(socket: Socket, caller: string | undefined): void {
    const connection = new ServedConnection(socket, caller, this.parts);
    this.#connections.add(connection);
    socket.on('close', () => this.#connections.delete(connection));
  }

  /** Tells all clients to send nothing more; each connection ends when its calls are answered. */
  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  /** Ends all connections now. */
  destroy(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}

class ServedConnection {
  readonly #writer: FrameWriter;
  readonly #reader = new FrameReader((frame) => this.#take(frame));
  #drained: (() => void)[] = [];
  #unfinished = 0;
  #isOver = false;
  #frameTimer: NodeJS.Timeout | undefined;
  #goodbyeTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly caller: string | undefined,
    private readonly parts: FramedServerParts,
  ) {
    this.#writer = new FrameWriter(socket);
    socket.setTimeout(0);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, PROBE_AFTER_MS);
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('drain', () => {
      this.#goOn();
      socket.resume();
    });
    socket.on('close', () => {
      this.#goOn();
      clearTimeout(this.#frameTimer);
      clearTimeout(this.#goodbyeTimer);
    });
    socket.on('data', this.#receive);
  }

  /** Takes nothing new, and ends when everything is answered and the client knows. */
  close(): void {
    this.#writer.send(GOODBYE, CALL, '', '');
    // What the client had written before it knew is still answered: it is told to go elsewhere.
    this.#goodbyeTimer = setTimeout(() => {
      this.#isOver = true;
      if (this.#unfinished === 0) this.#end();
    }, GOODBYE_WAIT_MS);
  }

  destroy(): void {
    this.socket.destroy();
  }

  readonly #receive = (chunk: Buffer): void => {
    try {
      this.#reader.read(chunk);
    } catch {
      this.socket.destroy();
      return;
    }
    // Rarely: frames are short, and arrive whole.
    if (this.#frameTimer !== undefined) clearTimeout(this.#frameTimer);
    this.#frameTimer = this.#reader.isWithinFrame
      ? setTimeout(() => this.socket.destroy(), FRAME_TIMEOUT_MS)
      : undefined;
    // It asks and does not read: nothing more is taken until it does.
    if (this.socket.writableLength > UNWRITTEN_BYTES_MAX) this.socket.pause();
  };

  #take({ id, code, head, body }: Frame): void {
    if (code !== CALL || id === GOODBYE) throw new FrameBroken('not a call');
    const [path, traceparent, ndc] = head.split('\n', HEAD_LINES);
    // Made here, because what arrived is not kept.
    const text = body.length > this.parts.bodyBytesMax ? undefined : body.toString('utf8');
    const { caller } = this;
    void this.#answer(id, { path, caller, traceparent, ndc, body: () => text });
  }

  async #answer(id: number, call: InternalCall): Promise<void> {
    this.#unfinished += 1;
    const { status, body, bodyBytes } = await this.parts.answer(call);
    if (bodyBytes <= FRAME_BODY_BYTES_MAX) this.#writer.send(id, status, '', body);
    else await this.#writeParts(id, status, Buffer.from(body));
    this.#unfinished -= 1;
    if (this.#isOver && this.#unfinished === 0) this.#end();
  }

  /** In parts, between which the answers of others go out, as fast as the client reads. */
  async #writeParts(id: number, status: number, bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !this.socket.destroyed; at += FRAME_BODY_BYTES_MAX) {
      const end = Math.min(at + FRAME_BODY_BYTES_MAX, bytes.length);
      const code = end < bytes.length ? status + MORE : status;
      this.#writer.send(id, code, '', bytes.subarray(at, end));
      await this.#written();
    }
  }

  /** Resolves when the client has read what is written so far, or nearly; or never will. */
  #written(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        if (this.socket.writableNeedDrain && !this.socket.destroyed) this.#drained.push(resolve);
        else resolve();
      });
    });
  }

  /** Closes when everything is written, whether the client does or not. */
  #end(): void {
    this.#writer.flush();
    this.socket.destroySoon();
  }

  #goOn(): void {
    for (const resolve of this.#drained.splice(0)) resolve();
  }
}
