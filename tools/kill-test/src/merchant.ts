import { isApproval } from './approvals.js';
import { CARD } from './instruments.js';
import {
  type Exchange,
  type MerchantAccount,
  MerchantConnection,
  PATIENCE_MS,
} from './merchant-connection.js';
import { paymentForm } from './payment-form.js';
import type { PlannedRequest } from './plan.js';
import type { Attempt, MerchantRequest } from './records.js';
import { visit } from './shopper.js';

const HOUR_MS = 3_600_000;
const PENDING = '000.200.000';
/** Busy, throttled, infrastructure down: nothing was executed, the same key may be sent again. */
const REPEATABLE: ReadonlySet<string> = new Set(['800.600.100', '800.120.100', '800.800.800']);
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
  readonly #connection: MerchantConnection;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Set<Promise<void>>();
  #skipped = 0;
  #shoppers = 0;

  constructor(account: MerchantAccount) {
    this.#account = account;
    this.#connection = new MerchantConnection(account);
  }

  /** Requests that name what the merchant knows no id of: never sent. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Shoppers whose choice the provider took. */
  get shoppers(): number {
    return this.#shoppers;
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
    return [...this.#entries.values()].map(({ planned, attempts }) => ({
      reference: planned.reference,
      operation: planned.operation,
      currency: 'EUR',
      attempts,
      ...(planned.amountMinor === undefined ? {} : { amountMinor: BigInt(planned.amountMinor) }),
      ...(planned.refersTo === undefined ? {} : { refersTo: planned.refersTo }),
      ...(planned.fault === undefined ? {} : { fault: planned.fault }),
      ...(planned.forcedCode === undefined ? {} : { forcedCode: planned.forcedCode }),
      ...(planned.storesCard === true && { storesCard: true }),
      ...(planned.instrument === undefined ? {} : { instrument: planned.instrument }),
      ...(planned.begins === undefined ? {} : { begins: planned.begins }),
      ...(planned.continues === undefined ? {} : { continues: planned.continues }),
      ...(planned.storedBy === undefined ? {} : { storedBy: planned.storedBy }),
      ...(planned.idempotencyKey === undefined ? {} : { idempotencyKey: planned.idempotencyKey }),
    }));
  }

  /**
   * Sends a planned request now; its copy follows by itself. Returns how the first try ended, or
   * undefined when the request was not sent.
   */
  send(url: string, planned: PlannedRequest): Promise<Attempt> | undefined {
    const { refersTo, continues, storedBy } = planned;
    const named = {
      referencedId: this.#approval(refersTo)?.id,
      agreementId: this.#approval(continues)?.id,
      storedId: this.#approval(storedBy)?.registrationId,
    };
    // Nobody refers to a payment, or goes on with what it has begun, before it is approved.
    const wanted = [refersTo, continues, storedBy].filter((each) => each !== undefined);
    if (Object.values(named).filter((id) => id !== undefined).length < wanted.length) {
      this.#skipped += 1;
      return undefined;
    }
    const { referencedId } = named;
    const form = paymentForm(this.#account.entityId, planned, named);
    const entry: Entry = { planned, form, referencedId, attempts: [] };
    this.#entries.set(planned.reference, entry);
    const attempt = this.#try(url, entry);
    if (planned.copyAfterMs !== undefined) {
      setTimeout(() => {
        void this.#try(url, entry);
      }, planned.copyAfterMs);
    }
    return attempt;
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

  /** `GET /v1/payments/{id}`; throws when there is no answer. */
  async read(url: string, id: string): Promise<{ status: number; code: string; id?: string }> {
    const attempt = await this.#get(url, `/v1/payments/${id}`);
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

  /** `GET /v1/registrations/{id}`; throws when there is no answer. */
  async readRegistration(url: string, id: string): Promise<{ status: number; code: string }> {
    const attempt = await this.#get(url, `/v1/registrations/${id}`);
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
  }

  async #get(url: string, path: string): Promise<Attempt> {
    const target = `${url}${path}?entityId=${this.#account.entityId}`;
    return attemptOf(await this.#connection.get(target));
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
    const exchanged = this.#connection.post(url + path, form, headers).then(attemptOf);
    const work = exchanged.then(async (attempt) => {
      attempts.push(attempt);
      await this.#sendShopper(planned, attempt);
      this.#underWay.delete(work);
    });
    this.#underWay.add(work);
    return exchanged;
  }

  async #sendShopper({ shopper }: PlannedRequest, attempt: Attempt): Promise<void> {
    if (shopper === undefined || attempt.kind !== 'answered') return;
    const { redirectUrl } = attempt;
    if (redirectUrl !== undefined && (await visit(redirectUrl, shopper))) this.#shoppers += 1;
  }
}

/** A definite answer needs no repetition; pending is definite: the payment exists (D-34). */
function isDefinite(attempts: readonly Attempt[]): boolean {
  return attempts.some(
    (attempt) =>
      attempt.kind === 'answered' && !REPEATABLE.has(attempt.code) && attempt.code !== UNCERTAIN,
  );
}

/** What an answer has that matters here. */
interface Body {
  readonly id?: string;
  readonly registrationId?: string;
  readonly redirect?: { readonly url: string };
  readonly result?: { readonly code?: string };
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

function attemptOf(exchange: Exchange): Attempt {
  if (exchange.kind !== 'answered') return exchange;
  const { status, text } = exchange;
  try {
    const { id, registrationId, redirect, result } = JSON.parse(text) as Body;
    return {
      ...{ kind: 'answered', status, code: result?.code ?? '' },
      ...(id !== undefined && { id }),
      ...(registrationId !== undefined && { registrationId }),
      ...(redirect !== undefined && { redirectUrl: redirect.url }),
    };
  } catch {
    // Half an answer is none.
    return { kind: 'indefinite', why: `HTTP ${String(status)} without JSON` };
  }
}
