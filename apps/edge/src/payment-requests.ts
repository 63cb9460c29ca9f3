import type {
  CardSummary,
  FixedAnswer,
  InitialOperation,
  PaymentCommand,
  PaymentReply,
  ReferenceOperation,
  TransactionAnswer,
  TransactionOutcome,
  TransactionQuery,
  TransactionView,
  Vault,
} from '@sluice/contracts';
import { COMMAND_TIME_TO_LIVE_MS } from '@sluice/contracts';
import {
  isTransactionId,
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import {
  type CommandResult,
  type Commands,
  type Queries,
  QueryUnavailable,
} from '@sluice/messaging';
import {
  cardSummaryOf,
  checkForm,
  type Kind,
  type ParameterError,
  type Place,
  violations,
} from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { Clock, Logger } from '@sluice/service';
import { mayUseSibling } from './access.js';
import type { Admitted } from './admission.js';
import { type Answer, type Refusal, Refused } from './answer.js';
import type { BinTable } from './bin-table.js';
import { HeldCards } from './held-cards.js';
import type { IdsInFlight } from './ids-in-flight.js';
import { idempotencyHeader, inputFingerprint, outcomeOfFirst, scopedKey } from './idempotency.js';
import type { KeptParameters } from './kept-parameters.js';
import {
  paymentAnswer,
  pendingAnswer,
  readAnswer,
  type ShownTransaction,
  uncertainAnswer,
} from './payment-answer.js';
import {
  type CommandParts,
  initiatePayment,
  isTooLarge,
  referToPayment,
} from './payment-commands.js';
import type { Pauses } from './pauses.js';
import { noteCommand } from './request-span.js';
import { idOfNothing } from './young-ids.js';

/** What payments are made with. */
export interface PaymentPorts {
  readonly commands: Commands;
  readonly queries: Queries;
  readonly vault: Vault;
  readonly kept: KeptParameters;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What answers tell of a card besides. */
  readonly bins: BinTable;
  /** What may still be recorded although nobody knows it yet. */
  readonly inFlight: IdsInFlight;
}

/** How duplicates are recognized and awaited (D-36). */
export interface DuplicateSettings {
  /** Keys the fingerprints of inputs. */
  readonly fingerprintKey: Buffer;
  readonly waitMs: number;
  /** Ended when the listener closes. */
  readonly pauses: Pauses;
}

const TRANSACTION_NOT_FOUND: Refusal = { code: codes.transactionNotFound };
/** D-33: the same finding is a validation error where the id is a parameter. */
const REFERENCE_UUID_NOT_FOUND: Refusal = invalid({
  name: 'referenceUuid',
  message: 'refers to no transaction',
});
/** Nothing was started and asking again may help (D-34). */
const BUSY: Refusal = { code: codes.busy };
const UNAVAILABLE: Refusal = { code: codes.unavailable };
/**
 * One text for one resource, for the scope of idempotency keys: a retry that writes the target in
 * another way (a slash at the end, an escaped character) must meet its key all the same.
 */
const COLLECTION = '/v1/payments';
const IDEMPOTENCY_KEY = 'Idempotency-Key';
const KEY_CONFLICT: Refusal = {
  code: codes.idempotencyKeyConflict,
  parameterErrors: [
    { name: IDEMPOTENCY_KEY, message: 'has already been used for a request with other input' },
  ],
};

/** A command ready to go, with what its answer needs. */
interface Sending {
  readonly admitted: Admitted;
  readonly command: PaymentCommand;
  /** What the command has sealed. */
  readonly personal: Readonly<Record<string, string>>;
  readonly card?: CardSummary;
  /** What an unknown referenced transaction is answered with. */
  readonly notFound: Refusal;
}

/** The three requests of the payments resource (Interface 4). */
export class PaymentRequests {
  readonly #cards: HeldCards;

  constructor(
    private readonly ports: PaymentPorts,
    private readonly duplicates: DuplicateSettings,
  ) {
    this.#cards = new HeldCards(ports.vault, ports.clock, ports.logger);
  }

  /**
   * `POST /v1/payments`: a new payment, or PA with `referenceUuid` (D-33). What is not by card is
   * recorded as refused, so it needs no vault.
   */
  async initiate(admitted: Admitted): Promise<Answer> {
    const { kind, operation } = checked(admitted, 'payments');
    if (isReference(operation)) {
      const referencedId = admitted.form.get('referenceUuid') ?? '';
      const asked = { resource: COLLECTION, notFound: REFERENCE_UUID_NOT_FOUND };
      return this.#refer(admitted, kind, operation, referencedId, asked);
    }
    const key = keyOf(admitted, COLLECTION);
    const { form } = admitted;
    const transactionId = newTransactionId(admitted.receivedAtMs);
    const { personal, ...kept } = await this.ports.kept.of(form, kind, transactionId);
    const isByCard = kind === 'payment' && form.has('card.number');
    const held = isByCard ? await this.#cards.hold(form) : undefined;
    const card = held && { ...cardSummaryOf(form), vaultReference: held.reference };
    const claim = this.#claim(admitted, key, transactionId, held?.fingerprint);
    const parts = { admitted, kind, transactionId, ...kept, ...claim };
    const command = initiatePayment(parts, operation, card);
    const sending = { admitted, command, personal, notFound: TRANSACTION_NOT_FOUND };
    return this.#send(card === undefined ? sending : { ...sending, card });
  }

  /** `POST /v1/payments/{id}`: a referencing request (Interface 4, D-29). */
  async refer(admitted: Admitted, id: string): Promise<Answer> {
    if (!isTransactionId(id)) {
      throw new Refused(TRANSACTION_NOT_FOUND);
    }
    const { kind, operation } = checked(admitted, 'transaction');
    if (!isReference(operation)) {
      throw new TypeError(`a ${operation} refers to no transaction`);
    }
    const asked = { resource: `${COLLECTION}/${id}`, notFound: TRANSACTION_NOT_FOUND };
    return this.#refer(admitted, kind, operation, id, asked);
  }

  /** `GET /v1/payments/{id}`: HTTP 200 whatever became of it; 404 when there is none (D-04). */
  async read(admitted: Admitted, id: string): Promise<Answer> {
    const { form, mode, access } = admitted;
    refuseViolations(violations(form, 'read', mode, access.compatibility));
    const found = isTransactionId(id) ? await this.#find(admitted, id) : undefined;
    if (found !== undefined) {
      return readAnswer({ ...found, outcome: found }, admitted.stamp, this.ports.bins);
    }
    if (isTransactionId(id) && this.ports.inFlight.mayAppear(id, admitted.receivedAtMs)) {
      return pendingAnswer(id, admitted.stamp);
    }
    throw new Refused(TRANSACTION_NOT_FOUND);
  }

  async #refer(
    admitted: Admitted,
    kind: Kind,
    operation: ReferenceOperation,
    referencedId: string,
    { resource, notFound }: { readonly resource: string; readonly notFound: Refusal },
  ): Promise<Answer> {
    const key = keyOf(admitted, resource);
    if (!isTransactionId(referencedId)) {
      throw new Refused(notFound);
    }
    const transactionId = newTransactionIdInChainOf(referencedId, admitted.receivedAtMs);
    const { personal, ...kept } = await this.ports.kept.of(admitted.form, kind, transactionId);
    const claim = this.#claim(admitted, key, transactionId, undefined);
    const command = referToPayment(
      { admitted, kind, transactionId, ...kept, ...claim },
      operation,
      referencedId,
    );
    return this.#send({ admitted, command, personal, notFound });
  }

  async #send(sending: Sending): Promise<Answer> {
    const { admitted, command } = sending;
    noteCommand(command);
    if (isTooLarge(command, admitted.form)) {
      this.#cards.forget(sending.card);
      throw new Refused(invalid({ name: 'body', message: 'is too large' }));
    }
    if (command.data.rejection !== undefined) {
      this.#cards.forget(sending.card);
    }
    const { commands, inFlight } = this.ports;
    const { transactionId } = command.data;
    const result = await inFlight.whileSending(transactionId, admitted.receivedAtMs, () =>
      commands.send<PaymentReply>('payments', command, { deadlineMs: COMMAND_TIME_TO_LIVE_MS }),
    );
    if (isCardUseless(result)) {
      this.#cards.forget(sending.card);
    }
    switch (result.kind) {
      case 'replied':
        return this.#answerTo(result.reply, sending);
      case 'accepted':
        return paymentAnswer(
          shownOf(sending, provisionalOutcome(command)),
          admitted.stamp,
          this.ports.bins,
        );
      case 'failed':
        return this.#answerFailed(sending);
      case 'uncertain':
        return uncertainAnswer(
          shownOf(sending, provisionalOutcome(command)),
          admitted.stamp,
          this.ports.bins,
        );
      case 'notSent':
        throw new Refused(result.reason === 'full' ? BUSY : UNAVAILABLE);
    }
  }

  async #answerTo(reply: PaymentReply, sending: Sending): Promise<Answer> {
    const { admitted, notFound } = sending;
    switch (reply.kind) {
      case 'transaction':
        return paymentAnswer(shownOf(sending, reply.outcome), admitted.stamp, this.ports.bins);
      case 'full':
        return paymentAnswer(shownOf(sending, tooMany(sending)), admitted.stamp, this.ports.bins);
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
        throw new Refused(UNAVAILABLE);
    }
  }

  /**
   * Payments gave the command up (D-17). What it had recorded before that is finished by its
   * sweeper; nothing recorded means that nothing was, or ever will be, performed.
   */
  async #answerFailed(sending: Sending): Promise<Answer> {
    const { admitted, command } = sending;
    const provisional = provisionalOutcome(command);
    try {
      const found = await this.#ask(admitted, command.data.transactionId);
      if (found !== undefined) {
        return paymentAnswer(shownOf(sending, provisional), admitted.stamp, this.ports.bins);
      }
    } catch (error) {
      if (error instanceof QueryUnavailable) {
        return uncertainAnswer(shownOf(sending, provisional), admitted.stamp, this.ports.bins);
      }
      throw error;
    }
    this.#cards.forget(sending.card);
    const notPerformed = { ...provisional, resultCode: codes.notPerformed } as const;
    const outcome = { ...notPerformed, status: 'notPerformed' } as const;
    return paymentAnswer(shownOf(sending, outcome), admitted.stamp, this.ports.bins);
  }

  /**
   * The key was used before. Same input: the first one's transaction as it stands now, with the
   * id, ndc, timestamp and buildNumber of the first answer (D-36).
   */
  async #answerDuplicate(
    { fingerprint, answer, outcome }: PaymentReply & { kind: 'keyTaken' },
    sending: Sending,
  ): Promise<Answer> {
    const { admitted, command } = sending;
    if (fingerprint !== command.data.idempotency?.fingerprint) {
      throw new Refused(KEY_CONFLICT);
    }
    const final =
      outcome !== undefined && outcome.status !== 'requested'
        ? outcome
        : await outcomeOfFirst({
            look: () => this.#ask(admitted, answer.id),
            waitMs: this.duplicates.waitMs,
            pauses: this.duplicates.pauses,
            clock: this.ports.clock,
          });
    const shown = final ?? { ...provisionalOutcome(command), id: answer.id };
    return paymentAnswer(shownOf(sending, shown), answer, this.ports.bins);
  }

  #claim(
    { form, stamp }: Admitted,
    key: string | undefined,
    transactionId: TransactionId,
    cardFingerprint: string | undefined,
  ): Pick<CommandParts, 'idempotency'> {
    if (key === undefined) {
      return {};
    }
    const { fingerprintKey } = this.duplicates;
    const answer: FixedAnswer = { id: transactionId, ...stamp };
    const fingerprint = inputFingerprint(fingerprintKey, form.entries(), cardFingerprint);
    return { idempotency: { key, fingerprint, answer } };
  }

  async #find(admitted: Admitted, id: TransactionId): Promise<TransactionView | undefined> {
    try {
      return await this.#ask(admitted, id);
    } catch (error) {
      if (error instanceof QueryUnavailable) {
        throw new Refused(UNAVAILABLE);
      }
      throw error;
    }
  }

  async #ask(
    { access }: Admitted,
    transactionId: TransactionId,
  ): Promise<TransactionView | undefined> {
    const query: TransactionQuery = { transactionId, entityId: access.channel.id };
    const answer = await this.ports.queries.ask<TransactionAnswer>(
      'payments',
      'payments.transaction',
      query,
    );
    return answer.transaction;
  }
}

