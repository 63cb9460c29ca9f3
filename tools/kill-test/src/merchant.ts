import { isApproval } from './approvals.js';
import { CARD, type InstrumentName, isStoredOnce, isWallet } from './instruments.js';
import { attemptsInBooks, type CheckoutRecord, CheckoutShop } from './checkout-shop.js';
import { attemptOf, isRepeatable } from './merchant-answers.js';
import { type MerchantAccount, MerchantConnection, PATIENCE_MS } from './merchant-connection.js';
import { type Learnt, paymentForm } from './payment-form.js';
import type { PlannedRequest } from './plan.js';
import type { Attempt, MerchantRequest } from './records.js';
import { visit } from './shopper.js';
import { ShopperDevices } from './shopper-devices.js';

const HOUR_MS = 3_600_000;
const PENDING = '000.200.000';
const UNCERTAIN = '900.100.300';
interface Entry {
  readonly planned: PlannedRequest;
  readonly form: string;
  readonly referencedId: string | undefined;
  readonly attempts: Attempt[];
}

/**
 * A merchant who keeps books: everything sent, everything answered, and what was never answered.
 * Repeats a request only under its idempotency key, as the interface family asks for.
 */
export class Merchant {
  readonly #account: MerchantAccount;
  readonly #entityIdStoringOnce: string;
  readonly #devices = new ShopperDevices();
  readonly #connection: MerchantConnection;
  readonly #shop: CheckoutShop;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Set<Promise<void>>();
  #skipped = 0;
  #shoppers = 0;

  /** @param entityIdStoringOnce of the channel that has one registration for each account, if there is one */
  constructor(account: MerchantAccount, entityIdStoringOnce = account.entityId) {
    this.#account = account;
    this.#entityIdStoringOnce = entityIdStoringOnce;
    this.#connection = new MerchantConnection(account);
    this.#shop = new CheckoutShop(account, this.#connection);
  }

  /** Requests that name what the merchant knows no id of, or that need a token which nobody made: never sent. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Shoppers whose choice the provider took. */
  get shoppers(): number {
    return this.#shoppers;
  }

  /** From now on the devices of shoppers are at this address: the simulator's wallets. */
  takeTokensFrom(walletsUrl: string): void {
    this.#devices.areAt(walletsUrl);
  }

  /** What was answered pending, whatever became of it. */
  pendingIds(): readonly string[] {
    return [...this.#entries.values()].flatMap(({ attempts }) =>
      attempts.flatMap((attempt) =>
        attempt.kind === 'answered' && attempt.code === PENDING ? (attempt.id ?? []) : [],
      ),
    );
  }

