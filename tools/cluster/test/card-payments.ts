import { setTimeout as pause } from 'node:timers/promises';

/** The demo channel, as the greeting of the sandbox prints it. */
const headers = { authorization: 'Bearer sluice-demo-access-token-for-sandboxes-only' };
const entityId = '8a8294174b7ecb28014b9699220015ca';
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
};
const PENDING = { 'customParameters[forceResultCode]': '000.200.000' };
const DECLINED = { 'customParameters[forceResultCode]': '800.100.155' };
const SECOND_MS = 1_000;

type Fields = Readonly<Record<string, string>>;

/** What becomes of a payment: how it begins, and what follows, each referring to the one before. */
const COURSES: readonly (readonly Fields[])[] = [
  [{ ...CARD, paymentType: 'DB' }, { paymentType: 'RF' }],
  [{ ...CARD, ...PENDING, paymentType: 'DB' }],
  [{ ...CARD, paymentType: 'DB' }, { paymentType: 'CB' }, { paymentType: 'CR' }],
  [{ ...CARD, ...DECLINED, paymentType: 'DB' }],
  [{ ...CARD, paymentType: 'PA' }, { paymentType: 'CP' }, { paymentType: 'RF' }],
];

/** Payments by card at a steady rate, each of which has one of a few courses. */
export class CardPayments {
  /** How often there was each result; one without a transaction is `refused` before its code. */
  readonly results = new Map<string, number>();
  readonly #begun: Promise<void>[] = [];
  readonly #ended = new AbortController();
  #running: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly perSecond: number,
  ) {}

  start(): void {
    this.#running = this.#run();
  }

  /** Begins no more, and waits for the answers. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await Promise.all(this.#begun);
  }

  async #run(): Promise<void> {
    const beganAtMs = Date.now();
    const { signal } = this.#ended;
    for (let made = 0; !signal.aborted; made += 1) {
      this.#begun.push(this.#course(made));
      const nextAtMs = beganAtMs + ((made + 1) * SECOND_MS) / this.perSecond;
      const waitMs = Math.max(0, nextAtMs - Date.now());
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Ends where something is not taken: a full machine has no time for everything. */
  async #course(number: number): Promise<void> {
    let path = '/v1/payments';
    for (const fields of COURSES[number % COURSES.length] ?? []) {
      const { id, result } = await this.#post(path, fields);
      const name = id === undefined ? `refused ${result.code}` : result.code;
      this.results.set(name, (this.results.get(name) ?? 0) + 1);
      if (id === undefined) return;
      path = `/v1/payments/${id}`;
    }
  }

  async #post(path: string, fields: Fields): Promise<Answer> {
    const money = { amount: '92.00', currency: 'EUR' };
    const body = new URLSearchParams({ entityId, ...money, ...fields });
    try {
      const answer = await fetch(`${this.url}${path}`, { method: 'POST', headers, body });
      return (await answer.json()) as Answer;
    } catch {
      return { result: { code: 'nothing' } };
    }
  }
}

interface Answer {
  readonly id?: string;
  readonly result: { readonly code: string };
}
