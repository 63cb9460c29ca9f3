/*
 * What one payment may do, written from the published rules of references alone (D-29 to D-33). It
 * imports nothing of the gateway, so that one mistake is not made twice.
 */

/** As merchants send them; the two further authorizations are named by what they ask for. */
export type OperationType =
  | 'DB'
  | 'PA'
  | 'CD'
  | 'CP'
  | 'RF'
  | 'RV'
  | 'RB'
  | 'RC'
  | 'CB'
  | 'CR'
  | 'INCREMENTAL_AUTH'
  | 'REAUTHORIZATION';

/** One request about a payment; amounts are minor units. */
export interface ModelOperation {
  readonly type: OperationType;
  /** The index of the operation that it refers to; absent for the first one. */
  readonly on?: number;
  /** Absent for a reversal of everything that is open. */
  readonly minor?: number;
  readonly isFinal?: boolean;
  readonly captureLimit?: number;
}

/** How far one operation has come; `failed` at the acquirer, `refused` by the gateway. */
export type Status = 'absent' | 'open' | 'approved' | 'failed' | 'refused';

/** A payment between two steps; all by the index of its operations. */
export interface PaymentModel {
  readonly operations: readonly ModelOperation[];
  readonly statuses: readonly Status[];
  /** What each one really took: a reversal without an amount takes what is open. */
  readonly taken: readonly number[];
  /** What a reauthorization gives back of the authorization before it. */
  readonly released: readonly number[];
  /** In which order they began. */
  readonly begun: readonly number[];
}

const AUTHORIZING = new Set<OperationType>(['PA', 'INCREMENTAL_AUTH', 'REAUTHORIZATION']);
const INCREASING = new Set<OperationType>(['INCREMENTAL_AUTH', 'REAUTHORIZATION']);
const CAPTURING = new Set<OperationType>(['CP', 'RC']);
const TAKING = new Set<OperationType>(['DB', 'RB', 'CP', 'RC']);
/** What an operation may refer to, and the code if it is something else or did not succeed. */
const REFERENCES: Readonly<Record<string, readonly [string, ReadonlySet<OperationType>]>> = {
  CP: ['700.400.510', AUTHORIZING],
  RC: ['700.400.560', AUTHORIZING],
  RF: ['700.400.520', TAKING],
  RV: ['700.400.530', new Set([...AUTHORIZING, 'DB', 'RB', 'CP'])],
  RB: ['700.300.100', new Set(['DB', 'CP'])],
  CB: ['700.400.550', new Set(['DB', 'RB', 'CP', 'CR'])],
  CR: ['700.400.420', new Set(['CB'])],
  INCREMENTAL_AUTH: ['700.100.700', AUTHORIZING],
  REAUTHORIZATION: ['700.100.700', AUTHORIZING],
};
const PENDING = '700.400.570';
const ENDED = '700.300.300';

/** A payment of which nothing has happened yet. */
export function newPayment(operations: readonly ModelOperation[]): PaymentModel {
  const none = operations.map(() => 0);
  return {
    operations,
    statuses: operations.map(() => 'absent'),
    taken: none,
    released: none,
    begun: none,
  };
}

/** The same payment with one operation further on. */
export function withStatus(payment: PaymentModel, index: number, status: Status): PaymentModel {
  return { ...payment, statuses: payment.statuses.with(index, status) };
}

/**
 * The payment once an operation was accepted, or the code that refuses it now.
 * @param countsLate what ended without success may have been booked late, and uses up amounts then
 */
