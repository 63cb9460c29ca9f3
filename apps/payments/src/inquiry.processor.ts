import {
  findTransaction,
  initialTransaction,
  lateRefundReferenceOf,
  type RecoverySchedule,
  type RecoveryStep,
  recoverySteps,
} from '@sluice/domain-payments';
import { type RemoteClock, type Logger, Outage } from '@sluice/service';
import type { Connectors } from './connectors.js';
import type { PaymentEvents, PaymentRecord } from './payment-record.js';
import type { PaymentStream, PaymentStreams } from './payment-streams.js';
import { findingsOf, lateRefund, openCase } from './recovery-calls.js';

/** How often the sweeper looks, and how much it does at once. */
export interface SweepLimits {
  readonly pollIntervalMs: number;
  /** Payments looked at in the same time: one that hangs holds one place, not the others. */
  readonly concurrencyMax: number;
  /** How long a claimed payment belongs to this process. */
  readonly claimLeaseMs: number;
}

/**
 * How soon a payment without its connector is looked at again. Connectors come with a restart, so this
 * is how long the new process may take to find it; it costs one read.
 */
const LOOK_AGAIN_MS = 60_000;

/** The parts a sweeper is made of. */
export interface SweeperParts {
  readonly store: PaymentEvents;
  readonly streams: PaymentStreams;
  readonly record: PaymentRecord;
  readonly connectors: Connectors;
  readonly schedule: RecoverySchedule;
  readonly limits: SweepLimits;
  readonly clock: Pick<RemoteClock, 'now' | 'monotonicMs' | 'steppedForwardAtMs'>;
  readonly logger: Logger;
}

/**
 * The sweeper: finds transactions without a final outcome, asks, undoes what nobody can confirm,
 * and calls a person when nothing is left to try (D-24 to D-28). It never submits
 * a sale.
 */
export class InquiryProcessor {
  readonly #underWay = new Set<Promise<void>>();
  /** Connectors that payments were kept for, each told once. */
  readonly #missing = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #stopped = false;
  readonly #outage: Outage;

