// Payments in memory for the property of their authentications; no other file imports it.
import { NOTHING_EARLIER } from '../src/earlier-payments.js';
import { Streams, StreamWriter } from '@sluice/aggregates';
import type { Connector, ConnectorRequest, SubmitOutcome } from '@sluice/connectors';
import type {
  AuthenticateQuery,
  AuthenticationAnswer,
  AuthenticationResult,
} from '@sluice/contracts';
import {
  findTransaction,
  type PaymentState,
  paymentDecider,
  type RecoverySchedule,
} from '@sluice/domain-payments';
import type { AppendMember, AppendResult, RecordedEvent } from '@sluice/event-store';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { Execution, InfrastructureAway, QueryUnavailable } from '@sluice/messaging';
import { EntityClock, noSetClocks } from '@sluice/service';
import { Authentications } from '../src/authentications.js';
import { AuthorizationResumption } from '../src/authorization-resumption.js';
import { Connectors } from '../src/connectors.js';
import { NextAuthorizations } from '../src/next-authorizations.js';
import { paymentAggregate, paymentOf } from '../src/payment-aggregate.js';
import { PaymentMetrics } from '../src/payment-metrics.js';
import { PaymentWorkflow } from '../src/payment.workflow.js';
import { type HandlerParts, PaymentsHandler } from '../src/payments.handler.js';
import { RecoveryProcessor } from '../src/recovery.processor.js';
import { RiskDecisions } from '../src/risk-decisions.js';
import { SecondAuthentications } from '../src/second-authentications.js';
import { ShopperReturns } from '../src/shopper-returns.js';
import { CARD } from './payments-fixture.js';
import { redirect, settings } from './scripted-risk.js';

/** The one payment of a model. */
export const PAYMENT_ID = '01a200455885ed5bf7da20fccea873d4' as TransactionId;
const ENTITY_ID = '8a8294174b7ecb28014b9699220015ca' as EntityId;
const BEGIN_MS = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;
const LIFE_MS = 25_000;
const SEND_WINDOW_MS = 2_000;
const NEVER = new Promise<never>(() => undefined);
const schedule: RecoverySchedule = {
  ...{ sendWindowMs: SEND_WINDOW_MS, leaseMs: MINUTE_MS, resolveByMs: 15 * MINUTE_MS },
  ...{ inquireAfterMs: [5_000, 30_000, MINUTE_MS, 10 * MINUTE_MS], clockMarginMs: 500 },
  lateInquiryAfterMs: 60 * MINUTE_MS,
};

/** How an authentication begins. */
export type Beginning = 'yes' | 'no' | 'redirect' | 'waiting';
/** What an issuer says in the end. */
export type Word = 'yes' | 'no';
/** What the acquirer does with a call. */
export type Decision = 'approve' | 'soft' | 'decline' | 'bookAndLose' | 'lose';

/** What a model begins with. */
export interface Circumstances {
  /** Whether the shopper has to be authenticated before the first call. */
  readonly isDemanded: boolean;
  readonly beginnings: readonly Beginning[];
  readonly decisions: readonly Decision[];
}

interface Process {
  isAlive: boolean;
  readonly handler: PaymentsHandler;
  readonly shoppers: ShopperReturns;
  readonly recovery: RecoveryProcessor;
  readonly streams: Streams<PaymentState>;
}

/**
 * Two processes of payments, a store, risk and an acquirer. Whatever leaves a process waits until the model lets
 * it go, in an order of the model's choice, or for ever where the process has died meanwhile.
 */
export class AuthenticationsModel {
  readonly submitted: ConnectorRequest[] = [];
  /** What broke, in words. */
  readonly violations: string[] = [];
  readonly answers = new Map<string, AuthenticationAnswer>();
  readonly book = new Map<string, { decision: Decision; reversed: boolean }>();
  isAway = false;
  /** Whether a second authentication was begun, ended and gone on with by one append. */
  wentOnAtOnce = false;
  nowMs = BEGIN_MS;
  #events: RecordedEvent[] = [];
  #waiting: (() => void)[] = [];
  #hasEnded = false;
  readonly #processes: Process[];

  constructor(private readonly of: Circumstances) {
    this.#processes = [this.#start(), this.#start()];
  }

