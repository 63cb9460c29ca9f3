import type { AuthenticationAnswer } from '@sluice/contracts';
import {
  type AwaitAuthentication,
  findTransaction,
  type Outcome,
  type Transaction,
} from '@sluice/domain-payments';
import { newTransactionIdInChainOf } from '@sluice/identifiers';
import { QueryUnavailable } from '@sluice/messaging';
import { DEVICE_INFO } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { Clock, EntityClock, Logger } from '@sluice/service';
import { type Authentications, recordedPayment } from './authentications.js';
import type { NextAuthorizations } from './next-authorizations.js';
import type { PaymentStream, PaymentStreams, PaymentWriter } from './payment-aggregate.js';
import type { CallDetails } from './payment.workflow.js';

/** The parts they are made of. */
export interface SecondAuthenticationsParts {
  readonly authentications: Pick<Authentications, 'settingsOf' | 'begin'>;
  readonly next: Pick<NextAuthorizations, 'of'>;
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly machine: Clock;
  readonly clock: EntityClock;
  readonly logger: Logger;
}

/** How a payment stands whose issuer may have wanted an authentication. */
export type Followed =
  /** The outcome is the payment's own. */
  | { readonly kind: 'notFollowed' }
  /** For its shopper, or for the issuer. */
  | { readonly kind: 'waits' }
  /** It was over at once, and the payment with it. */
  | { readonly kind: 'ended' }
  /** It was over at once, and whoever began it asks the acquirer again: no later than this, it was recorded. */
  | { readonly kind: 'goesOn'; readonly committedAtMs: number };

const NOT_FOLLOWED: Followed = { kind: 'notFollowed' };

/**
 * Issuers may decline a payment because its shopper was not authenticated, or not asked (a soft decline). Where
 * the channel has 3-D Secure and the shopper is there, he is asked then, and the payment is tried again: once.
 */
export class SecondAuthentications {
  constructor(private readonly parts: SecondAuthenticationsParts) {}

  /** Whether one could follow, so that the card is still needed after the call. */
  mayFollow(
    stream: PaymentStream,
    { transactionId, redirectUrl, instrument, sent }: CallDetails,
  ): boolean {
    const transaction = findTransaction(stream.state, transactionId);
    if (transaction === undefined || redirectUrl === undefined) return false;
    const { metadata, failedAttempts = [], authentication } = transaction;
    const wasAsked = authentication?.flow === 'challenge' || authentication?.flow === 'decoupled';
    const isSecond = failedAttempts.some(({ decline }) => isSoft(decline?.resultCode));
    // The SDK of an app has made what it says for one request alone.
    const isInApp = sent.personal?.[DEVICE_INFO] !== undefined;
    const isPossible = instrument?.kind === 'card' && instrument.wallet === undefined && !isInApp;
    return (
      isPossible &&
      !wasAsked &&
      !isSecond &&
      this.parts.authentications.settingsOf(metadata.entityId) !== undefined
    );
  }

  /** Begins it, if the issuer wants one. Nobody waits for one that is over at once. */
  async follow(stream: PaymentStream, details: CallDetails, outcome: Outcome): Promise<Followed> {
    if (outcome.kind !== 'declined' || !isSoft(outcome.resultCode)) return NOT_FOLLOWED;
    const transaction = findTransaction(stream.state, details.transactionId);
    if (transaction === undefined || !this.mayFollow(stream, details)) return NOT_FOLLOWED;
    const { kind: _, ...decline } = outcome;
    const authenticationId = newTransactionIdInChainOf(transaction.id, this.parts.machine.now());
    const answer = await this.#begin(transaction, authenticationId, details);
    const found = answer && this.#foundOut(transaction, answer);
    if (found === undefined) return NOT_FOLLOWED;
    const { streams, writer, machine, clock } = this.parts;
    const { entityId } = transaction.metadata;
    const committedAtMs = machine.monotonicMs();
    await streams.inTurn(stream, () =>
      writer.record(stream, {
        ...({ type: 'AwaitAuthentication', transactionId: transaction.id } as const),
        ...{
          nowMs: clock.now(entityId),
          authenticationId,
          decline,
          resumption: resumptionOf(details),
        },
        ...found,
      }),
    );
    const recorded = findTransaction(stream.state, transaction.id);
    const { awaited, authentication, status } = recorded ?? {};
    // Nobody else knows this id, so it tells also where the answer to the append was lost.
    const isOurs = [awaited, authentication].some(
      (of) => of?.authenticationId === authenticationId,
    );
    if (!isOurs) return NOT_FOLLOWED;
    if (found.ended === undefined) return { kind: 'waits' };
    return status === 'requested' ? { kind: 'goesOn', committedAtMs } : { kind: 'ended' };
  }

  /** What is recorded of it; undefined where nothing was begun, or nobody could be asked. */
  #foundOut(
    transaction: Transaction,
    answer: AuthenticationAnswer,
  ): Pick<AwaitAuthentication, 'expiresAtMs' | 'redirect' | 'ended'> | undefined {
    const { clock } = this.parts;
    const { entityId } = transaction.metadata;
    switch (answer.kind) {
      case 'completed': {
        const { result } = answer;
        // The issuer's decline is still all there is: sent again, it would only be declined again.
        if (result.flow === 'none') return undefined;
        // The attempt that was declined counts, and is not among those that have failed yet.
        const failed = (transaction.failedAttempts?.length ?? 0) + 1;
        const goesOnBy = result.goesOn ? this.parts.next.of(transaction, failed) : undefined;
        const ended = { result, ...(goesOnBy !== undefined && { goesOnBy }) };
        return { expiresAtMs: clock.now(entityId), ended };
      }
      case 'redirect':
        return {
          expiresAtMs: clock.ofMachine(entityId, answer.expiresAtMs),
          redirect: answer.redirect,
        };
      case 'waiting':
        return { expiresAtMs: clock.ofMachine(entityId, answer.expiresAtMs) };
      case 'refused':
      case 'notFound':
        return undefined;
    }
  }

  /** Where risk is away, the decline is what the merchant hears. */
  async #begin(
    transaction: Transaction,
    authenticationId: Transaction['id'],
    { sent, testDirectives, redirectUrl }: CallDetails,
  ): Promise<AuthenticationAnswer | undefined> {
    const { amount, assessment } = transaction;
    if (amount === undefined) return undefined;
    try {
      return await this.parts.authentications.begin({
        ...{ ...recordedPayment(transaction, amount), authenticationId },
        ...{ parameters: { ...sent.parameters, ...sent.personal }, challengeIsMandated: true },
        // What a rule has demanded holds as long as the payment does.
        ...(assessment?.decision === 'challenge' && { isOfRule: true }),
        ...(testDirectives !== undefined && { testDirectives }),
        ...(redirectUrl !== undefined && { redirectUrl }),
      });
    } catch (error) {
      if (!(error instanceof QueryUnavailable)) throw error;
      this.parts.logger.warn({ err: error }, 'A shopper could not be authenticated a second time.');
      return undefined;
    }
  }
}

function resumptionOf({
  returnUrl,
  redirectUrl,
  testDirectives,
  storedByPaymentId,
}: CallDetails): AwaitAuthentication['resumption'] {
  return {
    ...(returnUrl !== undefined && { returnUrl }),
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(testDirectives !== undefined && { testDirectives }),
    ...(storedByPaymentId !== undefined && { storedByPaymentId }),
  };
}

function isSoft(resultCode: string | undefined): boolean {
  return resultCode === codes.softDecline;
}
