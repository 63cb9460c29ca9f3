import type {
  AttemptReversalAnswer,
  AttemptReversalQuery,
  RegistrationTransactionAnswer,
  ShopperQuery,
  TransactionOutcomeAnswer,
  TransactionQuery,
} from '@sluice/contracts';
import {
  type Attempt,
  type AttemptDecision,
  attemptOf,
  type Checkout,
  isProviderToBeAsked,
  isUnknown,
  paymentDecision,
  registrationDecision,
  reversalDueAtMs,
} from '@sluice/domain-checkouts';
import { newTransactionIdInChainOf } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import { type Clock, type EntityClock, type Logger, Outage } from '@sluice/service';
import type { CheckoutStream, CheckoutWriter } from './checkout-aggregate.js';

/** The parts it is made of. */
export interface AttemptOutcomesParts {
  readonly queries: Queries;
  readonly writer: Pick<CheckoutWriter, 'record'>;
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly logger: Logger;
  /** How soon recovery asks again, in milliseconds; see `RecoveryPauses`. */
  readonly attemptMs: number;
}

/**
 * What became of attempts. Nobody tells checkouts: payments and registrations are asked whenever
 * somebody needs to know, so a crash of whoever sent the form leaves nothing to repair (page 0064).
 */
export class AttemptOutcomes {
  readonly #outage: Outage;

  constructor(private readonly parts: AttemptOutcomesParts) {
    this.#outage = new Outage(parts.machine, parts.logger, {
      begins: 'Nobody says what became of attempts; their checkouts are pending.',
      goesOn: 'Still nobody says what became of attempts.',
      ends: 'What became of attempts is said again.',
    });
  }

  /**
   * Records what others know of the attempts of a loaded checkout that are not decided. Those of whom
   * nobody answers stay as they are. The caller has the stream's turn.
   */
  async bringUpToDate(stream: CheckoutStream): Promise<void> {
    const { machine, clock } = this.parts;
    const undecided = stream.state?.attempts.filter(isUnknown) ?? [];
    for (const attempt of undecided) {
      const checkout = stream.state;
      const decision = checkout && (await this.#decisionOf(checkout, attempt));
      if (checkout === undefined || decision === undefined) continue;
      const nowMs = clock.now(checkout.metadata.entityId);
      const { transactionId } = attempt;
      const reversalId = newTransactionIdInChainOf(transactionId, machine.now());
      const finding = { nowMs, transactionId, decision, reversalId };
      await this.parts.writer.record(stream, { type: 'RecordAttempt', ...finding });
    }
  }

  /**
   * Has payments ask those at whose pages shoppers were last seen, where it is time for that: as if they
   * had come back. Nobody waits for it, because such a page may hang; the next look finds what came of it.
   */
  askProviders({ state: checkout }: CheckoutStream): void {
    const { queries, clock } = this.parts;
    if (checkout === undefined) return;
    for (const attempt of checkout.attempts) {
      const nowMs = clock.now(checkout.metadata.entityId);
      if (!isProviderToBeAsked(checkout, attempt, nowMs)) continue;
      const query: ShopperQuery = { transactionId: attempt.transactionId };
      queries.ask('payments', 'payments.shopperReturn', query).catch(() => undefined);
    }
  }

  /**
   * Has payments reverse what was approved after it was given up, and records what came of it: a
   * reversal that failed is followed by another one, later. The caller has the stream's turn.
   */
  async reverseLate(stream: CheckoutStream): Promise<void> {
    const { machine, clock, attemptMs } = this.parts;
    if (stream.state === undefined) return;
    const { entityId, actor } = stream.state.metadata;
    const late = stream.state.attempts.filter(
      (attempt) =>
        attempt.state === 'reversing' && reversalDueAtMs(attempt, attemptMs) <= clock.now(entityId),
    );
    for (const { transactionId: referencedId, reversalId } of late) {
      if (reversalId === undefined) continue;
      const query = { transactionId: reversalId, referencedId };
      const answer = await this.#reversal({ ...query, actor });
      if (answer?.kind !== 'ended') continue;
      const { isReversed, resultCode } = answer;
      const nowMs = clock.now(entityId);
      const nextReversalId = newTransactionIdInChainOf(referencedId, machine.now());
      const finding = { nowMs, isReversed, resultCode, nextReversalId };
      const ended = { type: 'RecordReversal', transactionId: reversalId, ...finding } as const;
      await this.parts.writer.record(stream, ended);
      const { state } = attemptOf(stream.state, referencedId) ?? {};
      if (state === 'unreversed') this.#logUnreversed(stream, referencedId, resultCode);
    }
  }

  /** Somebody has to give it back by hand: the shopper was told of no payment. */
  #logUnreversed({ id }: CheckoutStream, transactionId: string, resultCode: string): void {
    this.parts.logger.error(
      { ndc: id, transactionId, resultCode },
      'A payment that its shopper had given up was approved, and could not be reversed.',
    );
  }

  async #reversal(query: AttemptReversalQuery): Promise<AttemptReversalAnswer | undefined> {
    try {
      const answer = await this.parts.queries.ask<AttemptReversalAnswer>(
        ...(['payments', 'payments.reverseAttempt', query] as const),
      );
      this.#outage.over();
      return answer;
    } catch (error) {
      this.#outage.failed(error);
      return undefined;
    }
  }

  /** Undefined while nothing new is known. */
  async #decisionOf(checkout: Checkout, attempt: Attempt): Promise<AttemptDecision | undefined> {
    try {
      const decision = await this.#ask(checkout, attempt);
      this.#outage.over();
      return decision;
    } catch (error) {
      this.#outage.failed(error);
      return undefined;
    }
  }

  async #ask(
    { purpose, metadata }: Checkout,
    attempt: Attempt,
  ): Promise<AttemptDecision | undefined> {
    const { queries, clock } = this.parts;
    const { transactionId } = attempt;
    const query: TransactionQuery = { transactionId, entityId: metadata.entityId };
    if (purpose === 'payment') {
      const { outcome } = await queries.ask<TransactionOutcomeAnswer>(
        ...(['payments', 'payments.transactionOutcome', query] as const),
      );
      return paymentDecision(attempt, outcome, clock.now(metadata.entityId));
    }
    const { transaction } = await queries.ask<RegistrationTransactionAnswer>(
      ...(['registrations', 'registrations.transaction', query] as const),
    );
    return registrationDecision(attempt, transaction, clock.now(metadata.entityId));
  }
}
