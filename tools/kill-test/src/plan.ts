import type { SeededRandom } from '@sluice/testing';
import { type InstrumentName, isForBank } from './instruments.js';
import {
  type AgreedTerms,
  MethodPlanner,
  type PlannedMethod,
  type PlannedTime,
} from './planned-methods.js';
import type { Operation } from './records.js';
import { type ShopperChoice, shopperChoices } from './shopper.js';

/** When a planned request is sent, and what it says; nothing here depends on any answer (D-62). */
export interface PlannedRequest {
  readonly reference: string;
  readonly operation: Operation;
  /** Milliseconds after the sandbox's ready line in its life. */
  readonly atMs: number;
  readonly amountMinor?: number;
  /** The `reference` of the request whose transaction this one names. */
  readonly refersTo?: string;
  readonly fault?: string;
  readonly forcedCode?: string;
  readonly numberOfCaptures?: number;
  readonly isFinal: boolean;
  /** The card is stored with the payment (`createRegistration`). */
  readonly storesCard?: boolean;
  /** What was stored before, and pays in place of a card. */
  readonly registrationId?: string;
  /** What its chain is paid with; absent: a card, or an account at a provider if there is a shopper. */
  readonly instrument?: InstrumentName;
  /** It is the first payment of an agreement, which allows this. */
  readonly begins?: AgreedTerms;
  /** The `reference` of the first payment of its agreement. */
  readonly continues?: string;
  /** The `reference` of the payment that has stored what this one is made with. */
  readonly storedBy?: string;
  /** The `reference` of the payment with whose token of a wallet this one is sent, too. */
  readonly tokenOf?: string;
  /** It is paid by a checkout, whose shopper clicks so often at once. */
  readonly clicks?: number;
  /** Its form is saved first, and the summary of the shop's own page pays by sending nothing. */
  readonly isSavedFirst?: true;
  /** The payment is made at a provider, where its shopper does this. */
  readonly shopper?: ShopperChoice;
  readonly idempotencyKey?: string;
  /** A second copy with the same key goes out this much later: an impatient shop. */
  readonly copyAfterMs?: number;
  /** The same request with the same key again in the next life, although it was answered. */
  readonly isRepeatedLater: boolean;
}

/** What is killed at the end of a life. */
export type KillTarget = 'node' | 'nodeThenPostgres' | 'postgresThenNode';

/** From one start of the sandbox to its death, or, of the last one, to the end of its load. */
export interface Life {
  readonly requests: readonly PlannedRequest[];
  readonly killAtMs: number;
  /** Absent for the last life: nothing is killed any more. */
  readonly target?: KillTarget;
  /** Between the two kills of a life that has two. */
  readonly pauseMs: number;
}

/** What a plan is made of. */
export interface PlanOptions {
  readonly kills: number;
  readonly perSecond: number;
  /** Between a start and its kill. */
  readonly lifeMs?: { readonly min: number; readonly max: number };
  /** Requests go on for so long after the kill. */
  readonly afterKillMs?: number;
  /** Of the databases of payments; absent: one. */
  readonly cells?: number;
}

const LIFE_MIN_MS = 1_500;
const LIFE_MAX_MS = 4_500;
/** After the last kill the load goes on for so long: late bookings need a simulator that lives. */
const LAST_LIFE_MS = 3_000;
/** Requests go on for so long after the kill: some meet a closed port. */
const AFTER_KILL_MS = 250;
/** A merchant refers to a payment after it has seen the answer, which takes a moment. */
const REFERABLE_AFTER_MS = 400;
/** Every so many-th request stores its card, if it begins a payment. */
const EACH_STORES = 4;
/** Every so many-th request, but for those, is paid at a provider, if it begins a payment. */
const EACH_AT_PROVIDER = 6;
/** Every so many-th request, but for those, is paid by a checkout, if it begins a payment. */
const EACH_BY_CHECKOUT = 12;
/** Every so many-th of these by a shopper who clicks twice. */
const EACH_CLICKED_TWICE = 3;
/** Every so many-th of them is saved before it is paid. */
const EACH_SAVED_FIRST = 2;
const FAULT_SHARE = 0.3;
const KEY_SHARE = 0.45;

interface PlannedChain {
  readonly first: PlannedRequest;
  readonly life: number;
  readonly captures: PlannedRequest[];
}

