import { Agent, request as httpRequest } from 'node:http';
import type { MerchantAccount } from './merchant-connection.js';

/** One payment of the load, as its sender saw it. */
export interface LoadSample {
  /** On the clock of `performance.now()`. */
  readonly sentAtMs: number;
  readonly tookMs: number;
  /** The result code, or what happened instead of an answer. */
  readonly outcome: string;
}

const SILENCE_MS = 40_000;
const APPROVED = '000.100.110';

/** Debits at a steady rate that nothing slows down, each with its time and outcome. */
export class PaymentLoad {
  readonly samples: LoadSample[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #underWay = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #sent = 0;

  constructor(
    private readonly url: string,
    private readonly account: MerchantAccount,
    private readonly fault?: string,
  ) {}

  /** Begins to send. */
  start(perSecond: number): void {
    const startedAt = performance.now();
    // Every tick sends what is due by the clock: a slow tick is made up for.
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startedAt) / 1_000) * perSecond;
      while (this.#sent < due) this.#send();
    }, 5);
  }

  /** Sends no more and waits for the answers. */
  async stop(): Promise<readonly LoadSample[]> {
    clearInterval(this.#timer);
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    this.#agent.destroy();
    return this.samples;
  }

  #send(): void {
    this.#sent += 1;
    const sentAtMs = performance.now();
    const work = this.#exchange().then((outcome) => {
      this.samples.push({ sentAtMs, tookMs: performance.now() - sentAtMs, outcome });
      this.#underWay.delete(work);
    });
    this.#underWay.add(work);
  }

  #exchange(): Promise<string> {
    return new Promise((resolve) => {
      const outgoing = httpRequest(`${this.url}/v1/payments`, {
        method: 'POST',
        agent: this.#agent,
        timeout: SILENCE_MS,
        headers: {
          Authorization: `Bearer ${this.account.accessToken}`,
          'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
        },
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('silence')));
      outgoing.on('error', (error) => resolve(error.message));
      outgoing.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', (error) => resolve(error.message));
        response.on('end', () => resolve(codeOf(text)));
      });
      outgoing.end(this.#form());
    });
  }

  #form(): string {
    return new URLSearchParams({
      entityId: this.account.entityId,
      paymentType: 'DB',
      amount: '92.00',
      currency: 'EUR',
      paymentBrand: 'VISA',
      'card.number': '4200000000000000',
      'card.holder': 'Jane Jones',
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
      'card.cvv': '123',
      ...(this.fault === undefined ? {} : { 'customParameters[simulator.fault]': this.fault }),
    }).toString();
  }
}

/** Those that did not end as asked. */
export function notApproved(samples: readonly LoadSample[]): readonly LoadSample[] {
  return samples.filter(({ outcome }) => outcome !== APPROVED);
}

/** The 99th percentile of their times. */
export function p99Ms(samples: readonly LoadSample[]): number {
  const times = samples.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
  return times[Math.ceil(times.length * 0.99) - 1] ?? 0;
}

function codeOf(text: string): string {
  try {
    return (JSON.parse(text) as { result?: { code?: string } }).result?.code ?? 'no result';
  } catch {
    return 'no JSON';
  }
}
