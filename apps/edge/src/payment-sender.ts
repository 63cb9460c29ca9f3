import type { BinTable, ShownTransaction } from '@sluice/answers';
import type {
  FixedAnswer,
  PaymentCommandMessage,
  PaymentReply,
  ReferenceOperation,
  TransactionOutcome,
} from '@sluice/contracts';
import {
  isTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import { type Kind, usedRegistrationOf } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { Clock } from '@sluice/service';
import { mayUseSibling } from './access.js';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, type Refusal, Refused } from './answer.js';
import { cryptogramOf } from './authentication-cryptogram.js';
import { refuseIdleDayOf } from './collection-days.js';
import type { CommandClient, Sending, ServiceCommands } from './command-client.js';
import { findTransaction } from './find-transaction.js';
import { type DuplicateSettings, outcomeOfFirst } from './idempotency.js';
import { idempotencyKeyOf, KEY_CONFLICT } from './idempotency-claims.js';
import { withIssuerWords } from './issuer-words.js';
import { paymentAnswer, uncertainAnswer } from './payment-answer.js';
import { referToPayment } from './payment-commands.js';
import { BUSY, UNAVAILABLE } from './refusals.js';
import { noteCommand } from './request-span.js';
import { idOfNothing } from './young-ids.js';

/** The resource that payments are made in, as the scope of idempotency keys names it. */
export const PAYMENTS = '/v1/payments';

/** A command to payments, with what its answer needs. */
export interface PaymentSending extends Sending<PaymentCommandMessage> {
  /** What the command has sealed. */
  readonly personal: Readonly<Record<string, string>>;
  /** What an unknown referenced transaction is answered with. */
  readonly notFound: Refusal;
}

/** A request that refers to a transaction. */
export interface PaymentReference {
  readonly kind: Kind;
  readonly operation: ReferenceOperation;
  /** As it was sent. */
  readonly referencedId: string;
  /** Where it was sent to, see `idempotencyKeyOf`. */
  readonly resource: string;
  /** The answer if there is no such transaction. */
  readonly notFound: Refusal;
}

/** What commands to payments are sent and answered with. */
export interface PaymentSenderParts {
  readonly commands: CommandClient;
  /** Asked after the command was sent, when a missing answer is no reason to refuse. */
  readonly queries: Queries;
  /** Further details of cards for answers. */
  readonly bins: BinTable;
  readonly clock: Clock;
  readonly duplicates: DuplicateSettings;
}

/** Sends commands to payments, and answers with what becomes of them. */
export class PaymentSender implements ServiceCommands<PaymentSending, PaymentReply> {
  readonly service = 'payments';

  constructor(private readonly parts: PaymentSenderParts) {}

  /** Sends a command once and answers whatever comes of it. */
  send(sending: PaymentSending): Promise<Answer> {
    noteCommand(sending.command);
    return this.parts.commands.send(sending, this);
  }

  /** Sends what refers to a transaction, whether its id stands in the path or in a parameter. */
  async refer(admitted: AdmittedRequest, reference: PaymentReference): Promise<Answer> {
    const { kind, operation, referencedId, resource, notFound } = reference;
    const { kept: keptParameters, claims } = this.parts.commands;
    const key = idempotencyKeyOf(admitted, resource);
    if (!isTransactionId(referencedId)) throw new Refused(notFound);
    await refuseIdleDayOf(referencedId, admitted, { kind, queries: this.parts.queries });
    const transactionId = newTransactionIdInChainOf(referencedId, admitted.receivedAtMs, key);
    const { personal, ...kept } = await keptParameters.of(admitted.form, kind, transactionId);
    const claim = claims.of(admitted, key, { id: transactionId });
    const parts = { admitted, kind, transactionId, ...kept, ...claim };
    const command = referToPayment(parts, operation, referencedId);
    return this.send({ admitted, command, personal, notFound });
  }

  idOf({ command }: PaymentSending): TransactionId {
    return command.data.transactionId;
  }

  isRejection({ command }: PaymentSending): boolean {
    return command.data.rejection !== undefined;
  }

  needsInstrument(reply: PaymentReply): boolean {
    return reply.kind === 'transaction' && reply.outcome.status !== 'rejected';
  }

  replied(reply: PaymentReply, sending: PaymentSending): Answer | Promise<Answer> {
    const { admitted, notFound } = sending;
    switch (reply.kind) {
      case 'transaction':
        return reply.outcome.authentication === undefined &&
          reply.outcome.operation !== 'authentication'
          ? this.#answer(sending, reply.outcome)
          : this.#answerWithProof(sending, reply.outcome);
      case 'full':
        return this.#answer(sending, tooMany(sending));
      case 'keyTaken':
        return this.#answerDuplicate(reply, sending);
      case 'notFound':
        throw new Refused(notFound);
      case 'foreignEntity':
        throw new Refused(
          mayUseSibling(admitted.index, admitted.access, reply.entityId)
            ? { code: codes.channelDiffers }
            : notFound,
        );
      case 'busy':
        throw new Refused(BUSY);
      case 'unavailable':
      case 'elsewhere': // Only if this edge is not told of the cells that there are (page 0047).
        throw new Refused(UNAVAILABLE);
    }
  }

  unanswered(sending: PaymentSending): Answer {
    return this.#answer(sending, provisionalOutcome(sending.command));
  }

  uncertain(sending: PaymentSending): Answer {
    const shown = shownOf(sending, provisionalOutcome(sending.command));
    return uncertainAnswer(shown, sending.admitted.stamp, this.parts.bins);
  }

