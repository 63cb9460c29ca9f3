import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID } from '@sluice/domain-accounts';
import {
  after,
  type Attempt,
  attemptOf,
  MerchantConnection,
  type MerchantRequest,
} from '@sluice/kill-test';
import { PENDING } from './open-payments.js';
import { APPROVED } from './payment-flow.js';

/** One payment whose shopper is asked by his issuer. */
export interface ChallengedPayment {
  readonly reference: string;
  readonly amountMinor: bigint;
  /** What its merchant was answered: that it waits, and what became of it. */
  readonly attempts: readonly Attempt[];
  /** Whether the shopper has answered before all was new. */
  readonly isMeanwhile: boolean;
  /** From the shopper's answer until the merchant knew; absent where he never came so far. */
  readonly tookMs?: number;
  /** What went wrong, and where; absent: all was as it should be. */
  readonly failure?: string;
}

/** Does something while browsers here reach the issuers' pages, at the address that it is told. */
export type WithIssuers = <T>(work: (issuersUrl: string) => Promise<T>) => Promise<T>;

/** A public test card whose issuer asks for the code of a text message, which its page says. */
const CHALLENGED = '4200000000000018';
const CODE = '123456';
const SHOP = 'https://shop.example/result';
const AMOUNT_MINOR = 9_200;
const MINOR_PER_MAJOR = 100;
const FORM = {
  ...{ entityId: DEMO_ENTITY_ID, currency: 'EUR', paymentType: 'DB', paymentBrand: 'VISA' },
  ...{ 'card.number': CHALLENGED, 'card.holder': 'Jane Jones', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', shopperResultUrl: SHOP },
  ...{ 'customer.browser.acceptHeader': 'text/html', 'customer.browser.language': 'de' },
  ...{ 'customer.browser.screenHeight': '900', 'customer.browser.screenWidth': '1440' },
  ...{ 'customer.browser.timezone': '-60', 'customer.browser.userAgent': 'Mozilla/5.0' },
  'customer.browser.javaEnabled': 'false',
};
const SEE_OTHER = 303;
const PATIENCE_MS = 35_000;
/** Between two answers of shoppers: a handful of them covers an update, with the end of what was before. */
const PAUSE_MS = 3_000;
const READ_AGAIN_AFTER_MS = 1_000;
/** A result that its issuer could not tell at once is told within seconds. */
const READS_MAX = 30;

/** Why this payment was not made. */
class ChallengeFailed extends Error {
  override readonly name = 'ChallengeFailed';
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Open {
  readonly payment: Writable<ChallengedPayment>;
  readonly id: string;
  readonly redirectUrl: string;
  /** The issuer's page, as seen from the issuers' address. */
  readonly page: string;
}

/**
 * Shoppers who are asked by their issuers while everything is updated: each is led to the issuer's page,
 * stays there, answers, and comes back; then the merchant reads what became of it. Nobody tries anything
 * twice but the merchant, who may be told that it waits.
 */
export class Challenges {
  readonly payments: Writable<ChallengedPayment>[] = [];
  readonly #merchant = new MerchantConnection({
    ...{ entityId: DEMO_ENTITY_ID, accessToken: DEMO_ACCESS_TOKEN },
  });
  readonly #open: Open[] = [];

  constructor(
    private readonly url: string,
    /** References begin with it. */
    private readonly run: string,
    private readonly withIssuers: WithIssuers,
  ) {}

  /** So many shoppers come to their issuers, and stay there. */
  async open(challenges: number): Promise<void> {
    const begun: Omit<Open, 'page'>[] = [];
    for (let number = 1; number <= challenges; number += 1) {
      const payment = {
        reference: `${this.run}-c${String(number).padStart(5, '0')}`,
        ...{ amountMinor: BigInt(AMOUNT_MINOR + number), attempts: [], isMeanwhile: false },
      };
      this.payments.push(payment);
      await noted(payment, async () => {
        begun.push(await this.#pay(payment));
      });
    }
    await this.withIssuers(async (issuersUrl) => {
      for (const each of begun) {
        await noted(each.payment, async () => {
          this.#open.push({ ...each, page: await this.#arrive(each.redirectUrl, issuersUrl) });
        });
      }
    });
  }

  /** The next so many answer and are done; all that are left, if nothing is said. */
  async answer(challenges: number = this.#open.length, isMeanwhile = false): Promise<void> {
    for (const each of this.#open.splice(0, challenges)) {
      each.payment.isMeanwhile = isMeanwhile;
      await noted(each.payment, () => this.#answer(each));
      if (isMeanwhile) await after(PAUSE_MS, () => Promise.resolve());
    }
  }

  close(): void {
    this.#merchant.close();
  }

  async #pay(payment: Writable<ChallengedPayment>): Promise<Omit<Open, 'page'>> {
    const amount = (Number(payment.amountMinor) / MINOR_PER_MAJOR).toFixed(2);
    const form = { ...FORM, amount, merchantTransactionId: payment.reference };
    const target = `${this.url}/v1/payments`;
    const told = await this.#merchant.post(target, new URLSearchParams(form).toString(), {});
    const attempt = attemptOf(told);
    payment.attempts = [attempt];
    if (attempt.kind !== 'answered') throw new ChallengeFailed(`payment: ${attempt.kind}`);
    const { code, id, redirectUrl } = attempt;
    if (code !== PENDING || id === undefined || redirectUrl === undefined) {
      throw new ChallengeFailed(`payment: ${code} without redirect`);
    }
    return { payment, id, redirectUrl };
  }

  /** Along the gateway's page to the issuer's; where that is. */
  async #arrive(redirectUrl: string, issuersUrl: string): Promise<string> {
    const onward = await this.#shown('redirect', redirectUrl);
    const { pathname } = new URL(found('redirect', /action="([^"]*)"/u, onward.text));
    const creq = found('redirect', /name="creq" value="([^"]*)"/u, onward.text);
    const page = await this.#shown('issuer', `${issuersUrl}${pathname}`, { creq });
    found('issuer', /name="answer"()/u, page.text);
    return new URL(page.url).pathname;
  }

  async #answer({ payment, id, redirectUrl, page }: Open): Promise<void> {
    const fromMs = performance.now();
    const cres = await this.withIssuers(async (issuersUrl) => {
      const last = await this.#shown('code', `${issuersUrl}${page}`, { answer: CODE });
      return found('code', /name="cres" value="([^"]*)"/u, last.text);
    });
    const { status } = await browse('return', `${redirectUrl}/return`, { cres });
    if (status !== SEE_OTHER) throw new ChallengeFailed(`return: HTTP ${String(status)}`);
    payment.attempts = [...payment.attempts, await this.#outcome(id)];
    payment.tookMs = performance.now() - fromMs;
  }

  async #outcome(id: string): Promise<Attempt> {
    for (let reads = 1; ; reads += 1) {
      const target = `${this.url}/v1/payments/${id}?entityId=${DEMO_ENTITY_ID}`;
      const told = attemptOf(await this.#merchant.get(target));
      if (told.kind !== 'answered') throw new ChallengeFailed(`status: ${told.kind}`);
      if (told.code === APPROVED) return told;
      if (told.code !== PENDING || reads >= READS_MAX) {
        throw new ChallengeFailed(`status: HTTP ${String(told.status)} ${told.code}`);
      }
      await after(READ_AGAIN_AFTER_MS, () => Promise.resolve());
    }
  }

  async #shown(
    step: string,
    target: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; readonly text: string }> {
    const { status, url, text } = await browse(step, target, form, 'follow');
    if (status !== 200) throw new ChallengeFailed(`${step}: HTTP ${String(status)}`);
    return { url, text };
  }
}

/** As the merchant's books have it. */
export function challengeInBooks(payment: ChallengedPayment): MerchantRequest {
  const { reference, amountMinor, attempts } = payment;
  return { reference, operation: 'DB', amountMinor, currency: 'EUR', attempts };
}

async function noted(payment: Writable<ChallengedPayment>, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ChallengeFailed)) throw error;
    payment.failure = error.message;
  }
}

async function browse(
  step: string,
  target: string,
  form?: Readonly<Record<string, string>>,
  redirect: 'follow' | 'manual' = 'manual',
): Promise<{ readonly status: number; readonly url: string; readonly text: string }> {
  const sent =
    form === undefined ? {} : ({ method: 'POST', body: new URLSearchParams(form) } as const);
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(target, { ...sent, redirect, signal });
    return { status: answer.status, url: answer.url, text: await answer.text() };
  } catch (error) {
    // Of a connection that broke, fetch says why in the cause.
    const { cause = error } = error as Error;
    throw new ChallengeFailed(`${step}: ${(cause as Error).message}`);
  }
}

function found(step: string, pattern: RegExp, text: string): string {
  const [, value] = pattern.exec(text) ?? [];
  if (value === undefined) throw new ChallengeFailed(`${step}: another page than is expected`);
  return value;
}