  get state(): PaymentState {
    return paymentOf(this.#events);
  }

  /** The names of its events. */
  get eventTypes(): readonly string[] {
    return this.#events.map(({ type }) => type);
  }

  /** The command comes, or comes again. */
  command(process: number): void {
    const at = this.#at(process);
    const { isDemanded } = this.of;
    const message = {
      ...{ id: 'message', type: 'InitiatePayment', correlationId: 'n', causationId: 'n' },
      data: {
        ...{ transactionId: PAYMENT_ID, operation: 'debit', parameters: {}, personal: {} },
        amount: { minor: '100', currency: 'EUR' },
        instrument: {
          ...{ kind: 'card', vaultReference: 'vault-0:1', bin: '420000', last4: '0000' },
          ...{ brand: 'VISA', expiryMonth: '12', expiryYear: '2030' },
        },
        context: {
          ...{ entityId: ENTITY_ID, channelName: 'demo', ndc: 'n', mode: 'INTERNAL', actor: 'a' },
          ...{ manualChargebacks: false, receivedAtMs: this.nowMs },
        },
        authentication: {
          redirectUrl: redirect.url,
          ...(isDemanded && { demandedBy: 'the model' }),
        },
      },
    };
    this.#begin(async () => {
      const reply = await at.handler.initiate(message as never, this.nowMs + LIFE_MS);
      if (reply instanceof Execution) await reply.run();
    });
  }

  /** The shopper's browser comes, or comes back. */
  shopper(process: number, step: 'arrived' | 'returned'): void {
    const { shoppers } = this.#at(process);
    this.#begin(() => shoppers[step]({ transactionId: PAYMENT_ID }));
  }

  /** A sweep finds the payment, whether it is due or not. */
  recover(process: number): void {
    const { recovery, streams } = this.#at(process);
    if (this.#events.length === 0) return;
    const stream = streams.hold(PAYMENT_ID);
    this.#begin(() => recovery.recover(stream).finally(() => streams.release(stream)));
  }

  /** The issuer has decided; a second word changes nothing. */
  issuer(which: number, word: Word): void {
    const id = [...this.answers.keys()][which];
    if (id === undefined || this.answers.get(id)?.kind === 'completed') return;
    this.answers.set(id, completed(id, word));
  }

  /** A process dies with all that it has in hand; another one takes its place. */
  crash(process: number): void {
    const index = process % this.#processes.length;
    this.#at(index).isAlive = false;
    this.#processes[index] = this.#start();
  }

  /** Lets one go of what waits, and what follows from it up to the next that waits. */
  async letGo(choice: number): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    const [chosen] = this.#waiting.splice(choice % Math.max(1, this.#waiting.length), 1);
    chosen?.();
    await new Promise((resolve) => setImmediate(resolve));
    return chosen !== undefined;
  }

  /** Risk is there, and recovery looks until nothing is due: hours pass. */
  async settle(): Promise<void> {
    this.isAway = false;
    for (let round = 0; round < 24; round += 1) {
      this.recover(round);
      while (await this.letGo(0));
      this.nowMs += round < 12 ? 5 * MINUTE_MS : 60 * MINUTE_MS;
    }
  }

  /** Nothing comes after it: a defect may be without end. */
  #violated(rule: string): void {
    this.violations.push(rule);
    this.end();
  }

  /** Nothing that still waits happens any more. */
  end(): void {
    this.#hasEnded = true;
    this.#waiting = [];
  }

  #at(index: number): Process {
    return this.#processes[index % this.#processes.length]!;
  }

  /** That risk is away, or nobody waits any more, is said to whoever asked. */
  #begin(work: () => Promise<unknown>): void {
    work().catch((error: unknown) => {
      const isSaid = error instanceof QueryUnavailable || error instanceof InfrastructureAway;
      if (!isSaid) this.#violated(String(error));
    });
  }

  #start(): Process {
    const process = { isAlive: true };
    /** It waits its turn, on its way out and on its way back. */
    const outside = async <Result>(does: () => Result): Promise<Result> => {
      await this.#turn(process);
      const result = does();
      await this.#turn(process);
      return result;
    };
    return Object.assign(process, this.#wired(outside));
  }

  async #turn(process: { readonly isAlive: boolean }): Promise<void> {
    if (this.#hasEnded) return NEVER;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return process.isAlive ? undefined : NEVER;
  }

  get #times() {
    const machine = { now: () => this.nowMs, monotonicMs: () => this.nowMs };
    return { machine, clock: new EntityClock(machine, noSetClocks) };
  }

  #wired(outside: <Result>(does: () => Result) => Promise<Result>): Omit<Process, 'isAlive'> {
    const logger = { info: () => undefined, warn: () => undefined, error: this.#failed };
    const store = {
      append: (member: AppendMember) => outside(() => this.#append(member)),
      read: () => outside(() => this.#events),
      readByTransaction: () => outside(() => ({ streamId: PAYMENT_ID, events: this.#events })),
      schedule: () => Promise.resolve(),
      idempotency: { isKept: () => Promise.resolve(false) },
    };
    const connector = this.#acquirer(outside);
    const connectors = new Connectors([connector], 10);
    const routing = {
      ...{ isKnown: true, forNewPayment: () => ({ connector }), afterAttempt: () => undefined },
    };
    const streams = new Streams(paymentDecider.initialState, 100);
    const aggregate = paymentAggregate(connectors, schedule, noSetClocks);
    const writer = new StreamWriter(aggregate, store, this.#times.machine);
    const told = <Answer>(answer: () => Answer) =>
      outside(() => {
        if (this.isAway) throw new QueryUnavailable('risk', 'noService');
        return answer();
      });
    const answered = (query: { readonly authenticationId: string }) =>
      told((): AuthenticationAnswer => this.answers.get(query.authenticationId) ?? NOT_FOUND);
    const questions = {
      ...{ isKnown: true, isAssessed: () => false, assess: () => NEVER, proceed: answered },
      authenticate: (query: AuthenticateQuery) => told(() => this.#authenticate(query)),
      authentication: (authenticationId: string) => answered({ authenticationId }),
    };
    const index = { authenticationOf: () => settings, nodesAbove: () => [ENTITY_ID] };
    const routes = { index } as never;
    const authentications = new Authentications({ questions, routes });
    const next = new NextAuthorizations({ routing, ...this.#times, settings: schedule });
    const base = { streams, writer, ...this.#times, logger, connectors, routing, routes };
    const parts = { ...base, questions, next, authentications, sendWindowMs: SEND_WINDOW_MS };
    const metrics = new PaymentMetrics();
    const earlier = { ofNewPayment: () => Promise.resolve(NOTHING_EARLIER) };
    const vault = {
      reveal: () => outside(() => CARD),
      revealProof: () => outside(() => CARD.details['card.cvv']),
      forget: () => Promise.resolve(),
    };
    const second = new SecondAuthentications(parts as never);
    const workflow = new PaymentWorkflow({ ...parts, earlier, vault, second, metrics } as never);
    const resumption = new AuthorizationResumption({ ...parts, workflow } as never);
    const risk = new RiskDecisions({
      ...{ ...parts, keys: store.idempotency },
      earlier: NOTHING_AUTHENTICATED,
    });
    const queries = { redirect: () => Promise.resolve({}) };
    return {
      streams,
      shoppers: new ShopperReturns({ ...parts, store, queries, resumption }),
      recovery: new RecoveryProcessor({ ...parts, store, schedule, resumption } as never),
      handler: new PaymentsHandler({
        ...{ ...parts, store, workflow, risk, earlier, metrics },
      } as unknown as HandlerParts),
    };
  }

  readonly #failed = (fields: { readonly err?: unknown }): void => {
    this.#violated(`a process failed: ${String(fields.err)}`);
  };

  #append({ notAfterMs = Infinity, ...member }: AppendMember): AppendResult {
    const { expectedVersion, events, streamId, commandId } = member;
    const version = this.#events.length;
    if (this.nowMs > notAfterMs) return { kind: 'expired' };
    if (expectedVersion !== version) return { kind: 'versionConflict' };
    const recorded = events.map(({ data, metadata, ...event }, at): RecordedEvent => ({
      ...{ ...event, streamId, commandId, version: version + at + 1, recordedAtMs: this.nowMs },
      ...{ data: JSON.parse(data) as unknown, metadata: JSON.parse(metadata) as unknown },
    }));
    const types = events.map(({ type }) => type);
    const isAtOnce =
      types[0] === 'AuthenticationPending' && types.includes('AuthorizationRequested');
    this.wentOnAtOnce ||= isAtOnce;
    this.#events = [...this.#events, ...recorded];
    return { kind: 'appended', version: this.#events.length };
  }

  #authenticate({ authenticationId: id }: AuthenticateQuery): AuthenticationAnswer {
    const known = this.answers.get(id);
    if (known !== undefined) return known;
    const beginning =
      this.of.beginnings[this.answers.size % this.of.beginnings.length] ?? 'waiting';
    const expiresAtMs = this.nowMs + 15 * MINUTE_MS;
    const answer =
      beginning === 'redirect'
        ? ({ kind: 'redirect', redirect, expiresAtMs } as const)
        : beginning === 'waiting'
          ? ({ kind: 'waiting', expiresAtMs } as const)
          : completed(id, beginning);
    this.answers.set(id, answer);
    return answer;
  }

  #acquirer(outside: <Result>(does: () => Result) => Promise<Result>): Connector {
    const acquirer = {
      ...{ name: 'acquirer', takes: ['threeDSecure.*'] },
      capabilities: {
        ...{ instruments: ['card'], canInquire: true, canReverse: true, partialReversal: true },
        ...{ incrementalAuthorization: true, reauthorization: true, maxInFlightMs: 30_000 },
        ...{ callTimeoutMs: 20_000, reversalCutOffMs: (atMs: number) => atMs + 3_600_000 },
      },
      submit: (request: ConnectorRequest) => outside(() => this.#submit(request)),
      inquire: (reference: string) => outside(() => this.#inquire(reference)),
      reverse: (reference: string) =>
        outside(() => {
          const booking = this.book.get(reference);
          if (booking === undefined) return { kind: 'notFound' };
          booking.reversed = true;
          return { kind: 'reversed', connectorTxId: 'undone' };
        }),
      close: () => Promise.resolve(),
    };
    return acquirer as unknown as Connector;
  }

  #submit(request: ConnectorRequest): SubmitOutcome {
    // Of an approval that came after the end; no authorization.
    if (request.operation === 'refund') return this.#refund(request);
    this.#check(request);
    const decision =
      this.of.decisions[this.submitted.length % this.of.decisions.length] ?? 'approve';
    this.submitted.push(request);
    if (decision === 'lose') return { kind: 'unknown', reason: 'connectionLost' };
    this.book.set(request.acquirerReference, { decision, reversed: false });
    return decision === 'bookAndLose' ? { kind: 'unknown', reason: 'timeout' } : said(decision);
  }

  #refund({ originalReference = '' }: ConnectorRequest): SubmitOutcome {
    const booking = this.book.get(originalReference);
    if (booking === undefined || booking.reversed) this.#violated('a refund of nothing');
    else booking.reversed = true;
    return said('approve');
  }

  #inquire(reference: string): unknown {
    const booking = this.book.get(reference);
    if (booking === undefined) return { kind: 'notFound' };
    const undone = { kind: 'declined', resultCode: '900.100.301' };
    return { kind: 'found', outcome: booking.reversed ? undone : said(booking.decision) };
  }

  /** What may be asked of an acquirer, at the moment when it is asked. */
  #check({ acquirerReference, parameters }: ConnectorRequest): void {
    const before = this.submitted.map((each) => each.acquirerReference);
    const isAgain = before.length > 0;
    if (before.includes(acquirerReference)) this.#violated('sent twice');
    if (before.some((each) => this.book.get(each)?.decision !== 'soft')) {
      this.#violated('a second authorization that no decline asked for');
    }
    if (before.length > 1) this.#violated('a third authorization');
    if (!isAgain && !this.of.isDemanded) return;
    const told = parameters?.['threeDSecure'] as { readonly dsTransactionId?: string } | undefined;
    const answer = this.answers.get(told?.dsTransactionId ?? '');
    if (answer?.kind !== 'completed' || !answer.result.goesOn) {
      this.#violated('an authorization without its authentication');
    }
    const isOfFirst = told?.dsTransactionId === PAYMENT_ID;
    if (isAgain === isOfFirst) this.#violated('the proof of another authentication');
  }

  /** Approved and not undone. */
  get effects(): number {
    const isApproved = (decision: Decision) => decision === 'approve' || decision === 'bookAndLose';
    return [...this.book.values()].filter((each) => isApproved(each.decision) && !each.reversed)
      .length;
  }

  /** What merchants are told. */
  get status(): string | undefined {
    return findTransaction(this.state, PAYMENT_ID)?.status;
  }
}

/** Nobody pays with an authentication of before. */
const NOTHING_AUTHENTICATED = {
  notCovering: () => Promise.resolve(undefined),
  disproof: () => Promise.resolve(undefined),
};

const NOT_FOUND: AuthenticationAnswer = { kind: 'notFound' };

function said(decision: Decision) {
  switch (decision) {
    case 'approve':
    case 'bookAndLose':
      return { kind: 'approved', connectorTxId: 'acq' } as const;
    case 'soft':
      return { kind: 'declined', resultCode: '300.100.100' } as const;
    case 'decline':
    case 'lose':
      return { kind: 'declined', resultCode: '800.100.152' } as const;
  }
}

function completed(id: string, word: Word): AuthenticationAnswer {
  const result: AuthenticationResult = {
    ...(word === 'yes'
      ? { status: 'Y', goesOn: true, resultCode: '000.400.110', proofReference: 'p' }
      : { status: 'N', goesOn: false, resultCode: '000.400.102' }),
    ...{ flow: 'frictionless', liabilityShifts: word === 'yes', dsTransactionId: id },
  };
  return { kind: 'completed', result };
}
