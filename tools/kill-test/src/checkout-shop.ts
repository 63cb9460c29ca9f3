import { isApproval } from './approvals.js';
import { fieldsOf } from './instruments.js';
import { attemptOf, isRepeatable } from './merchant-answers.js';
import { type MerchantAccount, MerchantConnection } from './merchant-connection.js';
import { decimal, simulatorFields } from './payment-form.js';
import type { PlannedRequest } from './plan.js';
import type { Attempt } from './records.js';
import { after } from './times.js';

const PENDING = '000.200.000';
const NOT_PERFORMED = '900.100.310';
const NO_SESSION = '200.300.404';
const SAVED = '000.200.101';
/** A shopper whose answer was lost presses the button again. */
const AGAIN_AFTER_MS = 500;
const SUBMITS_MAX = 100;
const CREATIONS_MAX = 60;
/** Shops may read twice a minute; whoever asks more often is told to wait, which says nothing. */
const READ_AGAIN_AFTER_MS = 5_000;
/** Longer than a checkout is held by an edge that has died, and whatever is slow then. */
const TOLD_WITHIN_MS = 150_000;
/** Whoever is told that nothing came of it tries again so often. */
const ROUNDS_MAX = 3;

type Answered = Extract<Attempt, { readonly kind: 'answered' }>;

/** What the merchant's page of results was told in the end; `gone`: that there is no such checkout. */
export type Told = Answered | 'gone' | 'nothing';

/** A checkout as its shopper and its shop have seen it. */
export interface CheckoutRecord {
  readonly reference: string;
  /** Absent where none was made. */
  readonly id?: string;
  /** Every sending of the form, or of what was saved of it. */
  readonly submits: readonly Attempt[];
  /** Every time that it was only saved. */
  readonly saves: readonly Attempt[];
  /** What each return of the shopper ended with: the last one counts. */
  readonly told: readonly Told[];
  /** An answer to a status read was lost: it may have been the one that told the success. */
  readonly hasLostRead: boolean;
}

interface Entry extends CheckoutRecord {
  id?: string;
  readonly submits: Attempt[];
  readonly saves: Attempt[];
  readonly told: Told[];
  hasLostRead: boolean;
}

/**
 * A shop that makes checkouts, and its shoppers, who send the form without credentials, click twice and
 * send it again when nothing comes back; the shop asks what became of it when they return.
 */
export class CheckoutShop {
  readonly #entries: Entry[] = [];
  #url = '';

  constructor(
    private readonly account: MerchantAccount,
    private readonly connection: MerchantConnection,
    private readonly shoppers = new MerchantConnection(undefined),
  ) {}

  /** Where the gateway is from now on. */
  isAt(url: string): void {
    this.#url = url;
  }

  records(): readonly CheckoutRecord[] {
    return this.#entries;
  }

  close(): void {
    this.shoppers.close();
  }

  /** From the checkout to what the shop was told at last. */
  async sell(planned: PlannedRequest): Promise<Attempt> {
    const { reference } = planned;
    const entry: Entry = { reference, submits: [], saves: [], told: [], hasLostRead: false };
    this.#entries.push(entry);
    const id = await this.#create(planned);
    if (id === undefined) return { kind: 'notSent' };
    entry.id = id;
    for (let rounds = 1; rounds <= ROUNDS_MAX; rounds += 1) {
      await this.#submit(entry, rounds === 1 ? (planned.clicks ?? 1) : 1, planned.isSavedFirst);
      const told = await this.#read(entry);
      entry.told.push(told);
      if (typeof told === 'string' || told.code !== NOT_PERFORMED) break;
    }
    const told = entry.told.at(-1);
    return typeof told === 'object' ? told : { kind: 'indefinite', why: told ?? 'nothing' };
  }