export function accepted(
  payment: PaymentModel,
  index: number,
  countsLate = false,
): PaymentModel | string {
  const operation = payment.operations[index];
  if (operation === undefined) throw new RangeError(`the payment has no operation ${index}`);
  const sums = new Sums(payment, countsLate);
  const code = operation.on === undefined ? undefined : sums.refusal(operation, operation.on);
  if (code !== undefined) return code;
  // Chargebacks are facts that nobody is asked about (D-32).
  const isFact = operation.type === 'CB' || operation.type === 'CR';
  const released = operation.type === 'REAUTHORIZATION' ? Math.max(0, sums.rest()) : 0;
  return {
    ...withStatus(payment, index, isFact ? 'approved' : 'open'),
    taken: payment.taken.with(index, operation.minor ?? sums.everythingOpen(operation.on ?? index)),
    released: payment.released.with(index, released),
    begun: payment.begun.with(index, Math.max(...payment.begun) + 1),
  };
}

interface Entry extends ModelOperation {
  readonly index: number;
  readonly status: Status;
  readonly taken: number;
}

/** The sums of a payment, each made anew from its operations: there are few. */
class Sums {
  readonly #entries: readonly Entry[];

  constructor(
    private readonly payment: PaymentModel,
    private readonly countsLate: boolean,
  ) {
    this.#entries = payment.operations.map((operation, index) => ({
      ...operation,
      index,
      status: payment.statuses[index] ?? 'absent',
      taken: payment.taken[index] ?? 0,
    }));
  }

  /** In the order of D-29. */
  refusal({ type, minor = 0 }: ModelOperation, on: number): string | undefined {
    const referenced = this.#at(on);
    const [notThis, allowed] = REFERENCES[type] ?? ['', AUTHORIZING];
    if (referenced.status === 'open') return PENDING;
    if (!allowed.has(referenced.type) || referenced.status !== 'approved') return notThis;
    const isCharged = this.#chargedBack(this.#captureOf(on)) > 0;
    switch (type) {
      case 'CP':
      case 'RC':
        return this.#refusalOfCapture(minor);
      case 'RF':
        if (isCharged) return '700.300.600';
        return this.#isClosed(type, on) || minor > Math.min(this.#left(on), this.#leftOfAll())
          ? '700.400.200'
          : undefined;
      case 'RV':
        if (AUTHORIZING.has(referenced.type)) return this.#refusalOfRelease(minor, on);
        if (isCharged) return '700.300.600';
        return this.#left(on) !== referenced.taken ||
          (minor || referenced.taken) !== referenced.taken
          ? '700.400.300'
          : undefined;
      case 'CB':
        return isCharged || minor > this.#left(this.#captureOf(on)) ? '700.400.400' : undefined;
      case 'CR':
        return minor >
          referenced.taken -
            this.#sum((each) => each.type === 'CR' && each.on === on && isTaken(each))
          ? '700.400.410'
          : undefined;
      case 'INCREMENTAL_AUTH':
        if (this.#isOpen('REAUTHORIZATION') || this.#isReleasing()) return PENDING;
        return this.#hasEnded() ? ENDED : undefined;
      case 'REAUTHORIZATION':
        if (this.#isOpen('CP', 'RC', ...INCREASING) || this.#isReleasing()) return PENDING;
        return this.#hasEnded() ? ENDED : undefined;
      default:
        return undefined;
    }
  }

  /** What may still be captured or released of all authorizations: they are one pool. */
  rest(): number {
    const authorized = this.#sum(
      ({ type, status }) => AUTHORIZING.has(type) && status === 'approved',
    );
    const givenBack = this.#entries.reduce(
      (sum, { index, status }) =>
        sum + (status === 'approved' ? (this.payment.released[index] ?? 0) : 0),
      0,
    );
    const used = this.#sum(
      (each) => (CAPTURING.has(each.type) || this.#isRelease(each)) && this.#uses(each),
    );
    return authorized - givenBack - used;
  }

  everythingOpen(on: number): number {
    return AUTHORIZING.has(this.#at(on).type) ? this.#releasable(on) : this.#at(on).taken;
  }

  #refusalOfCapture(minor: number): string | undefined {
    if (this.#isOpen('REAUTHORIZATION')) return PENDING;
    const limit = this.#at(0).captureLimit ?? Infinity;
    const captures = this.#entries.filter((each) => CAPTURING.has(each.type) && isTaken(each));
    const isClosed = captures.some(({ isFinal }) => isFinal);
    return isClosed || captures.length >= limit || minor > this.rest() ? '700.400.100' : undefined;
  }

  #refusalOfRelease(minor: number, on: number): string | undefined {
    if (this.#isOpen('CP', 'RC', ...INCREASING)) return PENDING;
    const isClosed = this.#entries.some(
      (e) => this.#isRelease(e) && e.isFinal === true && isTaken(e),
    );
    const open = this.#releasable(on);
    return isClosed || open <= 0 || minor > open ? '700.400.300' : undefined;
  }

  /** By the id of an increment what is left of it, unless a reauthorization has taken it over. */
  #releasable(on: number): number {
    const { type, taken } = this.#at(on);
    if (type !== 'INCREMENTAL_AUTH') return this.rest();
    const begun = (index: number): number => this.payment.begun[index] ?? 0;
    const isOver = this.#entries.some(
      (each) =>
        each.type === 'REAUTHORIZATION' &&
        each.status === 'approved' &&
        begun(each.index) > begun(on),
    );
    const left =
      taken - this.#sum((each) => each.type === 'RV' && each.on === on && this.#uses(each));
    return isOver ? 0 : Math.min(left, this.rest());
  }

  /** What may still be given back of a debit or capture. */
  #left(capture: number): number {
    const used = this.#sum(
      (each) =>
        (each.type === 'RF' || each.type === 'RV') && each.on === capture && this.#uses(each),
    );
    return this.#at(capture).taken - used - this.#chargedBack(capture);
  }

  #leftOfAll(): number {
    return this.#entries
      .filter(({ type, status }) => TAKING.has(type) && status === 'approved')
      .reduce((sum, { index }) => sum + this.#left(index), 0);
  }

  #chargedBack(capture: number): number {
    const of = (type: OperationType): number =>
      this.#sum(
        (each) =>
          each.type === type &&
          each.status === 'approved' &&
          this.#captureOf(each.index) === capture,
      );
    return of('CB') - of('CR');
  }

  #captureOf(index: number): number {
    const { type, on } = this.#at(index);
    return TAKING.has(type) || on === undefined ? index : this.#captureOf(on);
  }

  /** Over once closed by FINAL or given back to the last unit. */
  #hasEnded(): boolean {
    const isReleased = this.#entries.some((each) => this.#isRelease(each) && isTaken(each));
    const isClosed = this.#entries.some(
      (each) => CAPTURING.has(each.type) && each.isFinal === true && isTaken(each),
    );
    return isClosed || (isReleased && this.rest() <= 0);
  }

  #isReleasing(): boolean {
    return this.#entries.some((each) => this.#isRelease(each) && each.status === 'open');
  }

  #isRelease({ type, on }: Entry): boolean {
    return type === 'RV' && on !== undefined && AUTHORIZING.has(this.#at(on).type);
  }

  #isOpen(...types: readonly OperationType[]): boolean {
    return this.#entries.some(({ type, status }) => status === 'open' && types.includes(type));
  }

  #isClosed(by: OperationType, on: number): boolean {
    return this.#entries.some(
      (each) => each.type === by && each.on === on && each.isFinal === true && isTaken(each),
    );
  }

  #uses(entry: Entry): boolean {
    return isTaken(entry) || (this.countsLate && entry.status === 'failed');
  }

  #sum(filter: (entry: Entry) => boolean): number {
    return this.#entries.reduce((sum, entry) => sum + (filter(entry) ? entry.taken : 0), 0);
  }

  #at(index: number): Entry {
    const entry = this.#entries[index];
    if (entry === undefined) throw new RangeError(`the payment has no operation ${index}`);
    return entry;
  }
}

/** Approved, or perhaps approved: both use up an amount (R-MON-01). */
function isTaken({ status }: Entry): boolean {
  return status === 'approved' || status === 'open';
}
