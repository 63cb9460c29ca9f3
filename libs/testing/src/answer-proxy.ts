import { connect, createServer, type Server, type Socket } from 'node:net';
import { bodyOf, headerOf } from './raw-connection.js';

const HEAD_END = '\r\n\r\n';

/**
 * What happens to answers:
 * - `forward` passes them on.
 * - `repeat` delivers the next answer again, late: as the answer to the next request on its
 *   connection, so that from then on every request there gets the answer to the one before;
 *   `isShifted` tells.
 * - `replay` answers each request with the last answer that was passed on, whatever it was about.
 * - `hold` keeps answers back, `stall` all but their first half; the end of the connection as well.
 * - `reset` resets the connection in their place, `cut` ends it after their first half.
 * - `fail` passes them on under HTTP 503.
 * - `page` sends a web page in their place, under HTTP 200; `missing` the same under HTTP 404.
 */
export type AnswerMode =
  | 'forward'
  | 'repeat'
  | 'replay'
  | 'hold'
  | 'stall'
  | 'reset'
  | 'cut'
  | 'fail'
  | 'page'
  | 'missing';

/** A request as it arrived. */
export interface ProxiedRequest {
  /** Head and body. */
  readonly text: string;
  /** Which connection it came on, counted from 0. */
  readonly connection: number;
}

/** Where messages end, and which of them nobody minds: those are passed on, whatever the mode. */
export interface ProxiedFormat {
  /** Where the first message ends; undefined until all of it is there. */
  readonly endOf: (bytes: Buffer, isOver: boolean) => number | undefined;
  readonly isAside?: (message: Buffer) => boolean;
}

/** A proxy before a server that spoils answers, as faulty ones between companies do. */
export interface AnswerProxy {
  readonly url: string;
  mode: AnswerMode;
  /** Whether an answer has been delivered twice. */
  readonly isShifted: boolean;
  /** In the order of their arrival. */
  readonly requests: readonly ProxiedRequest[];
  /** Resolves when the next request has arrived. */
  nextRequest(): Promise<void>;
  close(): Promise<void>;
}

const http11: ProxiedFormat = { endOf: endOfMessage };

/**
 * Starts one on a free port of the loopback interface before the target's host and port, for HTTP/1.1
 * unless another format is given. The modes that answer in the server's place do so by HTTP all the same.
 */
export async function startAnswerProxy(
  target: string,
  format: ProxiedFormat = http11,
): Promise<AnswerProxy> {
  const { hostname, port } = new URL(target);
  const proxy = new RunningProxy(hostname, Number(port), format);
  const server = createServer((client) => proxy.join(client));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${String(ownPort)}`;
  return Object.assign(proxy, { url, close: () => proxy.end(server) });
}

class RunningProxy {
  mode: AnswerMode = 'forward';
  isShifted = false;
  readonly requests: ProxiedRequest[] = [];
  #connections = 0;
  #last: Buffer | undefined;
  #listeners: (() => void)[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(
    private readonly host: string,
    private readonly port: number,
    private readonly format: ProxiedFormat,
  ) {}

  nextRequest(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve));
  }

  join(client: Socket): void {
    const connection = this.#connections;
    this.#connections += 1;
    const upstream = connect(this.port, this.host);
    this.#track(client, () => upstream.destroy());
    // A server may close behind its answer: whoever is kept from the one does not learn of the other.
    this.#track(upstream, () => {
      if (this.mode !== 'hold' && this.mode !== 'stall') client.destroy();
    });
    /** The answer that the next request on this connection gets instead of its own. */
    let kept: Buffer | undefined;
    const isAside = (message: Buffer): boolean => this.format.isAside?.(message) ?? false;
    eachMessage(client, this.format, (request) => {
      if (isAside(request)) return void upstream.write(request);
      this.#arrived({ text: request.toString('utf8'), connection });
      if (this.mode === 'replay' && this.#last !== undefined) client.write(this.#last);
      else upstream.write(request);
      if (kept !== undefined) client.write(kept);
    });
    eachMessage(upstream, this.format, (answer) => {
      if (isAside(answer)) return void client.write(answer);
      const isRepeated = this.mode === 'repeat' && !this.isShifted;
      if (kept === undefined) this.#deliver(answer, client);
      if (kept !== undefined || isRepeated) kept = answer;
      this.isShifted ||= isRepeated;
    });
  }

  end(server: Server): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      server.close(() => resolve());
    });
  }

  #deliver(answer: Buffer, client: Socket): void {
    const half = answer.subarray(0, answer.length / 2);
    switch (this.mode) {
      case 'forward':
      case 'repeat':
      case 'replay':
        this.#last = answer;
        client.write(answer);
        return;
      case 'hold':
        return;
      case 'stall':
        client.write(half);
        return;
      case 'reset':
        client.resetAndDestroy();
        return;
      case 'cut':
        client.end(half);
        return;
      case 'fail':
        client.write(withStatus(answer, '503 Service Unavailable'));
        return;
      case 'page':
        client.write(pageUnder('200 OK'));
        return;
      case 'missing':
        client.write(pageUnder('404 Not Found'));
        return;
    }
  }

  #arrived(request: ProxiedRequest): void {
    this.requests.push(request);
    for (const resolve of this.#listeners.splice(0)) resolve();
  }

  #track(socket: Socket, onClose: () => void): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      onClose();
    });
  }
}

function withStatus(answer: Buffer, status: string): Buffer {
  const statusLineEnds = answer.indexOf('\r\n');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}`), answer.subarray(statusLineEnds)]);
}

function pageUnder(status: string): string {
  const page = '<html><body>declined</body></html>';
  const length = String(page.length);
  return `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\ncontent-length: ${length}\r\n\r\n${page}`;
}

/** Whole messages, however they say where they end. */
function eachMessage(
  socket: Socket,
  { endOf }: ProxiedFormat,
  take: (message: Buffer) => void,
): void {
  let bytes = Buffer.alloc(0);
  const takeAll = (isOver: boolean): void => {
    for (;;) {
      const ends = endOf(bytes, isOver);
      if (ends === undefined) return;
      take(bytes.subarray(0, ends));
      bytes = bytes.subarray(ends);
    }
  };
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    takeAll(false);
  });
  socket.once('end', () => takeAll(true));
}

/** Where the first message ends; undefined until all of it is there. */
function endOfMessage(bytes: Buffer, isOver: boolean): number | undefined {
  const headEnds = bytes.indexOf(HEAD_END);
  if (headEnds < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnds);
  const bodyStarts = headEnds + HEAD_END.length;
  if (!hasBody(head)) return bodyStarts;
  const body = bodyOf(head, bytes.subarray(bodyStarts), isOver);
  return body && bodyStarts + body.used;
}

/** A request has a body if it says how long that is; an answer always, but for these statuses. */
function hasBody(head: string): boolean {
  const [, status] = /^HTTP\/1\.[01] ([0-9]{3})/u.exec(head) ?? [];
  if (status !== undefined) return !/^(?:1..|204|304)$/u.test(status);
  return ['content-length', 'transfer-encoding'].some((name) => headerOf(head, name) !== undefined);
}
