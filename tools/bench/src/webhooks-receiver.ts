import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type AddressInfo, createServer as createSilentServer, type Server } from 'node:net';

/** The address that it names itself by; it hears on all others of this machine, too. */
const EVERYWHERE = '0.0.0.0';

const POLL_MS = 5;

/** A payment's event, as its publisher and whoever is told of it name it. */
export function nameOf(paymentId: string, sequence: number): string {
  return `${paymentId} ${sequence}`;
}

/** Merchants' servers on this machine: one that answers at once, and one that takes calls and says nothing. */
export class BenchReceivers {
  /** By the id of the notification. */
  readonly #heard = new Map<string, Heard>();
  readonly #key: Buffer;
  readonly #answering = createServer((request, response) => {
    const atMs = performance.timeOrigin + performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.#hear(request, Buffer.concat(chunks).toString('utf8'), atMs);
      response.writeHead(200).end();
    });
  });
  readonly #silent = createSilentServer((socket) => socket.on('error', () => undefined).resume());

  private constructor(secret: string) {
    this.#key = Buffer.from(secret, 'hex');
  }

  /** @param secret 64 hexadecimal digits, of all subscriptions */
  static async start(secret: string): Promise<BenchReceivers> {
    const receivers = new BenchReceivers(secret);
    for (const server of [receivers.#answering, receivers.#silent]) {
      server.listen(0, EVERYWHERE);
      await once(server, 'listening');
    }
    return receivers;
  }

  /** Each number is a merchant with an address of his own. */
  answering(number = 0): string {
    return urlOf(this.#answering, number);
  }

  /** One that is dead in the worst way: it takes a call, and never answers. */
  silent(number: number): string {
    return urlOf(this.#silent, number);
  }

  /** Waits until so many notifications were heard. */
  async hasHeard(count: number): Promise<void> {
    while (this.#heard.size < count) await pause(POLL_MS);
  }

  /** What one of them said. */
  anyText(): string {
    const [heard] = this.#heard.values();
    if (heard === undefined) throw new Error('Nothing was heard.');
    return this.#opened(heard);
  }

  /** When the first byte of what was said of each event had come, milliseconds since the epoch; forgets all. */
  heardAtMs(): ReadonlyMap<string, number> {
    const times = [...this.#heard.values()].map((heard): [string, number] => {
      const { id = '', sequence = 0 } = (JSON.parse(this.#opened(heard)) as Told).payload;
      return [nameOf(id, sequence), heard.atMs];
    });
    this.forget();
    return new Map(times);
  }

  /** Begins to count anew. */
  forget(): void {
    this.#heard.clear();
  }

  stop(): void {
    this.#answering.closeAllConnections();
    this.#answering.close();
    this.#silent.close();
  }

  /** Decrypted later: what a merchant does with it is not measured. */
  #hear({ headers }: IncomingMessage, body: string, atMs: number): void {
    const id = String(headers['webhook-id']);
    if (!this.#heard.has(id)) this.#heard.set(id, { headers, body, atMs });
  }

  #opened({ headers, body }: Heard): string {
    const bytesOf = (name: string): Buffer => Buffer.from(String(headers[name]), 'hex');
    const cipher = createDecipheriv('aes-256-gcm', this.#key, bytesOf('x-initialization-vector'));
    cipher.setAuthTag(bytesOf('x-authentication-tag'));
    return cipher.update(body, 'hex', 'utf8') + cipher.final('utf8');
  }
}

/** As it came. */
interface Heard extends Pick<IncomingMessage, 'headers'> {
  readonly body: string;
  readonly atMs: number;
}

interface Told {
  readonly payload: { readonly id?: string; readonly sequence?: number };
}

const NUMBERS_OF_A_BYTE = 250;

/** The addresses 127.0.0.1, 127.0.0.2 and so on are all of this machine. */
function urlOf(server: Server, number: number): string {
  const { port } = server.address() as AddressInfo;
  const host = `127.0.${Math.floor(number / NUMBERS_OF_A_BYTE)}.${(number % NUMBERS_OF_A_BYTE) + 1}`;
  return `http://${host}:${port}/hook`;
}