  constructor(private readonly parts: SweeperParts) {
    this.#outage = new Outage(parts.clock, parts.logger, {
      begins: 'The sweeper cannot look for open payments.',
      goesOn: 'The sweeper still cannot look for open payments.',
      ends: 'The sweeper looks for open payments again.',
    });
  }

  /** Begins to look, now and then at every interval. */
  start(): void {
    this.#schedulePoll(0);
  }

  /** Claims nothing more and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#polling;
    await Promise.all(this.#underWay);
  }

  /** Looks once and waits until all that was due is done; for tools and tests. */
  async sweepOnce(): Promise<number> {
    const streamIds = await this.#claim();
    await Promise.all(streamIds.map((streamId) => this.#recoverSafely(streamId)));
    return streamIds.length;
  }

  #schedulePoll(afterMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll();
    }, afterMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    const { limits } = this.parts;
    let claimed = 0;
    try {
      const streamIds = await this.#claim();
      this.#outage.over();
      claimed = streamIds.length;
      for (const streamId of streamIds) this.#begin(streamId);
    } catch (error) {
      this.#outage.failed(error);
    }
    const more = claimed > 0 && this.#underWay.size < limits.concurrencyMax;
    this.#schedulePoll(more ? 0 : limits.pollIntervalMs);
  }

  async #claim(): Promise<readonly string[]> {
    const { store, limits } = this.parts;
    const limit = this.#isResting() ? 0 : limits.concurrencyMax - this.#underWay.size;
    return limit > 0 ? store.claimDueStreams({ limit, leaseMs: limits.claimLeaseMs }) : [];
  }

  /**
   * After the database's clock was set forward nobody knows how old a request is. When a lease has
   * passed, whatever was sent before is older than anything that may be under way (D-25).
   */
  #isResting(): boolean {
    const { clock, schedule } = this.parts;
    return clock.monotonicMs() - clock.steppedForwardAtMs < schedule.leaseMs;
  }

  #begin(streamId: string): void {
    const recovery = this.#recoverSafely(streamId);
    this.#underWay.add(recovery);
    void recovery.finally(() => this.#underWay.delete(recovery));
  }

  /** One payment that cannot be recovered must not keep the others waiting (R-UNK-06). */
  async #recoverSafely(streamId: string): Promise<void> {
    const { streams, logger } = this.parts;
    const stream = streams.hold(streamId);
    try {
      await this.#recover(stream);
    } catch (error) {
      logger.error(
        { err: error, streamId },
        'A payment could not be recovered; tried again later.',
      );
    } finally {
      streams.release(stream);
    }
  }

  async #recover(stream: PaymentStream): Promise<void> {
    const { streams, record, connectors, schedule, clock, store } = this.parts;
    await streams.inTurn(stream, () => record.ensureLoaded(stream));
    const capabilities = connectors.capabilitiesFor(stream.state);
    const steps = recoverySteps(stream.state, clock.now(), capabilities, schedule);
    if (steps.length > 0 && connectors.ofPayment(stream.state) === undefined) {
      return this.#keep(stream);
    }
    for (const step of steps) await this.#perform(stream, step);
    // While nobody moves the payment: a newer append has said by itself when it is due.
    await streams.inTurn(stream, () =>
      store.schedule(stream.id, record.dueInMs(stream.state), stream.version),
    );
  }

  /**
   * A payment whose connector is not configured: only its acquirer knows what became of it, and a
   * setting that was forgotten must give nothing up. It stays as it is until the connector is back.
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
    const { connectors, streams, record, clock } = this.parts;
    if (step.kind === 'refundLateApproval') return this.#refundLateApproval(stream, step);
    const connector = connectors.ofPayment(stream.state);
    for (const finding of await findingsOf(step, connector, () => clock.now())) {
      const isNew = await streams.inTurn(stream, () => record.record(stream, finding));
      if (isNew) this.#log(stream, step);
    }
  }

  /**
   * The one thing recovery submits: the refund of an approval that is too old to be reversed
   * (D-27), requested under its own reference first and sent once.
   */
  async #refundLateApproval(
    stream: PaymentStream,
    step: Extract<RecoveryStep, { kind: 'refundLateApproval' }>,
  ): Promise<void> {
    const { connectors, streams, record, clock, schedule } = this.parts;
    const { transactionId } = step;
    const connector = connectors.ofPayment(stream.state);
    const transaction = findTransaction(stream.state, transactionId);
    if (connector === undefined || transaction?.amount === undefined) return;
    const { name, capabilities } = connector;
    const acquirerReference = lateRefundReferenceOf(transactionId);
    const nowMs = clock.now();
    const deadlineMs = nowMs + schedule.sendWindowMs + capabilities.callTimeoutMs;
    const request = { connector: name, acquirerReference, deadlineMs };
    const committedAtMs = clock.monotonicMs();
    const isOurs = await streams.inTurn(stream, () =>
      record.record(stream, {
        type: 'RequestLateApprovalRefund',
        transactionId,
        nowMs,
        request,
      }),
    );
    const beginByMs = committedAtMs + schedule.sendWindowMs;
    if (!isOurs || clock.monotonicMs() > beginByMs) return;
    const outcome = await connector.submit(
      {
        acquirerReference,
        operation: 'refund',
        amount: transaction.amount,
        originalReference: step.acquirerReference,
        mode: transaction.metadata.mode,
      },
      undefined,
      { timeoutMs: capabilities.callTimeoutMs, beginByMs },
    );
    if (outcome.kind === 'pending' || outcome.kind === 'unknown') return;
    const finding =
      outcome.kind === 'approved'
        ? lateRefund(step, outcome.connectorTxId, clock.now())
        : openCase(step, clock.now());
    await streams.inTurn(stream, () => record.record(stream, finding));
    this.#log(stream, step);
  }

  #log({ id, state }: PaymentStream, { kind, transactionId }: RecoveryStep): void {
    const transaction = findTransaction(state, transactionId);
    const { status, openCase: reason } = transaction ?? {};
    const fields = { streamId: id, transactionId, step: kind, status, openCase: reason };
    this.parts.logger.info(fields, 'Recovery recorded what became of a transaction.');
  }
}
