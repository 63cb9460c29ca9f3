import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a merchant was told, decrypted with his secret. */
export interface Told {
  readonly type: string;
  readonly action?: string;
  readonly payload: {
    readonly id: string;
    readonly authentication: { readonly entityId: string };
  };
}

/** A merchant's receiver of notifications, which keeps what it is told. */
export class ToldReceiver {
  readonly told: Told[] = [];
  #onTold: (() => void) | undefined;

  private constructor(
    private readonly server: Server,
    private readonly secret: string,
  ) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = this.#opened(Buffer.concat(chunks).toString('utf8'), request.headers);
        this.told.push(JSON.parse(text) as Told);
        response.writeHead(200).end();
        this.#onTold?.();
      });
    });
  }

  static async start(secret: string): Promise<ToldReceiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ToldReceiver(server, secret);
  }

  /** What a seed file says of it. */
  get seed(): object {
    const { port } = this.server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/hook`, secret: this.secret };
  }

  /** Resolves once this was told of. */
  async hasHeard(id: string): Promise<void> {
    while (!this.told.some(({ payload }) => payload.id === id)) {
      await this.next();
    }
  }

  /** Resolves once something more was told. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => (this.#onTold = resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #opened(hex: string, headers: NodeJS.Dict<string | string[]>): string {
    const bytesOf = (name: string): Buffer => Buffer.from(String(headers[name]), 'hex');
    const key = Buffer.from(this.secret, 'hex');
    const cipher = createDecipheriv('aes-256-gcm', key, bytesOf('x-initialization-vector'));
    cipher.setAuthTag(bytesOf('x-authentication-tag'));
    return cipher.update(hex, 'hex', 'utf8') + cipher.final('utf8');
  }
}