/** What a form asks for; throws Refused with everything that is wrong with it (D-37). */
function checked(admitted: Admitted, place: Place): { kind: Kind; operation: AnyOperation } {
  const { form, mode, access } = admitted;
  const { kind, operation, violations: found } = checkForm(form, place, mode, access.compatibility);
  refuseViolations(found);
  if (operation === undefined) {
    throw new TypeError('a form without violations has an operation');
  }
  return { kind, operation };
}

type AnyOperation = InitialOperation | ReferenceOperation;

function isReference(operation: AnyOperation): operation is ReferenceOperation {
  return operation !== 'authorization' && operation !== 'debit' && operation !== 'credit';
}

function refuseViolations(found: readonly ParameterError[]): void {
  if (found.length > 0) {
    throw new Refused(invalid(...found));
  }
}

function invalid(...parameterErrors: readonly ParameterError[]): Refusal {
  return { code: codes.invalidParameter, parameterErrors };
}

/** The scoped `Idempotency-Key`, if any; only asked for once the form is right. */
function keyOf(
  { access, method, idempotencyKeys }: Admitted,
  resource: string,
): string | undefined {
  const header = idempotencyHeader(idempotencyKeys);
  switch (header.kind) {
    case 'absent':
      return undefined;
    case 'malformed':
      throw new Refused(invalid({ name: IDEMPOTENCY_KEY, message: header.message }));
    case 'key': {
      const scope = { actor: access.actor, entityId: access.channel.id, method, path: resource };
      return scopedKey(scope, header.key);
    }
  }
}

/** A command that was not recorded, or is refused or repeated, never needs its card. */
function isCardUseless(result: CommandResult<PaymentReply>): boolean {
  return result.kind === 'notSent' || (result.kind === 'replied' && !isRecorded(result.reply));
}

function isRecorded(reply: PaymentReply): boolean {
  return reply.kind === 'transaction' && reply.outcome.status !== 'rejected';
}

/** What is known before payments has spoken; shown as pending or uncertain. */
function provisionalOutcome({ data }: PaymentCommand): TransactionOutcome {
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
function tooMany({ command, admitted }: Sending): TransactionOutcome {
  const outcome = { ...provisionalOutcome(command), id: idOfNothing(admitted.receivedAtMs) };
  return { ...outcome, status: 'rejected', resultCode: codes.tooManyTransactions };
}

/** Replies carry outcome fields alone; the rest is this request's own (D-15). */
function shownOf(
  { command, personal, card }: Sending,
  outcome: TransactionOutcome,
): ShownTransaction {
  const { context, parameters } = command.data;
  return {
    outcome,
    channelName: context.channelName,
    ...(card && { card }),
    ...('method' in command.data && { method: command.data.method }),
    parameters,
    personal,
  };
}
