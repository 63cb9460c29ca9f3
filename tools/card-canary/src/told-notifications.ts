import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CanaryAnswer } from './send.js';

/** What notifications are encrypted with; it is looked for like a secret. */
export const NOTIFICATION_SECRET = '7c1f9be2d0584a6e93b7f0c25ad861e4'.repeat(2);

/** A seed file whose channels tell this receiver everything, in both forms. */
export function seedWithReceiver(seed: string, { url }: ToldNotifications): string {
  const { channels } = JSON.parse(seed) as { readonly channels: readonly object[] };
  const webhooks = (['none', 'JSON'] as const).map((wrapper) => {
    return { url: `${url}/${wrapper}`, secret: NOTIFICATION_SECRET, wrapper };
  });
  return JSON.stringify({ channels: channels.map((channel) => ({ ...channel, webhooks })) });
}

/** A receiver of notifications, which keeps what it is told. */
export class ToldNotifications {
  /** Decrypted. */
  readonly texts: string[] = [];
  #onTold: (() => void) | undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.texts.push(opened(Buffer.concat(chunks).toString('utf8'), request.headers));
        response.writeHead(200).end();
        this.#onTold?.();
      });
    });
  }

  static async start(): Promise<ToldNotifications> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ToldNotifications(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves once what has this answer is told in each form. */
  async heard(answer: CanaryAnswer | undefined): Promise<void> {
    const { id = '' } = JSON.parse(answer?.body ?? '{}') as { readonly id?: string };
    while (this.texts.filter((text) => text.includes(`"id":"${id}"`)).length < 2) {
      await new Promise<void>((resolve) => (this.#onTold = resolve));
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function opened(body: string, headers: NodeJS.Dict<string | string[]>): string {
  const bytesOf = (name: string): Buffer => Buffer.from(String(headers[name]), 'hex');
  const hex = body.startsWith('{')
    ? (JSON.parse(body) as { readonly encryptedBody: string }).encryptedBody
    : body;
  const key = Buffer.from(NOTIFICATION_SECRET, 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, bytesOf('x-initialization-vector'));
  cipher.setAuthTag(bytesOf('x-authentication-tag'));
  return cipher.update(hex, 'hex', 'utf8') + cipher.final('utf8');
}
