import type { AuthenticationAnswer } from '@sluice/contracts';
import { findTransaction, type Outcome, type Transaction } from '@sluice/domain-payments';
import { newTransactionIdInChainOf } from '@sluice/identifiers';
import { QueryUnavailable } from '@sluice/messaging';
import { codes } from '@sluice/result-codes';
import type { Clock, Logger } from '@sluice/service';
import { type Authentications, recordedPayment } from './authentications.js';
import type { PaymentStream, PaymentStreams, PaymentWriter } from './payment-aggregate.js';
import type { CallDetails } from './payment.workflow.js';

/** The parts they are made of. */
export interface SecondAuthenticationsParts {
  readonly authentications: Pick<Authentications, 'settingsOf' | 'begin'>;
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Issuers may decline a payment because its shopper was not authenticated, or not asked (a soft decline). Where
 * the channel has 3-D Secure and the shopper is there, he is asked then, and the payment is tried again: once.
 */
export class SecondAuthentications {
  constructor(private readonly parts: SecondAuthenticationsParts) {}

  /** Whether one could follow, so that the card is still needed after the call. */
  mayFollow(
    stream: PaymentStream,
    { transactionId, redirectUrl, instrument }: CallDetails,
  ): boolean {
    const transaction = findTransaction(stream.state, transactionId);
    if (transaction === undefined || redirectUrl === undefined) return false;
    const { metadata, failedAttempts = [], authentication } = transaction;
    const wasAsked = authentication?.flow === 'challenge' || authentication?.flow === 'decoupled';
    const isSecond = failedAttempts.some(({ decline }) => isSoft(decline?.resultCode));
    const isPossible = instrument?.kind === 'card' && instrument.wallet === undefined;
    return (
      isPossible &&
      !wasAsked &&
      !isSecond &&
      this.parts.authentications.settingsOf(metadata.entityId) !== undefined
    );
  }

  /** Begins it, if the issuer wants one; false if the outcome is the payment's own. */
  async follow(stream: PaymentStream, details: CallDetails, outcome: Outcome): Promise<boolean> {
    if (outcome.kind !== 'declined' || !isSoft(outcome.resultCode)) return false;
    const transaction = findTransaction(stream.state, details.transactionId);
    if (transaction === undefined || !this.mayFollow(stream, details)) return false;
    const { kind: _, ...decline } = outcome;
    const authenticationId = newTransactionIdInChainOf(transaction.id, this.parts.clock.now());
    const answer = await this.#begin(transaction, authenticationId, details);
    if (answer?.kind !== 'redirect' && answer?.kind !== 'waiting') return false;
    const { streams, writer, clock } = this.parts;
    const { returnUrl, redirectUrl, testDirectives, storedByPaymentId } = details;
    const resumption = {
      ...(returnUrl !== undefined && { returnUrl }),
      ...(redirectUrl !== undefined && { redirectUrl }),
      ...(testDirectives !== undefined && { testDirectives }),
      ...(storedByPaymentId !== undefined && { storedByPaymentId }),
    };
    return streams.inTurn(stream, () =>
      writer.record(stream, {
        ...({ type: 'AwaitAuthentication', transactionId: transaction.id } as const),
        ...{ nowMs: clock.now(), authenticationId, decline, resumption },
        ...(answer.kind === 'redirect' && { redirect: answer.redirect }),
        expiresAtMs: answer.expiresAtMs,
      }),
    );
  }

  /** Where risk is away, the decline is what the merchant hears. */
  async #begin(
    transaction: Transaction,
    authenticationId: Transaction['id'],
    { sent, testDirectives, redirectUrl }: CallDetails,
  ): Promise<AuthenticationAnswer | undefined> {
    const { amount } = transaction;
    if (amount === undefined) return undefined;
    try {
      return await this.parts.authentications.begin({
        ...{ ...recordedPayment(transaction, amount), authenticationId },
        ...{ parameters: { ...sent.parameters, ...sent.personal }, challengeIsMandated: true },
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

function isSoft(resultCode: string | undefined): boolean {
  return resultCode === codes.softDecline;
}