  /** The merchant's books. */
  records(): readonly MerchantRequest[] {
    const byReference = new Map(this.#shop.records().map((each) => [each.reference, each]));
    return [...this.#entries.values()].map(({ planned, attempts }) => ({
      reference: planned.reference,
      operation: planned.operation,
      currency: 'EUR',
      ...booked(attempts, byReference.get(planned.reference)),
      ...(planned.amountMinor === undefined ? {} : { amountMinor: BigInt(planned.amountMinor) }),
      ...(planned.refersTo === undefined ? {} : { refersTo: planned.refersTo }),
      ...(planned.fault === undefined ? {} : { fault: planned.fault }),
      ...(planned.forcedCode === undefined ? {} : { forcedCode: planned.forcedCode }),
      ...(planned.storesCard === true && { storesCard: true }),
      ...(planned.instrument === undefined ? {} : { instrument: planned.instrument }),
      ...(planned.begins === undefined ? {} : { begins: planned.begins }),
      ...(planned.continues === undefined ? {} : { continues: planned.continues }),
      ...(planned.storedBy === undefined ? {} : { storedBy: planned.storedBy }),
      ...(planned.tokenOf === undefined ? {} : { tokenOf: planned.tokenOf }),
      ...(planned.idempotencyKey === undefined ? {} : { idempotencyKey: planned.idempotencyKey }),
    }));
  }

  /** Checkouts, and what their shoppers and the page of results have seen. */
  checkouts(): readonly CheckoutRecord[] {
    return this.#shop.records();
  }

  /**
   * Sends a planned request now, or once a shopper's device has made its token; its copy follows by
   * itself. Returns how the first try ended, or undefined when the request cannot be sent.
   */
  send(url: string, planned: PlannedRequest): Promise<Attempt> | undefined {
    this.#shop.isAt(url);
    if (planned.clicks !== undefined) return this.#sell(planned);
    const { refersTo, continues, storedBy } = planned;
    const learnt = {
      referencedId: this.#approval(refersTo)?.id,
      agreementId: this.#approval(continues)?.id,
      storedId: this.#approval(storedBy)?.registrationId,
    };
    // Nobody refers to a payment, or goes on with what it has begun, before it is approved.
    const wanted = [refersTo, continues, storedBy].filter((each) => each !== undefined);
    if (Object.values(learnt).filter((id) => id !== undefined).length < wanted.length) {
      this.#skipped += 1;
      return undefined;
    }
    if (refersTo !== undefined || !isWallet(planned.instrument)) {
      return this.#begin(url, planned, learnt);
    }
    const { entityId } = this.#account;
    const begun = this.#devices.tokenFor(planned, entityId).then((token) => {
      if (token !== undefined) return this.#begin(url, planned, { ...learnt, token });
      this.#skipped += 1;
      return { kind: 'notSent' } as const;
    });
    this.#track(begun.then(() => undefined));
    return begun;
  }

  /**
   * After a start: every keyed request without a definite answer is repeated with its key, and the
   * planned share of the answered ones too. Returns how many.
   */
  repeatKeyed(url: string, since: ReadonlySet<string>): number {
    let repeated = 0;
    for (const entry of this.#entries.values()) {
      const { idempotencyKey, isRepeatedLater, reference } = entry.planned;
      if (idempotencyKey === undefined) continue;
      if (isDefinite(entry.attempts) && !(isRepeatedLater && since.has(reference))) continue;
      void this.#try(url, entry);
      repeated += 1;
    }
    return repeated;
  }

  /** Waits until nothing is under way; silence ends by the merchant's own patience. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /**
   * `GET /v1/payments/{id}`; throws when there is no answer.
   * @param reference of the request: the one whose channel has it
   */
  async read(
    url: string,
    id: string,
    reference?: string,
  ): Promise<{ status: number; code: string; id?: string }> {
    const attempt = await this.#get(`${url}/v1/payments/${id}`, reference);
    if (attempt.kind !== 'answered') throw new Error(`GET ${id}: ${attempt.kind}`);
    return attempt;
  }

  /** Stores a card and returns its registration; throws when it is not stored. */
  async store(url: string): Promise<string> {
    const { entityId } = this.#account;
    const form = new URLSearchParams({ entityId, ...CARD }).toString();
    const attempt = attemptOf(await this.#connection.post(`${url}/v1/registrations`, form, {}));
    const isStored = attempt.kind === 'answered' && isApproval(attempt.code);
    if (isStored && attempt.id !== undefined) return attempt.id;
    throw new Error(`a card was not stored: ${JSON.stringify(attempt)}`);
  }

  /**
   * `GET /v1/registrations/{id}`; throws when there is no answer.
   * @param reference of the request that was answered with it
   */
  async readRegistration(
    url: string,
    id: string,
    reference?: string,
  ): Promise<{ status: number; code: string; id?: string }> {
    const attempt = await this.#get(`${url}/v1/registrations/${id}`, reference);
    if (attempt.kind !== 'answered') throw new Error(`GET ${id}: ${attempt.kind}`);
    return attempt;
  }

  /** `GET /v3/query` by time, newest first: whether reporting has found it approved. */
  async finds(url: string, id: string): Promise<boolean> {
    const query = new URLSearchParams({
      entityId: this.#account.entityId,
      'date.from': dateText(Date.now() - HOUR_MS),
      'date.to': dateText(Date.now() + HOUR_MS),
      limit: '500',
    });
    const headers = { Authorization: `Bearer ${this.#account.accessToken}` };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const response = await fetch(`${url}/v3/query?${String(query)}`, { headers, signal });
      const { records = [] } = (await response.json()) as { readonly records?: readonly Found[] };
      return records.some((found) => found.id === id && isApproval(found.result.code));
    } catch {
      return false;
    }
  }

  close(): void {
    this.#connection.close();
    this.#shop.close();
  }

  /** By a checkout, and its shopper. */
  #sell(planned: PlannedRequest): Promise<Attempt> {
    const entry: Entry = { planned, form: '', referencedId: undefined, attempts: [] };
    this.#entries.set(planned.reference, entry);
    const sold = this.#shop.sell(planned);
    this.#track(
      sold.then((attempt) => {
        entry.attempts.push(attempt);
      }),
    );
    return sold;
  }

  #begin(
    url: string,
    planned: PlannedRequest,
    learnt: Learnt & { readonly referencedId: string | undefined },
  ): Promise<Attempt> {
    const form = paymentForm(this.#entityOf(planned.instrument), planned, learnt);
    const entry: Entry = { planned, form, referencedId: learnt.referencedId, attempts: [] };
    this.#entries.set(planned.reference, entry);
    const attempt = this.#try(url, entry);
    if (planned.copyAfterMs !== undefined) {
      setTimeout(() => {
        void this.#try(url, entry);
      }, planned.copyAfterMs);
    }
    return attempt;
  }

  #entityOf(instrument: InstrumentName | undefined): string {
    return isStoredOnce(instrument) ? this.#entityIdStoringOnce : this.#account.entityId;
  }

  async #get(target: string, reference = ''): Promise<Attempt> {
    const entityId = this.#entityOf(this.#entries.get(reference)?.planned.instrument);
    return attemptOf(await this.#connection.get(`${target}?entityId=${entityId}`));
  }

  #approval(reference: string | undefined): Extract<Attempt, { kind: 'answered' }> | undefined {
    const attempts = this.#entries.get(reference ?? '')?.attempts ?? [];
    for (const attempt of attempts) {
      if (attempt.kind === 'answered' && isApproval(attempt.code)) return attempt;
    }
    return undefined;
  }

  #try(url: string, entry: Entry): Promise<Attempt> {
    const { planned, form, referencedId, attempts } = entry;
    const path = referencedId === undefined ? '/v1/payments' : `/v1/payments/${referencedId}`;
    const headers =
      planned.idempotencyKey === undefined ? {} : { 'Idempotency-Key': planned.idempotencyKey };
    const sentAtMs = Date.now();
    const exchanged = this.#connection.post(url + path, form, headers).then((exchange) => {
      const attempt = attemptOf(exchange);
      return attempt.kind === 'answered'
        ? { ...attempt, sentAtMs, answeredAtMs: Date.now() }
        : attempt;
    });
    this.#track(
      exchanged.then(async (attempt) => {
        attempts.push(attempt);
        await this.#sendShopper(planned, attempt);
      }),
    );
    return exchanged;
  }

  /** Nothing is settled before it is over. */
  #track(step: Promise<void>): void {
    const work = step.then(() => {
      this.#underWay.delete(work);
    });
    this.#underWay.add(work);
  }

  async #sendShopper({ shopper }: PlannedRequest, attempt: Attempt): Promise<void> {
    if (shopper === undefined || attempt.kind !== 'answered') return;
    const { redirectUrl } = attempt;
    if (redirectUrl !== undefined && (await visit(redirectUrl, shopper))) this.#shoppers += 1;
  }
}

/** What a request has in the books; a checkout has what its shopper and its page of results were told. */
function booked(
  attempts: readonly Attempt[],
  checkout: CheckoutRecord | undefined,
): Pick<MerchantRequest, 'attempts' | 'isByCheckout'> {
  return checkout === undefined
    ? { attempts }
    : { attempts: attemptsInBooks(checkout), isByCheckout: true };
}

/** A definite answer needs no repetition; pending is definite: the payment exists (D-34). */
function isDefinite(attempts: readonly Attempt[]): boolean {
  return attempts.some(
    (attempt) =>
      attempt.kind === 'answered' && !isRepeatable(attempt.code) && attempt.code !== UNCERTAIN,
  );
}

/** A transaction in the answer to a query. */
interface Found {
  readonly id: string;
  readonly result: { readonly code: string };
}

/** `yyyy-MM-dd HH:mm:ss`. */
function dateText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
