import { isInfrastructure } from '@sluice/aggregates';
import type { Instrument, RevealedInstrument } from '@sluice/contracts';
import {
  attemptReferenceOf,
  type EndedAttempt,
  findTransaction,
  type Outcome,
  type Transaction,
} from '@sluice/domain-payments';
import type { TransactionId } from '@sluice/identifiers';
import type { Clock, EntityClock } from '@sluice/service';
import { isAdvisedAgainst, isRetryAdvised } from './advised-ways.js';
import type { EarlierPaymentsReader } from './earlier-payments.js';
import type { PaymentStream, PaymentStreams, PaymentWriter } from './payment-aggregate.js';
import type { PaymentRouting, WayTaken } from './payment-routing.js';

/** What is needed to request a further attempt. */
interface FurtherAttemptsParts {
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly routing: Pick<PaymentRouting, 'afterAttempt'>;
  readonly earlier: Pick<EarlierPaymentsReader, 'advisedOf'>;
  readonly machine: Pick<Clock, 'monotonicMs'>;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly sendWindowMs: number;
}

/** An attempt that has ended, and what the next one would be made with. */
interface AttemptMade {
  readonly transactionId: TransactionId;
  /** By the monotonic clock: after this, nobody waits for another attempt. */
  readonly lifeEndsMs: number;
  readonly instrument?: Instrument;
  readonly revealed?: RevealedInstrument | undefined;
}

/** Proof of one authentication, for one authorization: no second acquirer is sent it. */
const PROOF = 'threeDSecure.verificationId';

/**
 * After an attempt that certainly booked nothing, the next route has its own request event, and its own
 * call (pages 0054 and 0056).
 */
export class FurtherAttempts {
  constructor(private readonly parts: FurtherAttemptsParts) {}

  /**
   * Records that another acquirer is asked; returns an instant no later than the commit, by the
   * monotonic clock, or undefined if the outcome is the payment's own.
   */
  async request(
    stream: PaymentStream,
    made: AttemptMade,
    outcome: Outcome,
  ): Promise<number | undefined> {
    const ended = endedBy(outcome, made);
    const { streams, writer, machine, clock, routing, sendWindowMs } = this.parts;
    const committedAtMs = machine.monotonicMs();
    if (ended === undefined || committedAtMs >= made.lifeEndsMs) return undefined;
    const { transactionId } = made;
    const transaction = findTransaction(stream.state, transactionId);
    const way = transaction && routing.afterAttempt(transaction, ended);
    if (transaction === undefined || way?.route === undefined) return undefined;
    if (!(await this.#isAllowed(stream, way, { transaction, ended }))) return undefined;
    const { connector, route } = way;
    const nowMs = clock.now(transaction.metadata.entityId);
    const attempt = (transaction.failedAttempts?.length ?? 0) + 2;
    const request = {
      connector: connector.name,
      acquirerReference: attemptReferenceOf(transactionId, attempt),
      deadlineMs: nowMs + sendWindowMs + connector.capabilities.callTimeoutMs,
    };
    const command = { type: 'RerouteTransaction', transactionId, nowMs, ended } as const;
    const isOurs = await streams.inTurn(stream, () =>
      writer.record(stream, { ...command, request, route }),
    );
    return isOurs ? committedAtMs : undefined;
  }

  /** Nobody knows while the database is away: then it goes nowhere else. */
  async #isAllowed(
    { state }: PaymentStream,
    way: WayTaken,
    { transaction, ended }: { readonly transaction: Transaction; readonly ended: EndedAttempt },
  ): Promise<boolean> {
    try {
      const attempts = await this.parts.earlier.advisedOf(transaction);
      const nowMs = this.parts.clock.now(transaction.metadata.entityId);
      const known = { attempts, nowMs };
      return ended.reason === 'declined'
        ? isRetryAdvised(state, way, { ...known, decline: ended.decline })
        : !isAdvisedAgainst(state, way, known);
    } catch (error) {
      if (isInfrastructure(error)) return false;
      throw error;
    }
  }
}

/** How an attempt has ended, if another one may follow it at all. */
function endedBy(outcome: Outcome, made: AttemptMade): EndedAttempt | undefined {
  switch (outcome.kind) {
    case 'notPerformed':
      return { reason: outcome.reason };
    case 'declined': {
      const { kind: _, ...decline } = outcome;
      return canBeSentAgain(made) ? { reason: 'declined', decline } : undefined;
    }
    case 'approved':
    case 'pending':
    case 'unknown':
      return undefined;
  }
}

/** A card's details are good for every acquirer; what a wallet or an authentication proves is not. */
function canBeSentAgain({ instrument, revealed }: AttemptMade): boolean {
  if (instrument?.kind !== 'card' || instrument.wallet !== undefined) return false;
  return revealed !== undefined && !(PROOF in revealed.details);
}
