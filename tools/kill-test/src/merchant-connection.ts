import { Agent, request as httpRequest } from 'node:http';

/** Who the merchant is for the gateway. */
export interface MerchantAccount {
  readonly entityId: string;
  readonly accessToken: string;
}

/** What became of one HTTP request, as far as its sender can know. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  /** The connection was refused: not one byte was sent. */
  | { readonly kind: 'notSent' }
  /** Reset or silence after bytes were sent: it may have happened or not. */
  | { readonly kind: 'indefinite'; readonly why: string };

/** No answer for so long is silence: the merchant gives up and does not know (D-03: 25 s). */
export const PATIENCE_MS = 35_000;

/** A merchant's connections, which know whether a request can have left. */
export class MerchantConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 512 });

  /** @param account absent: a shopper's browser, which has no access */
  constructor(private readonly account: MerchantAccount | undefined) {}

  get(target: string): Promise<Exchange> {
    return this.#exchange('GET', target, '', {});
  }

  post(target: string, form: string, headers: Readonly<Record<string, string>>): Promise<Exchange> {
    return this.#exchange('POST', target, form, {
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      ...headers,
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #access(): Readonly<Record<string, string>> {
    return this.account === undefined
      ? {}
      : { Authorization: `Bearer ${this.account.accessToken}` };
  }

  #exchange(
    method: string,
    target: string,
    form: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Exchange> {
    return new Promise((resolve) => {
      let isConnected = false;
      const outgoing = httpRequest(target, {
        method,
        agent: this.#agent,
        timeout: PATIENCE_MS,
        headers: { ...this.#access(), ...headers },
      });
      outgoing.on('socket', (socket) => {
        // A socket from the pool is connected; one byte may have left on it.
        if (socket.connecting) socket.once('connect', () => (isConnected = true));
        else isConnected = true;
      });
      outgoing.on('timeout', () => {
        outgoing.destroy(new Error('silence'));
      });
      outgoing.on('error', (error) => {
        resolve(isConnected ? { kind: 'indefinite', why: error.message } : { kind: 'notSent' });
      });
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => {
          resolve({ kind: 'indefinite', why: error.message });
        });
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ kind: 'answered', status: response.statusCode ?? 0, text });
        });
      });
      outgoing.end(form);
    });
  }
}
