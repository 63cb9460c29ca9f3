import { connect, createServer, type Server, type Socket } from 'node:net';

/** What the proxy does to the next message that passes. */
export type Fault = 'none' | 'cutRequest' | 'cutSettings' | 'cutAnswer' | 'holdAnswer';

/** Part of what the store says first on each connection. */
const SETTINGS = 'plan_cache_mode';

/** Stands before PostgreSQL and cuts or silences a connection at a chosen moment. */
export class CuttingProxy {
  /** Done once, to the next message it concerns. */
  next: Fault = 'none';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: URL) {
    this.#server = createServer((client) => this.#join(client, target));
  }

  static async before(targetUrl: string): Promise<{ proxy: CuttingProxy; url: string }> {
    const url = new URL(targetUrl);
    const proxy = new CuttingProxy(new URL(targetUrl));
    url.port = String(await proxy.listen(0));
    return { proxy, url: url.href };
  }

  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Resolves once the fault that was asked for has happened. */
  async quiet(): Promise<void> {
    while (this.next !== 'none') await new Promise((resolve) => setImmediate(resolve));
  }

  /** Refuses new connections and resets those that are open. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, target: URL): void {
    const server = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      const isCut = bytes.includes(SETTINGS) ? 'cutSettings' : 'cutRequest';
      if (this.#does(isCut)) client.resetAndDestroy();
      else server.write(bytes);
    });
    let silent = false;
    server.on('data', (bytes) => {
      silent ||= this.#does('holdAnswer');
      if (this.#does('cutAnswer')) client.resetAndDestroy();
      else if (!silent) client.write(bytes);
    });
  }

  #does(fault: Fault): boolean {
    if (this.next !== fault) return false;
    this.next = 'none';
    return true;
  }
}
