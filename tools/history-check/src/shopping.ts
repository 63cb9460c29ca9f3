import { type MerchantAccount, MerchantConnection } from '@sluice/kill-test';
import type { SeededRandom } from '@sluice/testing/programs';
import {
  type Answer,
  idOf,
  meaningOf,
  type Observed,
  type ObservedPayment,
  type SentRequest,
} from './observations.js';
import type { OperationType } from './payment-model.js';

const FAULT_SHARE = 0.25;
const KEY_SHARE = 0.5;
const READ_SHARE = 0.25;
/** A request in two asks for more than half of the payment: sums go over what is open. */
const SHARES = [0.2, 0.35, 0.6, 0.6, 1];
const LANES_MAX = 3;
const STEPS_MAX = 6;
const THINKING_MAX_MS = 500;
/** The others fall over each other. */
const THINKING_SHARE = 0.4;
/** While the gateway is away nothing can be sent. */
const AWAY_MS = 150;
const TRIES_MAX = 60;
const REPEATS_MAX = 6;

/** What a payment begins with, the usual more often. */
const BEGINNINGS: readonly OperationType[] = [
  ...['PA', 'PA', 'PA', 'PA', 'PA', 'DB', 'DB', 'DB', 'DB', 'CD'],
] as OperationType[];
/** What is asked of an authorization and of a debit, the usual more often. */
const AFTER_AUTHORIZATION: readonly OperationType[] = [
  ...['CP', 'CP', 'CP', 'CP', 'RV', 'RV', 'RF', 'RF', 'RF', 'RC', 'RB', 'CB', 'CR'],
  ...['INCREMENTAL_AUTH', 'REAUTHORIZATION'],
] as OperationType[];
const AFTER_DEBIT: readonly OperationType[] = [
  'RF',
  'RF',
  'RF',
  'RF',
  'RV',
  'RB',
  'CB',
  'CR',
  'CP',
];
/** Nothing may follow a credit: it gave money away, and neither holds nor took any (D-31). */
const AFTER_CREDIT: readonly OperationType[] = ['RF', 'RV', 'CP', 'CB'];
const AFTER: Readonly<Partial<Record<OperationType, readonly OperationType[]>>> = {
  DB: AFTER_DEBIT,
  CD: AFTER_CREDIT,
};
/** Everything that merchants send. */
export const operationsSent: ReadonlySet<OperationType> = new Set([
  ...BEGINNINGS,
  ...AFTER_AUTHORIZATION,
  ...AFTER_DEBIT,
  ...AFTER_CREDIT,
]);
/** What each one is about; some requests name something else and must be refused. */
const ABOUT: Readonly<Partial<Record<OperationType, readonly OperationType[]>>> = {
  RF: ['DB', 'CP', 'RB', 'RC'],
  RB: ['DB', 'CP'],
  CB: ['DB', 'CP', 'RB'],
  CR: ['CB'],
};
const WRONG_REFERENCE_SHARE = 0.05;

/** Merchants who pay, capture, refund and look, several at once about each payment. */
export class Shopping {
  readonly payments: ObservedPayment[] = [];
  readonly #connection: MerchantConnection;
  #isOpen = true;

  constructor(
    private readonly account: MerchantAccount,
    private readonly url: () => string,
    private readonly random: SeededRandom,
  ) {
    this.#connection = new MerchantConnection(account);
  }

  /** So many payments at a time, one after the other, until it is closed; then what was begun ends. */
  async run(atOnce: number): Promise<void> {
    const tag = this.random.fork('tag').bytes(4).toString('hex');
    await Promise.all(
      Array.from({ length: atOnce }, async (_, place) => {
        for (let number = 1; this.#isOpen; number += 1) {
          const name = `${tag}-${place + 1}-${number}`;
          await this.#shop(name, this.random.fork(name));
        }
      }),
    );
  }

  close(): void {
    this.#isOpen = false;
  }

  end(): void {
    this.#connection.close();
  }

  /** Looks at a request by its id if that is known, else by its reference. */
  async look(request: SentRequest, id = idOf(request)): Promise<Observed> {
    const { entityId } = this.account;
    const query = new URLSearchParams({ entityId });
    if (id === undefined) query.set('merchantTransactionId', request.reference);
    const path = id === undefined ? '/v1/query' : `/v1/payments/${id}`;
    const fromMs = performance.now();
    const exchange = await this.#connection.get(`${this.url()}${path}?${query.toString()}`);
    const answer =
      exchange.kind === 'answered' ? answerOf(exchange.status, exchange.text) : undefined;
    const observed = { fromMs, toMs: performance.now(), ...(answer && { answer }) };
    if (answer !== undefined) request.reads.push(observed);
    return observed;
  }