  /** Of a checkout whose id was lost nobody hears any more. */
  async #create(planned: PlannedRequest): Promise<string | undefined> {
    const { entityId } = this.account;
    const { amountMinor = 0, operation, reference: merchantTransactionId } = planned;
    const form = new URLSearchParams({
      ...{ entityId, amount: decimal(amountMinor), currency: 'EUR', paymentType: operation },
      ...{ merchantTransactionId, ...simulatorFields(planned) },
    });
    for (let tries = 1; tries <= CREATIONS_MAX; tries += 1) {
      const target = `${this.#url}/v1/checkouts`;
      const attempt = attemptOf(await this.connection.post(target, form.toString(), {}));
      if (attempt.kind === 'answered' && attempt.id !== undefined) return attempt.id;
      await after(AGAIN_AFTER_MS, () => Promise.resolve());
    }
    return undefined;
  }

  /** Until something comes back that says what to do. */
  async #submit(entry: Entry, clicks: number, isSavedFirst = false): Promise<void> {
    const fields = fieldsOf('card', { reference: entry.reference, isProven: true });
    const click = async (): Promise<Attempt> => {
      const attempt = await this.#post(entry, isSavedFirst ? {} : fields);
      // Of what is not saved any more nothing is begun.
      if (!isSavedFirst || !isRefused(attempt)) entry.submits.push(attempt);
      return attempt;
    };
    let isToBeSaved = isSavedFirst;
    for (let tries = 1; tries <= SUBMITS_MAX; tries += 1) {
      if (isToBeSaved && !(await this.#save(entry, fields))) return;
      const answers = await Promise.all(Array.from({ length: tries === 1 ? clicks : 1 }, click));
      // A vault that was killed has no code any more: the shopper types it again.
      isToBeSaved = isSavedFirst && answers.some(isRefused);
      if (!isToBeSaved && answers.some(isSaid)) return;
      await after(AGAIN_AFTER_MS, () => Promise.resolve());
    }
  }

  /** Whether it is saved by now; otherwise there is something that says more of the checkout. */
  async #save(entry: Entry, fields: Readonly<Record<string, string>>): Promise<boolean> {
    for (let tries = 1; tries <= SUBMITS_MAX; tries += 1) {
      const attempt = await this.#post(entry, { ...fields, saveTransactionData: 'true' });
      entry.saves.push(attempt);
      if (isSaid(attempt)) return attempt.code === SAVED;
      await after(AGAIN_AFTER_MS, () => Promise.resolve());
    }
    return false;
  }

  async #post(entry: Entry, fields: Readonly<Record<string, string>>): Promise<Attempt> {
    const target = `${this.#url}/v1/checkouts/${entry.id ?? ''}/payment`;
    return attemptOf(await this.shoppers.post(target, new URLSearchParams(fields).toString(), {}));
  }

  /** As the page of results does: until it is told, or its shopper has gone. */
  async #read(entry: Entry): Promise<Told> {
    const { entityId } = this.account;
    const giveUpAtMs = performance.now() + TOLD_WITHIN_MS;
    while (performance.now() < giveUpAtMs) {
      const target = `${this.#url}/v1/checkouts/${entry.id ?? ''}/payment?entityId=${entityId}`;
      const attempt = attemptOf(await this.connection.get(target));
      if (attempt.kind === 'indefinite') entry.hasLostRead = true;
      if (isSaid(attempt)) {
        if (attempt.code === NO_SESSION && attempt.id === undefined) return 'gone';
        if (attempt.code !== PENDING) return attempt;
      }
      await after(READ_AGAIN_AFTER_MS, () => Promise.resolve());
    }
    return 'nothing';
  }
}

/** Nothing was begun: the checkout is over, or nothing is saved for it any more. */
function isRefused(attempt: Attempt): boolean {
  return attempt.kind === 'answered' && attempt.code === NO_SESSION && attempt.id === undefined;
}

/** Whether an answer says more than that one should ask again. */
function isSaid(attempt: Attempt): attempt is Answered {
  return attempt.kind === 'answered' && !isRepeatable(attempt.code);
}

/**
 * What a checkout's payment looks like in the merchant's books. What is pending may come to nothing, and
 * so may what was never asked for: `checkoutViolations` says what holds for those.
 */
export function attemptsInBooks({ submits, told }: CheckoutRecord): readonly Attempt[] {
  const answers = told.filter((one) => typeof one === 'object');
  return [...submits, ...answers].map((attempt): Attempt => {
    if (attempt.kind !== 'answered' || attempt.id === undefined) return attempt;
    return isApproval(attempt.code) || isDecline(attempt.code)
      ? attempt
      : { kind: 'indefinite', why: attempt.code };
  });
}

function isDecline(code: string): boolean {
  return code !== PENDING && code !== NOT_PERFORMED && !isRepeatable(code);
}
