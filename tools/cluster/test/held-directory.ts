import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a request about a shopper is held: on its way there, or on its way back. */
export type Hold = 'answer' | 'request';

/**
 * Stands before the directory servers of the simulator, and holds what is asked about shoppers until whoever
 * asks has ended: its answer is heard by nobody then.
 */
export class HeldDirectory {
  /** Nothing is held any more once it is undefined. */
  hold: Hold | undefined;
  readonly #held: ServerResponse[] = [];
  readonly #server: Server;

  constructor(private readonly directoryUrl: string) {
    this.#server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        this.#pass(request.url ?? '', text, response).catch(() => response.destroy());
      });
    });
  }

  /** Where risk asks. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many are held. */
  get held(): number {
    return this.#held.length;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** Ends what is held, too. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(path: string, body: string, response: ServerResponse): Promise<void> {
    const hold = body.includes('"AReq"') ? this.hold : undefined;
    if (hold === 'request') return void this.#held.push(response);
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const answer = await fetch(`${this.directoryUrl}${path}`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (hold === 'answer') return void this.#held.push(response);
    response.writeHead(answer.status, headers).end(text);
  }
}
