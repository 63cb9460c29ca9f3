import type { StreamQueries } from '@sluice/aggregates';
import type { AuthenticationAnswer, AuthenticationResult } from '@sluice/contracts';
import { findTransaction, type Transaction, initialTransaction } from '@sluice/domain-payments';
import type { TransactionId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import type { Clock, EntityClock } from '@sluice/service';
import type { NextAuthorizations } from './next-authorizations.js';
import {
  type PaymentStream,
  type PaymentStreams,
  type PaymentWriter,
} from './payment-aggregate.js';
import type { PaymentWorkflow } from './payment.workflow.js';

/** Nobody waits for it any more, so it may take the time of a further attempt. */
const LIFE_MS = 60_000;

/** The parts it is made of. */
export interface AuthorizationResumptionParts {
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly workflow: Pick<PaymentWorkflow, 'execute' | 'forget'>;
  readonly next: Pick<NextAuthorizations, 'of'>;
  readonly blocks: Pick<StreamQueries, 'personalParameters'>;
  readonly machine: Pick<Clock, 'monotonicMs'>;
  readonly clock: EntityClock;
}

/** What was asked about, and how it stands. */
export interface AnsweredAuthentication {
  readonly authenticationId: TransactionId;
  readonly answer: AuthenticationAnswer;
  /** Its time is over: without a word, it has failed. */
  readonly last?: boolean;
}

/** How an authentication ends of which nobody has heard until its time was over. */
const TIMED_OUT: AuthenticationResult = {
  ...({ flow: 'none', goesOn: false, resultCode: codes.pendingTimedOut } as const),
  ...{ liabilityShifts: false },
};

/**
 * Goes on with a payment whose shopper was authenticated. Whoever records that the acquirer is asked makes
 * the call, and the version of the stream decides who that is: never two (page 0073).
 */
export class AuthorizationResumption {
  constructor(private readonly parts: AuthorizationResumptionParts) {}

  /**
   * Records how the authentication of a payment ended, and asks the acquirer if it may go on. Nothing happens
   * if it has not ended, or somebody else was first, or the payment waits for another one by now.
   */
  async goOn(
    stream: PaymentStream,
    transactionId: TransactionId,
    { authenticationId, answer, last = false }: AnsweredAuthentication,
  ): Promise<void> {
    const awaiting = findTransaction(stream.state, transactionId);
    const result = resultOf(answer) ?? (last ? TIMED_OUT : undefined);
    if (awaiting?.awaited?.authenticationId !== authenticationId) return;
    if (result === undefined)
      return this.#show(stream, transactionId, { authenticationId, answer });
    const { resumption } = awaiting.awaited;
    const { streams, writer, workflow, next, machine, clock } = this.parts;
    const failed = awaiting.failedAttempts?.length ?? 0;
    const goesOnBy = result.goesOn ? next.of(awaiting, failed) : undefined;
    const committedAtMs = machine.monotonicMs();
    const nowMs = clock.now(awaiting.metadata.entityId);
    const isOurs = await streams.inTurn(stream, () =>
      writer.record(stream, {
        ...({ type: 'RecordAuthentication', transactionId, nowMs } as const),
        ...{ authenticationId, result, ...(goesOnBy !== undefined && { goesOnBy }) },
      }),
    );
    if (!isOurs) return;
    const { instrument } = awaiting;
    if (goesOnBy === undefined) return workflow.forget(instrument);
    const personal = await this.#personalOf(stream, awaiting);
    const { returnUrl, testDirectives, storedByPaymentId, redirectUrl } = resumption;
    await workflow.execute(stream, {
      ...{ transactionId, committedAtMs, lifeEndsMs: committedAtMs + LIFE_MS },
      sent: { parameters: awaiting.parameters, personal },
      ...(instrument !== undefined && { instrument }),
      ...(returnUrl !== undefined && { returnUrl }),
      ...(redirectUrl !== undefined && { redirectUrl }),
      ...(testDirectives !== undefined && { testDirectives }),
      ...(storedByPaymentId !== undefined && { storedByPaymentId }),
    });
  }

  /** The issuer took longer than the payment's first answer: the app is told what it goes on with. */
  async #show(
    stream: PaymentStream,
    transactionId: TransactionId,
    { authenticationId, answer }: AnsweredAuthentication,
  ): Promise<void> {
    if (answer.kind !== 'waiting' || answer.appChallenge === undefined) return;
    const { appChallenge } = answer;
    const { streams, writer, clock } = this.parts;
    const { entityId } = initialTransaction(stream.state).metadata;
    const nowMs = clock.now(entityId);
    const expiresAtMs = clock.ofMachine(entityId, answer.expiresAtMs);
    await streams.inTurn(stream, () =>
      writer.record(stream, {
        ...({ type: 'RecordAppChallenge', transactionId, nowMs } as const),
        ...{ authenticationId, appChallenge, expiresAtMs },
      }),
    );
  }

  /** Empty once it was erased. */
  async #personalOf(
    { id: streamId }: PaymentStream,
    { id: transactionId, personal: sealed }: Transaction,
  ): Promise<Readonly<Record<string, string>>> {
    if (sealed === undefined) return {};
    const items = [{ streamId, transactionId, sealed }];
    const { blocks } = await this.parts.blocks.personalParameters({ items });
    return blocks[0]?.personal ?? {};
  }
}

function resultOf(answer: AuthenticationAnswer): AuthenticationResult | undefined {
  return answer.kind === 'completed' ? answer.result : undefined;
}
