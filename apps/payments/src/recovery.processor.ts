import type { AuthenticationAnswer } from '@sluice/contracts';
import {
  findTransaction,
  type InquireAuthentication,
  initialTransaction,
  lateRefundReferenceOf,
  type RecoverySchedule,
  type RecoveryStep,
  recoverySteps,
} from '@sluice/domain-payments';
import type { Clock, EntityClock, Logger } from '@sluice/service';
import type { AuthorizationResumption } from './authorization-resumption.js';
import type { Connectors } from './connectors.js';
import {
  firstOf,
  type PaymentStore,
  type PaymentStream,
  type PaymentStreams,
  type PaymentWriter,
} from './payment-aggregate.js';
import { findingsOf, lateRefund, openCase } from './recovery-calls.js';
import type { RiskQuestions } from './risk-questions.js';

/**
 * How soon recovery returns to a payment whose connector is not configured. A connector is added by
 * a restart, so this is how long the new process may take to notice such a payment; looking costs
 * one read.
 */
const LOOK_AGAIN_MS = 60_000;

/** What is known of an authentication while risk does not answer. */
const UNKNOWN: AuthenticationAnswer = { kind: 'notFound' };

/** The parts recovery is made of. */
export interface RecoveryParts {
  readonly store: Pick<PaymentStore, 'schedule'>;
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly connectors: Connectors;
  readonly questions: Pick<RiskQuestions, 'authentication'>;
  readonly resumption: Pick<AuthorizationResumption, 'goOn'>;
  readonly schedule: RecoverySchedule;
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'now' | 'nowOf'>;
  readonly logger: Logger;
}

/**
 * Recovers a payment that is due: inquires about transactions without a final outcome, reverses
 * what nobody can confirm, and opens a case for a person when nothing is left to try (D-24 to
 * D-28). It submits no sale but the first one after an authentication (page 0073).
 */
export class RecoveryProcessor {
  /** Missing connectors whose payments wait, each logged once. */
  readonly #missing = new Set<string>();

  constructor(private readonly parts: RecoveryParts) {}

  /** Does what is due for a payment, and sets when it is due next. */
  async recover(stream: PaymentStream): Promise<void> {
    const { streams, writer, connectors, schedule, clock, store } = this.parts;
    await streams.inTurn(stream, () => writer.ensureLoaded(stream));
    const capabilities = connectors.capabilitiesFor(stream.state);
    const nowMs = clock.nowOf(firstOf(stream.state));
    const steps = recoverySteps(stream.state, nowMs, capabilities, schedule);
    const isOfAcquirer = steps.some(({ kind }) => kind !== 'inquireAuthentication');
    if (isOfAcquirer && connectors.ofPayment(stream.state) === undefined) {
      return this.#keep(stream);
    }
    for (const step of steps) await this.#perform(stream, step);
    // In turn, and only if nothing was appended meanwhile: an append sets its own date.
    await streams.inTurn(stream, () =>
      store.schedule(stream.id, writer.dueInMs(stream.state), stream.version),
    );
  }

