import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** One transaction that it was asked to perform, and what it has said to that. */
export interface AskedTransaction {
  readonly reference: string;
  /** With the advice to take another route, or as nothing that it takes. */
  readonly answer: 'declined' | 'refused';
}

const HOST = '127.0.0.1';
/** Below those that systems give to whoever asks for any: it must be free again when it is away. */
const PORTS = { from: 20_000, to: 30_000 } as const;
const PORTS_TRIED_MAX = 20;
/** Longer than a client keeps an idle connection, so that the client closes it. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** So that payments meet it in either state, and inquiries find it in time. */
const STATE_LASTS_MS = 3_000;
/** The merchant may not take this here; with the advice of its issuer, another route may. */
export const NOT_SET_UP = '800.100.190';
const ANOTHER_ROUTE = '22';
/** Of cards whose issuers give that advice. */
const ADVISED = '5';

/**
 * An acquirer of the simulator's interface that never books anything: it declines cards of MASTER and
 * refuses all others, and every few seconds it is away, so that nobody can connect to it.
 */
export class UnwillingAcquirer {
  readonly #asked: AskedTransaction[] = [];
  readonly #server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    (request, response) => {
      // Whoever asks may be killed meanwhile.
      this.#serve(request, response).catch(() => response.destroy());
    },
  );
  #port = 0;
  #isAway = true;
  #arriving: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** In the order of their arrival. */
  get asked(): readonly AskedTransaction[] {
    return this.#asked;
  }

  /** Where it is whenever it is there. */
  get address(): string {
    return `http://${HOST}:${this.#port}`;
  }

  /** Begins to answer, and to be away from time to time. */
  async start(): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      this.#port = randomInt(PORTS.from, PORTS.to);
      try {
        await this.#arrive();
        break;
      } catch (error) {
        if (tried === PORTS_TRIED_MAX) throw error;
      }
    }
    this.#timer = setInterval(() => {
      if (this.#isAway) void this.#arrive().catch(() => undefined);
      else this.#leave();
    }, STATE_LASTS_MS);
  }

  /** Is away no more: what it was asked last is found out. Throws if its port was taken meanwhile. */
  async stay(): Promise<void> {
    clearInterval(this.#timer);
    await (this.#isAway ? this.#arrive() : this.#arriving);
  }

  /** Ends it. */
  close(): void {
    clearInterval(this.#timer);
    if (!this.#isAway) this.#leave();
  }

  #arrive(): Promise<unknown> {
    this.#isAway = false;
    this.#server.listen(this.#port, HOST);
    this.#arriving = once(this.#server, 'listening');
    return this.#arriving;
  }

  #leave(): void {
    this.#isAway = true;
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, , named = ''] = (request.url ?? '').split('/');
    const isSubmission = request.method === 'POST' && named === '';
    const [status, body] = isSubmission
      ? this.#perform(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Submission)
      : this.#find(decodeURIComponent(named));
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  }

  #perform({ reference, card }: Submission): Answer {
    const answer = card?.number.startsWith(ADVISED) === true ? 'declined' : 'refused';
    this.#asked.push({ reference, answer });
    if (answer === 'declined') return this.#find(reference);
    return [400, { reference, error: { parameter: 'card', message: 'is not taken here.' } }];
  }

  /** Also the answer to a reversal: what was declined cannot be undone. */
  #find(reference: string): Answer {
    const place = this.#asked.findIndex((each) => each.reference === reference);
    if (this.#asked[place]?.answer !== 'declined') return [404, { reference, status: 'notFound' }];
    const declined = { status: 'declined', resultCode: NOT_SET_UP };
    const transactionId = `S${String(place).padStart(12, '0')}`;
    const resultDetails = { MerchantAdviceCode: ANOTHER_ROUTE };
    return [200, { ...declined, transactionId, reference, resultDetails }];
  }
}

/** As far as it is looked at; a payment that is no card's has none. */
interface Submission {
  readonly reference: string;
  readonly card?: { readonly number: string };
}

type Answer = readonly [status: number, body: object];
