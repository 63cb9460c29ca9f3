import { poissonArrivalsMs } from '@sluice/bench';
import type { Attempt, Merchant, PlannedRequest } from '@sluice/kill-test';

/** One payment, as its merchant saw it. */
export interface Sample {
  readonly reference: string;
  /** On the clock of `performance.now()`. */
  readonly sentAtMs: number;
  readonly tookMs: number;
  /** The result code that the simulator was asked for. */
  readonly asked: string;
  readonly attempt: Attempt;
}

/** The result of a payment that nothing was asked of the simulator for. */
export const APPROVED = '000.100.110';
/** What one payment in ten asks for: an answer that is never the same would hide a mix-up. */
export const DECLINED = '800.100.152';
const DECLINED_EVERY = 10;
/** So many are paid with a card that was stored before, and the others with one that is sent. */
const STORED_EVERY = 3;
/** Longer than any drill; the schedule is made at once. */
const SCHEDULE_SECONDS = 1_800;
const TICK_MS = 2;
const AMOUNT_MIN_MINOR = 1_000;
const AMOUNTS = 9_000;

/** Debits at times that no answer moves, over kept connections, each with what became of it. */
export class PaymentFlow {
  readonly samples: Sample[] = [];
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  #paces = 0;

  constructor(
    private readonly merchant: Merchant,
    private readonly url: string,
    /** References begin with it, so that this drill's payments are known among others. */
    private readonly run: string,
    /** Cards that are stored, which pay in turn. */
    private readonly stored: readonly string[] = [],
  ) {}

  /** How many were sent. */
  get sent(): number {
    return this.#count;
  }

  /** From now on so many a second. */
  pace(perSecond: number): void {
    clearInterval(this.#timer);
    this.#paces += 1;
    const arrivals = poissonArrivalsMs(perSecond, SCHEDULE_SECONDS, this.#paces);
    const startedAt = performance.now();
    let next = 0;
    // Every tick sends what is due by the clock: a slow tick is made up for.
    this.#timer = setInterval(() => {
      const nowMs = performance.now() - startedAt;
      for (; (arrivals[next] ?? Infinity) <= nowMs; next += 1) this.#send();
    }, TICK_MS);
  }

  /** Sends no more and waits until every payment has ended for its merchant. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.merchant.settle();
  }

  #send(): void {
    this.#count += 1;
    const planned = paymentOf(this.run, this.#count, this.stored);
    const sentAtMs = performance.now();
    void this.merchant.send(this.url, planned)?.then((attempt) => {
      const tookMs = performance.now() - sentAtMs;
      const asked = planned.forcedCode ?? APPROVED;
      this.samples.push({ reference: planned.reference, sentAtMs, tookMs, asked, attempt });
    });
  }
}

/** The payment of a number: another amount each, so that answers cannot be mixed up unnoticed. */
export function paymentOf(
  run: string,
  number: number,
  stored: readonly string[] = [],
): PlannedRequest {
  const registrationId =
    number % STORED_EVERY === 0 ? stored[(number / STORED_EVERY) % stored.length] : undefined;
  return {
    reference: `${run}-${String(number).padStart(6, '0')}`,
    operation: 'DB',
    atMs: 0,
    amountMinor: AMOUNT_MIN_MINOR + (number % AMOUNTS),
    isFinal: false,
    isRepeatedLater: false,
    ...(number % DECLINED_EVERY === 0 ? { forcedCode: DECLINED } : {}),
    ...(registrationId === undefined ? {} : { registrationId }),
  };
}
