// The shop of the specs of calls; no other file imports it.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A shop whose addresses are called, which answers as it is told and notes what it was asked. */
export class CalledShop {
  readonly #asked: string[] = [];
  /** What the next calls are answered with; 200 afterwards. */
  readonly statuses: number[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.#asked.push(`${request.method} ${request.url}`);
    request.resume();
    const status = this.statuses.shift() ?? 200;
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('Thank you.');
  });

  static async open(): Promise<CalledShop> {
    const shop = new CalledShop();
    shop.#server.listen(0, '127.0.0.1');
    await once(shop.#server, 'listening');
    return shop;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Once it was asked so many different things, since they were taken. */
  async asked(count: number): Promise<void> {
    while (new Set(this.#asked).size < count) await once(this.#server, 'request');
  }

  /** What it was asked since the last time. */
  taken(): readonly string[] {
    return this.#asked.splice(0);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