  /**
   * Leaves a payment whose connector is not configured as it is until the connector is back. Only
   * its acquirer knows what became of it, and a forgotten setting must not make recovery give up on
   * it.
   */
  async #keep(stream: PaymentStream): Promise<void> {
    const { streams, store, logger } = this.parts;
    const connector = initialTransaction(stream.state).request?.connector ?? 'none';
    if (!this.#missing.has(connector)) {
      this.#missing.add(connector);
      logger.warn(
        { connector, streamId: stream.id },
        'Open payments wait for a connector that is not configured; nothing is recorded of them.',
      );
    }
    await streams.inTurn(stream, () => store.schedule(stream.id, LOOK_AGAIN_MS, stream.version));
  }

  async #perform(stream: PaymentStream, step: RecoveryStep): Promise<void> {
    const { connectors, streams, writer, clock } = this.parts;
    if (step.kind === 'refundLateApproval') return this.#refundLateApproval(stream, step);
    if (step.kind === 'inquireAuthentication') return this.#inquireAuthentication(stream, step);
    const connector = connectors.ofPayment(stream.state);
    const first = firstOf(stream.state);
    for (const finding of await findingsOf(step, connector, () => clock.nowOf(first))) {
      const isNew = await streams.inTurn(stream, () => writer.record(stream, finding));
      if (isNew) this.#log(stream, step);
    }
  }

  /**
   * Where the shopper was authenticated and did not come back, the acquirer is asked for the first time:
   * until then nothing was sent, so nothing is sent twice (page 0073).
   */
  async #inquireAuthentication(stream: PaymentStream, step: InquireAuthentication): Promise<void> {
    const { questions, resumption, machine } = this.parts;
    const { transactionId, authenticationId } = step;
    const answer = await questions.authentication(authenticationId).catch((error: unknown) => {
      this.#noteSilence(stream, step, error);
      return undefined;
    });
    const isKnownToBeOver = answer !== undefined && step.isOver && !isOpen(answer, machine.now());
    const last = isKnownToBeOver || step.last;
    const answered = { authenticationId, answer: answer ?? UNKNOWN, last };
    await resumption.goOn(stream, transactionId, answered);
  }

  /** Before its end, nobody minds: risk is asked again. */
  #noteSilence({ id }: PaymentStream, { isOver }: InquireAuthentication, error: unknown): void {
    const { logger } = this.parts;
    const fields = { err: error, streamId: id };
    if (isOver) logger.warn(fields, 'A payment waits until risk says how its shopper did.');
  }

  /**
   * The other thing that recovery submits: the refund of an approval that is too old to be reversed
   * (D-27), requested under its own reference first and sent once.
   */
  async #refundLateApproval(
    stream: PaymentStream,
    step: Extract<RecoveryStep, { kind: 'refundLateApproval' }>,
  ): Promise<void> {
    const { connectors, streams, writer, machine, clock, schedule } = this.parts;
    const { transactionId } = step;
    const connector = connectors.ofPayment(stream.state);
    const transaction = findTransaction(stream.state, transactionId);
    if (connector === undefined || transaction?.amount === undefined) return;
    const { name, capabilities } = connector;
    const acquirerReference = lateRefundReferenceOf(transactionId);
    const { entityId } = transaction.metadata;
    const nowMs = clock.now(entityId);
    const deadlineMs = nowMs + schedule.sendWindowMs + capabilities.callTimeoutMs;
    const request = { connector: name, acquirerReference, deadlineMs };
    const committedAtMs = machine.monotonicMs();
    const isOurs = await streams.inTurn(stream, () =>
      writer.record(stream, {
        type: 'RequestLateApprovalRefund',
        transactionId,
        nowMs,
        request,
      }),
    );
    const beginByMs = committedAtMs + schedule.sendWindowMs;
    if (!isOurs || machine.monotonicMs() > beginByMs) return;
    const original = transaction.lateApproval?.connectorTxId;
    const outcome = await connector.submit(
      {
        acquirerReference,
        operation: 'refund',
        amount: transaction.amount,
        originalReference: step.acquirerReference,
        originalOperation: step.original.operation,
        originalAmount: step.original.amount,
        ...(original !== undefined && { originalConnectorTxId: original }),
        mode: transaction.metadata.mode,
      },
      undefined,
      { timeoutMs: capabilities.callTimeoutMs, beginByMs },
    );
    if (outcome.kind === 'pending' || outcome.kind === 'unknown') return;
    const finding =
      outcome.kind === 'approved'
        ? lateRefund(step, outcome.connectorTxId, clock.now(entityId))
        : openCase(step, clock.now(entityId));
    await streams.inTurn(stream, () => writer.record(stream, finding));
    this.#log(stream, step);
  }

  #log({ id, state }: PaymentStream, { kind, transactionId }: RecoveryStep): void {
    const transaction = findTransaction(state, transactionId);
    const { status, openCase: reason } = transaction ?? {};
    const fields = { streamId: id, transactionId, step: kind, status, openCase: reason };
    this.parts.logger.info(fields, 'Recovery recorded what became of a transaction.');
  }
}

/** Risk has seen no end yet, and its time is not over either: it may have been given more. */
function isOpen(answer: AuthenticationAnswer, nowMs: number): boolean {
  return (answer.kind === 'redirect' || answer.kind === 'waiting') && answer.expiresAtMs > nowMs;
}