/** Every request, fault and kill of a run, decided by the seed alone. */
export function planOf(random: SeededRandom, options: PlanOptions): readonly Life[] {
  const kills = random.fork('kills');
  const arrivals = random.fork('arrivals');
  const planner = new Planner(random, options.cells ?? 1);
  const load = (life: number, untilMs: number): PlannedRequest[] => {
    const requests: PlannedRequest[] = [];
    let atMs = 0;
    for (;;) {
      // Poisson arrivals: constant spacing would flatter the queues.
      atMs += (-Math.log(1 - arrivals.fraction()) * 1_000) / options.perSecond;
      if (atMs > untilMs) return requests;
      requests.push(planner.next(life, Math.round(atMs)));
    }
  };
  const { min, max } = options.lifeMs ?? { min: LIFE_MIN_MS, max: LIFE_MAX_MS };
  const afterKillMs = options.afterKillMs ?? AFTER_KILL_MS;
  const lives = Array.from({ length: options.kills }, (_, life): Life => {
    const killAtMs = kills.integer(min, max);
    const target = kills.pick<KillTarget>(['node', 'node', 'nodeThenPostgres', 'postgresThenNode']);
    const pauseMs = kills.integer(0, 300);
    return { requests: load(life, killAtMs + afterKillMs), killAtMs, target, pauseMs };
  });
  const last = load(options.kills, LAST_LIFE_MS);
  return [...lives, { requests: last, killAtMs: LAST_LIFE_MS, pauseMs: 0 }];
}

class Planner {
  readonly #chains: PlannedChain[] = [];
  readonly #methods: MethodPlanner;
  readonly #choices: SeededRandom;
  readonly #faults: SeededRandom;
  readonly #keys: SeededRandom;
  readonly #run: string;
  #count = 0;

  constructor(
    random: SeededRandom,
    private readonly cells: number,
  ) {
    this.#methods = new MethodPlanner(random);
    this.#choices = random.fork('requests');
    this.#faults = random.fork('faults');
    this.#keys = random.fork('keys');
    this.#run = random.fork('run').bytes(4).toString('hex');
  }

  next(life: number, atMs: number): PlannedRequest {
    const draw = this.#choices.fraction();
    const chain = this.#referableChain(life, atMs);
    if (chain === undefined || draw < 0.55) return this.#first(life, atMs);
    return draw < 0.9 ? this.#captureOrRefund(chain, atMs) : this.#reversal(chain, atMs);
  }

