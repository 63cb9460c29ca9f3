import { setTimeout as elapsed } from 'node:timers/promises';
import type { ProceedQuery, Redirect, ShopperAnswer, ShopperQuery } from '@sluice/contracts';
import { findTransaction, inquiryOnReturn } from '@sluice/domain-payments';
import type { TransactionId } from '@sluice/identifiers';
import type { Clock, EntityClock } from '@sluice/service';
import type { AuthorizationResumption } from './authorization-resumption.js';
import type { Connectors } from './connectors.js';
import {
  firstOf,
  type PaymentStore,
  type PaymentStream,
  type PaymentStreams,
  type PaymentWriter,
} from './payment-aggregate.js';
import type { PaymentQueries } from './payment-queries.js';
import { findingsOf } from './recovery-calls.js';
import type { RiskQuestions } from './risk-questions.js';

/**
 * How long a shopper's browser waits for the acquirer's word: less than a query may take (5 s). An
 * answer that comes later is recorded all the same.
 */
const WAIT_MAX_MS = 4_000;

/** Risk ends what is over as it comes to it. */
const ENDED_AFTER_MS = 2_000;

/** The parts it is made of. */
export interface ShopperReturnsParts {
  readonly store: Pick<PaymentStore, 'schedule'>;
  readonly queries: Pick<PaymentQueries, 'redirect'>;
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly connectors: Connectors;
  readonly questions: Pick<RiskQuestions, 'proceed' | 'authentication'>;
  readonly resumption: Pick<AuthorizationResumption, 'goOn'>;
  readonly machine: Pick<Clock, 'now'>;
  readonly clock: Pick<EntityClock, 'nowOf'>;
}

type Step = ProceedQuery['step'];
/** Where the issuer wants the browser to go, or that it is being asked; undefined where it was. */
type Inquired = Redirect | 'asked' | undefined;

/**
 * Shoppers on their way. What their browsers say of the payment counts for nothing: the acquirer is asked,
 * as recovery asks it, or risk, whose word comes from the issuer. A shopper who never comes back is
 * recovery's.
 */
export class ShopperReturns {
  /** Browsers that come twice wait for one inquiry. */
  readonly #underWay = new Map<string, Promise<Inquired>>();

  constructor(private readonly parts: ShopperReturnsParts) {}

  /** Where the shopper goes now: to the issuer or the acquirer, or on to the merchant. */
  arrived(query: ShopperQuery): Promise<ShopperAnswer> {
    return this.#step('arrived', query);
  }

  /** Asks what became of the payment, and answers where the shopper goes now. */
  returned(query: ShopperQuery): Promise<ShopperAnswer> {
    return this.#step('returned', query);
  }

  async #step(step: Step, query: ShopperQuery): Promise<ShopperAnswer> {
    const prepared = query.isPrepared === true ? ' prepared' : '';
    const key = `${step}${prepared} ${query.transactionId}`;
    const inquiry = this.#underWay.get(key) ?? this.#begin(step, query, key);
    const late = elapsed(WAIT_MAX_MS, 'late' as const, { ref: false });
    const answered = await Promise.race([inquiry, late]);
    const answer = await this.parts.queries.redirect(query);
    if (answered === 'late' || answered === 'asked') {
      return step === 'arrived' ? { ...answer, isAsked: true } : answer;
    }
    return answered === undefined ? answer : { ...answer, redirect: answered };
  }

  #begin(step: Step, query: ShopperQuery, key: string): Promise<Inquired> {
    const inquiry = this.#inquire(step, query).finally(() => {
      this.#underWay.delete(key);
    });
    // Nobody waits for it after the time is over; recovery asks again.
    inquiry.catch(() => undefined);
    this.#underWay.set(key, inquiry);
    return inquiry;
  }

  /** Only the first transaction of a payment needs a shopper, and its id is the stream's. */
  async #inquire(step: Step, query: ShopperQuery): Promise<Inquired> {
    const { streams, writer } = this.parts;
    const { transactionId } = query;
    const stream = streams.hold(transactionId);
    try {
      await streams.inTurn(stream, () => writer.ensureLoaded(stream));
      const awaited = findTransaction(stream.state, transactionId)?.awaited;
      if (awaited !== undefined) return await this.#authenticate(stream, step, query);
      if (step === 'returned') await this.#askAcquirer(stream, transactionId);
      return undefined;
    } finally {
      streams.release(stream);
    }
  }

  async #authenticate(
    stream: PaymentStream,
    step: Step,
    { transactionId, challengeResponse, isPrepared }: ShopperQuery,
  ): Promise<Inquired> {
    const { questions, resumption } = this.parts;
    const awaited = findTransaction(stream.state, transactionId)?.awaited;
    if (awaited === undefined) return undefined;
    const { authenticationId } = awaited;
    const answer = await questions.proceed({
      ...{ authenticationId, step },
      ...(challengeResponse !== undefined && { challengeResponse }),
      ...(isPrepared === true && { isPrepared }),
    });
    await resumption.goOn(stream, transactionId, { authenticationId, answer });
    if (answer.kind === 'waiting') {
      if (step === 'returned') await this.#lookAgain(stream, answer.expiresAtMs);
      return 'asked';
    }
    return answer.kind === 'redirect' ? answer.redirect : undefined;
  }

  /**
   * The issuer's word is a moment late, or lost: his browser is sent to the shop, so nobody asks risk again but
   * recovery, whose next look may be minutes away.
   */
  async #lookAgain(stream: PaymentStream, expiresAtMs: number): Promise<void> {
    const { streams, writer, store, machine } = this.parts;
    const dueInMs = Math.max(0, expiresAtMs - machine.now()) + ENDED_AFTER_MS;
    await streams.inTurn(stream, async () => {
      const plannedInMs = writer.dueInMs(stream.state) ?? dueInMs;
      await store.schedule(stream.id, Math.min(plannedInMs, dueInMs), stream.version);
    });
  }

  async #askAcquirer(stream: PaymentStream, transactionId: TransactionId): Promise<void> {
    const { streams, writer, connectors, clock } = this.parts;
    const step = inquiryOnReturn(stream.state, transactionId);
    if (step === undefined) return;
    const connector = connectors.ofPayment(stream.state);
    const first = firstOf(stream.state);
    for (const finding of await findingsOf(step, connector, () => clock.nowOf(first))) {
      await streams.inTurn(stream, () => writer.record(stream, finding));
    }
  }
}
