import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What happens to answers. `forward` passes them on. `repeat` delivers the next answer again, late:
 * as the answer to the next request on its connection, so that from then on every request there gets
 * the answer to the one before; `isShifted` tells. `replay` answers each request with the last answer
 * that was passed on, whatever it was about. `hold` keeps answers back.
 */
export type AnswerMode = 'forward' | 'repeat' | 'replay' | 'hold';

/** A proxy before an HTTP/1.1 server that mixes answers up, as faulty ones between companies do. */
export interface ShiftingProxy {
  readonly url: string;
  mode: AnswerMode;
  /** Whether an answer has been delivered twice. */
  readonly isShifted: boolean;
  /** The first lines of the requests that arrived. */
  readonly requests: readonly string[];
  /** Resolves when the next request has arrived. */
  nextRequest(): Promise<void>;
  close(): Promise<void>;
}

/** Starts one on a free port of the loopback interface before the target's host and port. */
export async function startShiftingProxy(target: string): Promise<ShiftingProxy> {
  const { hostname, port } = new URL(target);
  const desk = new AnswerDesk(hostname, Number(port));
  const server = createServer((client) => desk.join(client));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${String(ownPort)}`;
  return Object.assign(desk, { url, close: () => desk.end(server) });
}

class AnswerDesk {
  mode: AnswerMode = 'forward';
  isShifted = false;
  readonly requests: string[] = [];
  #last: Buffer | undefined;
  #listeners: (() => void)[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  nextRequest(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve));
  }

  join(client: Socket): void {
    const upstream = connect(this.port, this.host);
    this.#track(client, upstream);
    this.#track(upstream, client);
    /** The answer that the next request on this connection gets instead of its own. */
    let kept: Buffer | undefined;
    eachMessage(client, (request) => {
      this.#arrived(request);
      if (this.mode === 'replay' && this.#last !== undefined) client.write(this.#last);
      else upstream.write(request);
      if (kept !== undefined) client.write(kept);
    });
    eachMessage(upstream, (answer) => {
      if (this.mode === 'hold') return;
      const isRepeated = this.mode === 'repeat' && !this.isShifted;
      if (kept === undefined) client.write(answer);
      if (kept !== undefined || isRepeated) kept = answer;
      this.isShifted ||= isRepeated;
      this.#last = answer;
    });
  }

  end(server: Server): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      server.close(() => resolve());
    });
  }

  #arrived(request: Buffer): void {
    this.requests.push(request.toString('latin1').split('\r\n', 1)[0] ?? '');
    for (const resolve of this.#listeners.splice(0)) resolve();
  }

  #track(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}

/** Whole messages, as far as they say how long they are. */
function eachMessage(socket: Socket, take: (message: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const headEnds = bytes.indexOf('\r\n\r\n');
      if (headEnds < 0) return;
      const head = bytes.subarray(0, headEnds).toString('latin1');
      const length = Number(/content-length: *([0-9]+)/iu.exec(head)?.[1] ?? 0);
      const ends = headEnds + 4 + length;
      if (bytes.length < ends) return;
      take(bytes.subarray(0, ends));
      bytes = bytes.subarray(ends);
    }
  });
}