  /**
   * If payments recorded something before it gave up, its sweeper finishes that. If nothing is
   * recorded, nothing was or ever will be performed: the command's life is over (D-17). Then nothing claims its key either: a
   * repetition is performed under another id, so none is answered (D-36).
   */
  async failed(sending: PaymentSending): Promise<Answer> {
    const { admitted, command, instrument } = sending;
    const { commands, queries } = this.parts;
    try {
      const found = await findTransaction(queries, admitted, command.data.transactionId);
      if (found !== undefined) return this.unanswered(sending);
    } catch (error) {
      if (error instanceof QueryUnavailable) return this.uncertain(sending);
      throw error;
    }
    commands.instruments.forget(instrument);
    if (command.data.idempotency !== undefined) throw new Refused(UNAVAILABLE);
    const provisional = provisionalOutcome(command);
    const notPerformed = { ...provisional, resultCode: codes.notPerformed } as const;
    return this.#answer(sending, { ...notPerformed, status: 'notPerformed' });
  }

  /**
   * The key was used before. If the input is the same, answers the current state of the first
   * transaction, with the id, ndc, timestamp and buildNumber of the first answer (D-36).
   */
  async #answerDuplicate(
    { fingerprint, answer, outcome }: PaymentReply & { kind: 'keyTaken' },
    sending: PaymentSending,
  ): Promise<Answer> {
    const { admitted, command } = sending;
    if (fingerprint !== command.data.idempotency?.fingerprint) throw new Refused(KEY_CONFLICT);
    const { queries, clock, duplicates, bins } = this.parts;
    const final =
      outcome !== undefined && outcome.status !== 'requested'
        ? outcome
        : await outcomeOfFirst({
            look: () => findTransaction(queries, admitted, answer.id),
            ...duplicates,
            clock,
          });
    const shown = final ?? { ...provisionalOutcome(command), id: answer.id };
    const recorded = await this.#recordedOf(admitted, answer);
    const { parameters, ...first } = shownOf(sending, shown);
    const proof = await this.#proofOf(admitted, shown);
    const ofFirst = { ...first, ...proof, parameters: parametersOfFirst(parameters, answer) };
    return paymentAnswer({ ...ofFirst, ...recorded }, answer, bins);
  }

  /**
   * What the first payment by registration was made with: the registration may have been changed or
   * deleted since, and the payment was not. Undefined for any other, which its request says, and where
   * payments cannot be asked.
   */
  async #recordedOf(
    admitted: AdmittedRequest,
    { id }: FixedAnswer,
  ): Promise<Pick<ShownTransaction, 'instrument' | 'parameters' | 'personal'> | undefined> {
    if (usedRegistrationOf(admitted.form) === undefined) return undefined;
    try {
      const found = await findTransaction(this.parts.queries, admitted, id);
      if (found === undefined) return undefined;
      const { instrument, parameters, personal } = found;
      return { ...(instrument && { instrument }), parameters, personal };
    } catch (error) {
      if (error instanceof QueryUnavailable) return undefined;
      throw error;
    }
  }

  async #answerWithProof(sending: PaymentSending, recorded: TransactionOutcome): Promise<Answer> {
    const { admitted } = sending;
    const [outcome = recorded] = await withIssuerWords(this.parts.queries, [recorded]);
    const shown = { ...shownOf(sending, outcome), ...(await this.#proofOf(admitted, outcome)) };
    return paymentAnswer(shown, admitted.stamp, this.parts.bins);
  }

  /** It is done, whoever can be asked for the cryptogram now: a read tells it later. */
  async #proofOf(
    admitted: AdmittedRequest,
    outcome: TransactionOutcome,
  ): Promise<Pick<ShownTransaction, 'cryptogram'>> {
    try {
      return await cryptogramOf(this.parts.queries, admitted, outcome);
    } catch (error) {
      if (error instanceof QueryUnavailable) return {};
      throw error;
    }
  }

  #answer(sending: PaymentSending, outcome: TransactionOutcome): Answer {
    return paymentAnswer(shownOf(sending, outcome), sending.admitted.stamp, this.parts.bins);
  }
}

/** The first one's, should a repetition have stored another one after all. */
function parametersOfFirst(
  parameters: Readonly<Record<string, string>>,
  { registrationId }: FixedAnswer,
): Readonly<Record<string, string>> {
  if (parameters.createRegistration !== 'true') return parameters;
  const { registrationId: _, ...others } = parameters;
  return registrationId === undefined ? others : { ...others, registrationId };
}

/** What is known before payments has replied; shown as pending or uncertain. */
function provisionalOutcome({ data }: PaymentCommandMessage): TransactionOutcome {
  return {
    id: data.transactionId,
    ...('referencedId' in data && { referencedId: data.referencedId }),
    operation: data.operation,
    status: 'requested',
    resultCode: codes.pending,
    ...(data.amount !== undefined && { amount: data.amount }),
  };
}

/** A refusal that is not recorded, because there is no room for it (D-09). */
function tooMany({ command, admitted }: PaymentSending): TransactionOutcome {
  const outcome = { ...provisionalOutcome(command), id: idOfNothing(admitted.receivedAtMs) };
  return { ...outcome, status: 'rejected', resultCode: codes.tooManyTransactions };
}

/** Replies carry outcome fields alone; the rest is this request's own (D-15). */
function shownOf(
  { admitted, command, personal, instrument }: PaymentSending,
  outcome: TransactionOutcome,
): ShownTransaction {
  const { context, parameters } = command.data;
  return {
    outcome,
    channelName: context.channelName,
    publicUrl: admitted.publicUrl,
    ...(instrument && { instrument }),
    parameters,
    personal,
  };
}