  #first(life: number, atMs: number): PlannedRequest {
    const operation = this.#choices.chance(0.45) ? 'DB' : 'PA';
    const isLimited = operation === 'PA' && this.#choices.chance(0.2);
    const beginning = this.#beginning(operation, atMs);
    const first = {
      ...beginning,
      amountMinor: this.#choices.integer(1_000, 20_000),
      isFinal: false,
      ...(isLimited ? { numberOfCaptures: this.#choices.integer(1, 3) } : {}),
    };
    const speciality = this.#specialityOf(this.#count);
    const planned: PlannedRequest =
      speciality === undefined ? this.#paidSomehow(first, life) : specially(first, speciality);
    const { reference, instrument, storesCard } = planned;
    if (storesCard === true) this.#methods.stores({ reference, instrument, life, atMs });
    this.#chains.push({ first: planned, life, captures: [] });
    return planned;
  }

  #paidSomehow(
    first: PlannedRequest & { readonly amountMinor: number },
    life: number,
  ): PlannedRequest {
    const { reference, atMs, amountMinor } = first;
    const method = this.#methods.next({ reference, life, atMs, amountMinor }, (earlier) =>
      isAnswered(earlier, life, atMs),
    );
    const paid = withMethod(method, first);
    const { begins, continues } = method;
    if (begins === undefined && continues === undefined) return paid;
    const { numberOfCaptures: _limit, ...others } = paid;
    // Debits alone, which are reversed as a whole or not at all: then they stop counting.
    const debit: PlannedRequest = { ...others, operation: 'DB' };
    const { authorizationsMax } = begins ?? this.#methods.termsOf(continues ?? '');
    return this.cells > 1 && authorizationsMax !== undefined ? withoutKey(debit) : debit;
  }

  /** By its number, so that no run is so short that it has none. */
  #specialityOf(
    count: number,
  ): Pick<PlannedRequest, 'storesCard' | 'shopper' | 'clicks' | 'isSavedFirst'> | undefined {
    if (count % EACH_STORES === 0) return { storesCard: true };
    if (count % EACH_BY_CHECKOUT === 3) {
      const place = Math.floor(count / EACH_BY_CHECKOUT);
      const clicks = place % EACH_CLICKED_TWICE === 0 ? 2 : 1;
      return place % EACH_SAVED_FIRST === 0 ? { clicks, isSavedFirst: true } : { clicks };
    }
    if (count % EACH_AT_PROVIDER !== 1) return undefined;
    const shopper = shopperChoices[Math.floor(count / EACH_AT_PROVIDER) % shopperChoices.length];
    return shopper === undefined ? undefined : { shopper };
  }

  #captureOrRefund(chain: PlannedChain, atMs: number): PlannedRequest {
    const captured = chain.first.operation === 'DB' ? chain.first : this.#pickCapture(chain);
    const whole = chain.first.amountMinor ?? 0;
    // Some sums go over what is open: those requests must be refused, whatever crashes between.
    const amountMinor = this.#choices.integer(
      1,
      Math.ceil(whole * this.#choices.pick([0.3, 0.6, 1])),
    );
    if (captured !== undefined && this.#choices.chance(0.5)) {
      const refund = { ...this.#beginning('RF', atMs), amountMinor, isFinal: false };
      return ofChain(chain, { ...refund, refersTo: captured.reference });
    }
    if (chain.first.operation === 'DB') return this.#reversal(chain, atMs);
    const isFinal = this.#choices.chance(0.1);
    const capture = { ...this.#beginning('CP', atMs), amountMinor, isFinal };
    const planned = ofChain(chain, { ...capture, refersTo: chain.first.reference });
    chain.captures.push(planned);
    return planned;
  }

  #reversal(chain: PlannedChain, atMs: number): PlannedRequest {
    const { amountMinor: whole = 0, operation, reference } = chain.first;
    const isPartial = operation === 'PA' && this.#choices.chance(0.3);
    return ofChain(chain, {
      ...this.#beginning('RV', atMs),
      isFinal: false,
      refersTo: reference,
      ...(isPartial ? { amountMinor: this.#choices.integer(1, whole) } : {}),
    });
  }

  /** What every request has; the draws are the same in number whatever they decide. */
  #beginning(operation: Operation, atMs: number): Omit<PlannedRequest, 'isFinal'> {
    this.#count += 1;
    const reference = `kill-${this.#run}-${String(this.#count).padStart(5, '0')}`;
    const hasFault = this.#faults.chance(FAULT_SHARE);
    const fault = this.#fault();
    const forced = this.#faults.fraction();
    const hasKey = this.#keys.chance(KEY_SHARE);
    const copyAfterMs = this.#keys.integer(0, 300);
    const isCopied = this.#keys.chance(0.2);
    const isRepeatedLater = hasKey && this.#keys.chance(0.3);
    const forcedCode = forced < 0.05 ? '800.100.152' : forced < 0.08 ? '000.200.000' : undefined;
    return {
      reference,
      operation,
      atMs,
      isRepeatedLater,
      ...(hasFault ? { fault } : {}),
      ...(forcedCode === undefined ? {} : { forcedCode }),
      ...(hasKey ? { idempotencyKey: `key-${reference}` } : {}),
      ...(hasKey && isCopied ? { copyAfterMs } : {}),
    };
  }

  #fault(): string {
    const short = this.#faults.integer(20, 400);
    const long = this.#faults.integer(1_200, 2_500);
    // Some book after the end: later than anything is under way, sooner than the last inquiry (D-27). That
    // one is 5 s after the request was recorded at the earliest, and a request is sent within 1 s of that.
    const late = this.#faults.integer(1_200, 3_700);
    return this.#faults.pick([
      `delay:${short}`,
      `delay:${long}`,
      'drop-before',
      'drop-after',
      'http-500',
      'garbage',
      'twice',
      `late:${short}`,
      `late:${late}`,
      `late:${late}`,
    ]);
  }

  #pickCapture(chain: PlannedChain): PlannedRequest | undefined {
    return chain.captures.length === 0 ? undefined : this.#choices.pick(chain.captures);
  }

  #referableChain(life: number, atMs: number): PlannedChain | undefined {
    const referable = this.#chains
      .slice(-40)
      .filter(({ first, life: begunIn }) =>
        isAnswered({ atMs: first.atMs, life: begunIn }, life, atMs),
      );
    return referable.length === 0 ? undefined : this.#choices.pick(referable);
  }
}

/** A checkout has no key of its own, and its captures are as many as there are. */
function specially(first: PlannedRequest, speciality: Partial<PlannedRequest>): PlannedRequest {
  if (speciality.clicks === undefined) return { ...first, ...speciality };
  const { numberOfCaptures: _limit, ...others } = withoutKey(first);
  return { ...others, ...speciality };
}

/** Whether a merchant has seen the answer to an earlier request, as far as a plan can tell. */
function isAnswered(earlier: PlannedTime, life: number, atMs: number): boolean {
  return earlier.life < life || earlier.atMs + REFERABLE_AFTER_MS < atMs;
}

/** The chain's money goes where its first payment went. */
function ofChain({ first: { instrument } }: PlannedChain, request: PlannedRequest): PlannedRequest {
  return instrument === undefined ? request : withMethod({ instrument }, request);
}

/** Faults and forced codes are the simulator's: a bank that takes files has none. */
function withMethod(method: PlannedMethod, request: PlannedRequest): PlannedRequest {
  if (!isForBank(method.instrument)) return { ...request, ...method };
  const { fault: _fault, forcedCode: _code, ...others } = request;
  return { ...others, ...method };
}

/**
 * With several cells a later payment is held to its terms only if neither it nor the first one has a key
 * (docs/decisions/0066): a payment with a key begins where the hash of its key says, in another cell half
 * of the time, where nobody knows the agreement. So agreements that limit their payments are tried
 * without keys there. The others keep them: in whatever cell one is begun, it may not be refused.
 */
function withoutKey(request: PlannedRequest): PlannedRequest {
  const { idempotencyKey: _key, copyAfterMs: _copy, ...others } = request;
  return { ...others, isRepeatedLater: false };
}
