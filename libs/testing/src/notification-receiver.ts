import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a merchant was told, decrypted with his secret. */
export interface ToldNotification {
  readonly type: string;
  readonly action?: string;
  readonly payload: {
    readonly id: string;
    readonly authentication: { readonly entityId: string };
    readonly [field: string]: unknown;
  };
}

/** A merchant's receiver of notifications, which acknowledges and keeps what it is told, in both forms. */
export class NotificationReceiver {
  /** Decrypted, in the order of coming. */
  readonly texts: string[] = [];
  #onTold: (() => void) | undefined;

  private constructor(
    private readonly server: Server,
    private readonly secret: string,
  ) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.texts.push(this.#opened(Buffer.concat(chunks).toString('utf8'), request.headers));
        response.writeHead(200).end();
        this.#onTold?.();
      });
    });
  }

  /** @param secret 64 hexadecimal digits */
  static async start(secret: string): Promise<NotificationReceiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new NotificationReceiver(server, secret);
  }

  get told(): readonly ToldNotification[] {
    return this.texts.map((text) => JSON.parse(text) as ToldNotification);
  }

  /** What a seed file says of it; each form has an address of its own. */
  seed(wrapper: 'none' | 'JSON' = 'none'): object {
    const { port } = this.server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/${wrapper}`, secret: this.secret, wrapper };
  }

  /** Resolves once this was told of so many times. */
  async hasHeard(id: string, times = 1): Promise<void> {
    const isOf = (text: string): boolean => text.includes(`"id":"${id}"`);
    while (this.texts.filter(isOf).length < times) await this.next();
  }

  /** Resolves once something more was told. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => (this.#onTold = resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #opened(body: string, headers: IncomingHttpHeaders): string {
    const bytesOf = (name: string): Buffer => Buffer.from(String(headers[name]), 'hex');
    const hex = body.startsWith('{')
      ? (JSON.parse(body) as { readonly encryptedBody: string }).encryptedBody
      : body;
    const key = Buffer.from(this.secret, 'hex');
    const cipher = createDecipheriv('aes-256-gcm', key, bytesOf('x-initialization-vector'));
    cipher.setAuthTag(bytesOf('x-authentication-tag'));
    return cipher.update(hex, 'hex', 'utf8') + cipher.final('utf8');
  }
}