  async #shop(name: string, random: SeededRandom): Promise<void> {
    const requests: SentRequest[] = [];
    this.payments.push({ name, requests });
    const minor = random.integer(1_000, 20_000);
    const first: SentRequest = {
      ...this.#drawn(`${name}-0`, random),
      type: random.pick(BEGINNINGS),
      minor,
      ...(random.chance(0.15) ? { captureLimit: random.integer(1, 3) } : {}),
    };
    requests.push(first);
    await this.#send(first);
    if (idOf(first) === undefined) await this.look(first);
    if (idOf(first) === undefined) return;
    const lanes = Array.from({ length: random.integer(1, LANES_MAX) }, (_, lane) => lane + 1);
    await Promise.all(
      lanes.map(async (lane) => {
        const choices = random.fork(`lane ${lane}`);
        const steps = choices.integer(2, STEPS_MAX);
        for (let step = 1; step <= steps && this.#isOpen; step += 1) {
          const thinkingMs = choices.integer(0, THINKING_MAX_MS);
          if (choices.chance(THINKING_SHARE)) await pause(thinkingMs);
          if (choices.chance(READ_SHARE)) await this.look(choices.pick(requests));
          else await this.#refer(requests, `${name}-${lane}${step}`, choices);
        }
      }),
    );
  }

  async #refer(requests: SentRequest[], reference: string, random: SeededRandom): Promise<void> {
    const [first] = requests;
    const known = requests.filter((each) => idOf(each) !== undefined);
    if (first === undefined) return;
    const type = random.pick(AFTER[first.type] ?? AFTER_AUTHORIZATION);
    const isWrong = random.chance(WRONG_REFERENCE_SHARE);
    const suited = known.filter((each) => ABOUT[type]?.includes(each.type) ?? each === first);
    const on = random.pick(isWrong || suited.length === 0 ? known : suited);
    const minor = Math.max(1, Math.round((first.minor ?? 0) * random.pick(SHARES)));
    const isWhole = type === 'RV' && random.chance(0.6);
    const request: SentRequest = {
      ...this.#drawn(reference, random),
      type,
      on,
      ...(isWhole ? {} : { minor }),
      ...((type === 'CP' || type === 'RF') && random.chance(0.08) ? { isFinal: true } : {}),
    };
    requests.push(request);
    await this.#send(request);
  }

  #drawn(reference: string, random: SeededRandom): Omit<SentRequest, 'type'> {
    const draw = random.fraction();
    const fault = faultOf(random);
    const hasKey = random.chance(KEY_SHARE);
    const forced = random.fraction();
    return {
      reference,
      attempts: [],
      reads: [],
      ...(draw < FAULT_SHARE ? { fault } : {}),
      ...(hasKey ? { key: `key-${reference}` } : {}),
      ...(forced < 0.05 ? { forcedCode: '800.100.152' } : {}),
    };
  }

  /** Sends it; what nobody knows is sent again under its key, as often as somebody would. */
  async #send(request: SentRequest): Promise<void> {
    for (let repeats = 0, tries = 0; tries < TRIES_MAX; tries += 1) {
      const observed = await this.#post(request);
      if (observed === 'notSent') {
        await pause(AWAY_MS);
        continue;
      }
      request.attempts.push(observed);
      const isTold = observed.answer && meaningOf(observed.answer, false) !== undefined;
      if (isTold || request.key === undefined || ++repeats > REPEATS_MAX) return;
      await pause(AWAY_MS * repeats);
    }
  }

  async #post(request: SentRequest): Promise<Observed | 'notSent'> {
    const { on, key } = request;
    const id = on && idOf(on);
    const target = `${this.url()}/v1/payments${id === undefined ? '' : `/${id}`}`;
    const headers = key === undefined ? undefined : { 'Idempotency-Key': key };
    const form = formOf(request, this.account.entityId);
    const fromMs = performance.now();
    const exchange = await this.#connection.post(target, form, headers ?? {});
    if (exchange.kind === 'notSent') return 'notSent';
    const answer =
      exchange.kind === 'answered' ? answerOf(exchange.status, exchange.text) : undefined;
    return { fromMs, toMs: performance.now(), ...(answer && { answer }) };
  }
}

function faultOf(random: SeededRandom): string {
  const short = random.integer(20, 400);
  const long = random.integer(1_100, 2_500);
  // Some book after the end: later than MAX_IN_FLIGHT, sooner than the last inquiry (D-27).
  const late = random.integer(1_100, 3_600);
  return random.pick([
    ...[`delay:${short}`, `delay:${short}`, `delay:${long}`, `late:${short}`, `late:${late}`],
    ...['drop-before', 'drop-after', 'http-500', 'garbage', 'twice'],
  ]);
}

function answerOf(status: number, text: string): Answer | undefined {
  try {
    const body = JSON.parse(text) as Body & { readonly payments?: readonly Body[] };
    // A query by reference lists what has it, which is one or nothing.
    const { id, amount, result } = body.payments?.[0] ?? body;
    return {
      status,
      code: result?.code ?? '',
      ...(id === undefined ? {} : { id }),
      ...(amount === undefined ? {} : { minor: Math.round(Number(amount) * 100) }),
    };
  } catch {
    return undefined; // half an answer is none
  }
}

interface Body {
  readonly id?: string;
  readonly amount?: string;
  readonly result?: { readonly code?: string };
}

function formOf(request: SentRequest, entityId: string): string {
  const { type, on, minor, isFinal, captureLimit, fault, forcedCode, reference } = request;
  const isFurther = type === 'INCREMENTAL_AUTH' || type === 'REAUTHORIZATION';
  const form = new URLSearchParams({
    entityId,
    paymentType: isFurther ? 'PA' : type,
    merchantTransactionId: reference,
    ...(isFurther && { 'standingInstruction.industryPractice': type }),
    ...(minor !== undefined && { amount: (minor / 100).toFixed(2), currency: 'EUR' }),
    ...(captureLimit !== undefined && { numberOfCaptures: String(captureLimit) }),
    ...(isFinal === true && { sequence: 'FINAL' }),
    ...(fault !== undefined && { 'customParameters[simulator.fault]': fault }),
    ...(forcedCode !== undefined && { 'customParameters[forceResultCode]': forcedCode }),
    ...(on === undefined && {
      paymentBrand: 'VISA',
      'card.number': '4200000000000000',
      'card.holder': 'Jane Jones',
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
      'card.cvv': '123',
    }),
  });
  return form.toString();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
