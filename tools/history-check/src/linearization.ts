import {
  accepted,
  type ModelOperation,
  newPayment,
  type PaymentModel,
  type Status,
  withStatus,
} from './payment-model.js';

/** From when to when something must have happened; `to` is Infinity where nobody was told. */
export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a merchant and the reads after the end know of one operation. */
export interface HistoryOperation extends ModelOperation, Interval {
  readonly name: string;
  /**
   * How it ended. `notPerformed` may have been open before, or have had no effect ever; `open` is
   * not settled yet.
   */
  readonly fate: 'approved' | 'failed' | 'notPerformed' | 'refused' | 'open';
  /** When it was known to have begun; Infinity where nobody was told before its end. */
  readonly begunByMs: number;
  /** Of a refusal. */
  readonly code?: string;
  /** What a success says it took. */
  readonly answeredMinor?: number;
}

/** Somebody looked at one operation. */
export interface HistoryRead extends Interval {
  readonly of: number;
  readonly saw: Exclude<Status, 'failed' | 'refused'> | 'ended';
}

/** All that happened to one payment, on one monotonic clock. */
export interface PaymentHistory {
  readonly name: string;
  readonly operations: readonly HistoryOperation[];
  readonly reads: readonly HistoryRead[];
}

/** Whether there is an order in which everything could have happened; `unsure` when it took too long. */
export type Verdict = 'linearizable' | 'impossible' | 'unsure';

/** One thing that happens at one instant. */
interface Step extends Interval {
  /** A step that need not be taken, because it may never have happened. */
  readonly isOptional: boolean;
  readonly isRead: boolean;
  readonly apply: (payment: PaymentModel) => PaymentModel | undefined;
}

/** A history of 20 operations needs some hundreds as a rule. */
const STATES_MAX = 20_000;
/** The time of day decides, which the model does not know. */
const TOO_LATE = '700.300.700';

/**
 * Looks for an order of all steps that agrees with time (what had ended before another began comes
 * first) and with the model: the search of Wing and Gong, which remembers where it has been.
 */
export function verdictOn(history: PaymentHistory, statesMax = STATES_MAX): Verdict {
  const steps = [...history.operations.flatMap(stepsOf), ...history.reads.map(stepOfRead)].sort(
    (one, other) => one.toMs - other.toMs,
  );
  const search = new Search(steps, history, statesMax);
  return search.from(newPayment(history.operations), 0n) ? 'linearizable' : search.failure;
}

class Search {
  readonly #seen = new Set<string>();

  constructor(
    private readonly steps: readonly Step[],
    private readonly history: PaymentHistory,
    private readonly statesMax: number,
  ) {}

  get failure(): Verdict {
    return this.#seen.size >= this.statesMax ? 'unsure' : 'impossible';
  }

  from(payment: PaymentModel, before: bigint): boolean {
    const taken = this.#afterReads(payment, before);
    if (this.#isOver(payment, taken)) return true;
    const place = `${taken}/${payment.taken.join()}/${payment.released.join()}/${orderOf(payment)}`;
    if (this.#seen.size >= this.statesMax || this.#seen.has(place)) return false;
    this.#seen.add(place);
    const lastMs = this.#lastMs(taken);
    return this.steps.some((step, at) => {
      if (step.isRead || isIn(taken, at) || step.fromMs > lastMs) return false;
      const next = step.apply(payment);
      return next !== undefined && this.from(next, withStep(taken, at));
    });
  }

  /** A look that fits now may as well be now: it changes nothing. */
  #afterReads(payment: PaymentModel, before: bigint): bigint {
    let taken = before;
    for (;;) {
      const lastMs = this.#lastMs(taken);
      const at = this.steps.findIndex(
        (step, index) =>
          step.isRead &&
          !isIn(taken, index) &&
          step.fromMs <= lastMs &&
          step.apply(payment) !== undefined,
      );
      if (at < 0) return taken;
      taken = withStep(taken, at);
    }
  }

  /** What begins after this must wait: something else has ended by then. */
  #lastMs(taken: bigint): number {
    return this.steps.find((step, at) => !isIn(taken, at) && !step.isOptional)?.toMs ?? Infinity;
  }

  /** Nothing is left to happen, and nothing has begun that did not end. */
  #isOver({ statuses }: PaymentModel, taken: bigint): boolean {
    return (
      this.steps.every((step, at) => step.isOptional || isIn(taken, at)) &&
      this.history.operations.every(({ fate }, at) => fate === 'open' || statuses[at] !== 'open')
    );
  }
}

function withStep(taken: bigint, at: number): bigint {
  return taken | (1n << BigInt(at));
}

function isIn(taken: bigint, at: number): boolean {
  return ((taken >> BigInt(at)) & 1n) === 1n;
}

/** The order matters for increments and reauthorizations alone. */
function orderOf({ operations, begun }: PaymentModel): string {
  const isOrdered = operations.some(({ type }) => type === 'REAUTHORIZATION');
  if (!isOrdered) return '';
  return begun
    .map((order, index) => ({ order, index, type: operations[index]?.type ?? 'PA' }))
    .filter(({ order, type }) => order > 0 && type.length > 2)
    .sort((one, other) => one.order - other.order)
    .map(({ index }) => index)
    .join();
}

function stepsOf(operation: HistoryOperation, index: number): Step[] {
  const { fate, fromMs, toMs, begunByMs, code = '', type, answeredMinor } = operation;
  if (fate === 'refused') {
    return [
      {
        fromMs,
        toMs,
        isOptional: false,
        isRead: false,
        apply: (payment) => refused(payment, index, code),
      },
    ];
  }
  const isOptional = fate === 'notPerformed';
  const begin: Step = {
    fromMs,
    toMs: Math.min(begunByMs, toMs),
    isOptional,
    isRead: false,
    apply: (payment) => {
      const next = payment.statuses[index] === 'absent' ? accepted(payment, index) : '';
      if (typeof next === 'string') return undefined;
      return (answeredMinor ?? next.taken[index]) === next.taken[index] ? next : undefined;
    },
  };
  if (fate === 'open' || type === 'CB' || type === 'CR') return [begin];
  const end: Step = {
    fromMs,
    toMs,
    isOptional: false,
    isRead: false,
    apply: (payment) => {
      const status = payment.statuses[index];
      // Whatever was not performed may have been put aside before it was looked at.
      if (status !== 'open' && !(isOptional && status === 'absent')) return undefined;
      return withStatus(payment, index, fate === 'approved' ? 'approved' : 'failed');
    },
  };
  return [begin, end];
}

function refused(payment: PaymentModel, index: number, code: string): PaymentModel | undefined {
  const isLegal =
    payment.statuses[index] === 'absent' &&
    (code === TOO_LATE ||
      accepted(payment, index) === code ||
      accepted(payment, index, true) === code);
  return isLegal ? withStatus(payment, index, 'refused') : undefined;
}

function stepOfRead({ of, saw, ...interval }: HistoryRead): Step {
  return {
    ...interval,
    isOptional: false,
    isRead: true,
    apply: (payment) => {
      const status = payment.statuses[of];
      const shown = status === 'failed' || status === 'refused' ? 'ended' : status;
      return shown === saw ? payment : undefined;
    },
  };
}
