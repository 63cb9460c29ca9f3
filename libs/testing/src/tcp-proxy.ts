import { createServer, connect, type Server, type Socket } from 'node:net';

/**
 * What happens to bytes. `forward` passes them on. `holdAnswers` lets requests through and keeps
 * every answer back: the row is committed and the client does not learn it. `blackhole` swallows
 * both ways. `holdRequests` is a target that stands still: its answers to come are held with what it is
 * asked, until `goOn`.
 */
export type ProxyMode = 'forward' | 'holdAnswers' | 'blackhole' | 'holdRequests';

/** A wire that can be cut, for the faults of reliability R-CRA-06 and R-CRA-08. */
export interface TcpProxy {
  readonly port: number;
  /** The same address as `target`, with the proxy's host and port. */
  readonly url: string;
  mode: ProxyMode;
  /** Resolves with the number of bytes when the next request has passed through to the target. */
  nextRequest(): Promise<number>;
  /** Resolves with the number of bytes when the next answer has come, forwarded or not. */
  nextAnswer(): Promise<number>;
  /** Forwards again, and first what was held of requests. */
  goOn(): void;
  /** Resets every open connection (RST), on both sides. */
  resetConnections(): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of the loopback interface before the target's host and port. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const wire = new Wire(hostname, Number(port));
  const server = createServer((client) => {
    wire.join(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? address.port : 0;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(ownPort);
  return Object.assign(wire, { port: ownPort, url: url.href, close: () => wire.end(server) });
}

class Wire {
  mode: ProxyMode = 'forward';
  readonly #sockets = new Set<Socket>();
  #onRequest: ((bytes: number) => void)[] = [];
  #onAnswer: ((bytes: number) => void)[] = [];
  #held: (() => void)[] = [];

  constructor(
    private readonly targetHost: string,
    private readonly targetPort: number,
  ) {}

  join(client: Socket): void {
    const upstream = connect(this.targetPort, this.targetHost);
    this.#track(client, upstream);
    this.#track(upstream, client);
    client.on('data', (chunk: Buffer) => {
      if (this.mode === 'holdRequests') this.#held.push(() => upstream.write(chunk));
      else if (this.mode !== 'blackhole') upstream.write(chunk);
      for (const resolve of this.#onRequest.splice(0)) resolve(chunk.length);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (this.mode === 'forward') client.write(chunk);
      for (const resolve of this.#onAnswer.splice(0)) resolve(chunk.length);
    });
  }

  #track(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }

  nextRequest(): Promise<number> {
    return new Promise((resolve) => this.#onRequest.push(resolve));
  }

  nextAnswer(): Promise<number> {
    return new Promise((resolve) => this.#onAnswer.push(resolve));
  }

  goOn(): void {
    this.mode = 'forward';
    for (const write of this.#held.splice(0)) write();
  }

  resetConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  end(server: Server): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  }
}
