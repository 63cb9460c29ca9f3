import {
  type BinTable,
  registrationIdOf,
  type ShownRegistration,
  type StoringRequest,
} from '@sluice/answers';
import {
  type Expiry,
  heldInstrument,
  type RegistrationCommandMessage,
  type RegistrationOutcome,
  type RegistrationReply,
  type RegistrationView,
  shownInstrument,
  type ShownInstrument,
} from '@sluice/contracts';
import {
  isTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import {
  askedExpiryOf,
  asksToStore,
  changedExpiryOf,
  expiryRejection,
  type Kind,
  registrationTypeOf,
  updateFaults,
} from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { Clock } from '@sluice/service';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { refuseViolations } from './checked-form.js';
import type { CommandClient, Sending, ServiceCommands } from './command-client.js';
import { findRegistrationTransaction } from './find-transaction.js';
import { type DuplicateSettings, outcomeOfFirst } from './idempotency.js';
import { idempotencyKeyOf, KEY_CONFLICT } from './idempotency-claims.js';
import { registrationAnswer, uncertainRegistrationAnswer } from './registration-answer.js';
import type { RegisteredInstruments } from './registered-instruments.js';
import { referToRegistration, updateRegistration } from './registration-commands.js';
import { BUSY, REGISTRATION_UNKNOWN, UNAVAILABLE } from './refusals.js';

/** The resource that registrations are made in, as the scope of idempotency keys names it. */
export const REGISTRATIONS = '/v1/registrations';

/** A command to registrations, with what its answer needs. */
export interface RegistrationSending extends Sending<RegistrationCommandMessage> {
  /** What the answer shows of what is personal: all that the command has sealed, at least. */
  readonly personal: Readonly<Record<string, string>>;
  /** What the answer to a change shows where nothing is changed. */
  readonly unchanged?: StoredInstrument;
}

type StoredInstrument = Pick<RegistrationView, 'instrument' | 'personal'>;

/** A request that refers to a registration. */
export interface RegistrationReference {
  readonly operation: 'deletion' | 'extension';
  /** As it was sent. */
  readonly registrationId: string;
  /** Where it was sent to, see `idempotencyKeyOf`. */
  readonly resource: string;
}

/** Extensions and deletions say no more than who asks, like reads. */
const KIND: Kind = 'read';

/** What commands to registrations are sent and answered with. */
export interface RegistrationSenderParts {
  readonly commands: CommandClient;
  /** Asked after the command was sent, when a missing answer is no reason to refuse. */
  readonly queries: Queries;
  /** Further details of cards for answers. */
  readonly bins: BinTable;
  readonly registered: RegisteredInstruments;
  readonly clock: Clock;
  readonly duplicates: DuplicateSettings;
}

/** Sends commands to registrations, and answers with what becomes of them. */
export class RegistrationSender implements ServiceCommands<RegistrationSending, RegistrationReply> {
  readonly service = 'registrations';

  constructor(private readonly parts: RegistrationSenderParts) {}

  /** Sends a command once and answers whatever comes of it. */
  send(sending: RegistrationSending): Promise<Answer> {
    return this.parts.commands.send(sending, this);
  }

  /** Sends what refers to a registration. */
  async refer(admitted: AdmittedRequest, reference: RegistrationReference): Promise<Answer> {
    const { operation, registrationId, resource } = reference;
    const key = idempotencyKeyOf(admitted, resource);
    if (!isTransactionId(registrationId)) throw new Refused(REGISTRATION_UNKNOWN);
    const transactionId = newTransactionIdInChainOf(registrationId, admitted.receivedAtMs, key);
    const { kept: keptParameters, claims } = this.parts.commands;
    const { personal, ...kept } = await keptParameters.of(admitted.form, KIND, transactionId);
    const claim = claims.of(admitted, key, { id: transactionId });
    const parts = { admitted, transactionId, ...kept, ...claim };
    const command = referToRegistration(parts, operation, registrationId);
    return this.send({ admitted, command, personal });
  }

  /**
   * Sends a change of what is kept.
   * @param registrationId as it was sent
   */
  async update(admitted: AdmittedRequest, registrationId: string): Promise<Answer> {
    const { form, receivedAtMs } = admitted;
    const key = idempotencyKeyOf(admitted, `${REGISTRATIONS}/${registrationId}`);
    const found = await this.parts.registered.find(admitted, registrationId);
    if (found === undefined) throw new Refused(REGISTRATION_UNKNOWN);
    const { id } = found;
    // Nothing is told of what cannot be used.
    const unchanged = found.state === 'kept' ? found : NOTHING;
    const { instrument: stored, personal: before } = unchanged;
    const shown = stored && shownInstrument(stored);
    const expiry = shown && checkedExpiry(shown, admitted);
    const transactionId = newTransactionIdInChainOf(id, receivedAtMs, key);
    const { kept: keptParameters, claims } = this.parts.commands;
    const { personal, ...kept } = await keptParameters.of(
      form,
      'registrationUpdate',
      transactionId,
    );
    // An expiry is account data, which a fingerprint leaves out; this one is in events anyway.
    const ofExpiry = JSON.stringify(askedExpiryOf(form));
    const claim = claims.of(admitted, key, { id: transactionId }, ofExpiry);
    const parts = { admitted, transactionId, ...kept, ...claim };
    const command = updateRegistration(parts, id, expiry);
    const instrument = shown && heldInstrument(withExpiry(shown, expiry), undefined);
    const after = { ...before, ...personal };
    return this.send({
      ...{ admitted, command, personal: after, unchanged },
      ...(instrument && { instrument }),
    });
  }

  idOf({ command }: RegistrationSending): TransactionId {
    return command.data.transactionId;
  }

  isRejection({ command }: RegistrationSending): boolean {
    return 'rejection' in command.data;
  }

  /** While it is pending, the vault has not kept it yet. */
  needsInstrument(reply: RegistrationReply): boolean {
    return reply.kind === 'outcome' && reply.outcome.status === 'requested';
  }

  async replied(reply: RegistrationReply, sending: RegistrationSending): Promise<Answer> {
    switch (reply.kind) {
      case 'outcome':
        return this.#answer(await this.#shownNow(sending, reply.outcome), sending);
      case 'keyTaken':
        return this.#answerDuplicate(reply, sending);
      case 'notFound':
        throw new Refused(REGISTRATION_UNKNOWN);
      case 'busy':
        throw new Refused(BUSY);
      case 'unavailable':
      case 'elsewhere':
        throw new Refused(UNAVAILABLE);
    }
  }

  unanswered(sending: RegistrationSending): Answer {
    return this.#answer(shownOf(sending, provisionalOutcome(sending.command)), sending);
  }

  uncertain(sending: RegistrationSending): Answer {
    const shown = shownOf(sending, provisionalOutcome(sending.command));
    return uncertainRegistrationAnswer(shown, sending.admitted.stamp, this.parts.bins);
  }

  /** It may have been recorded before it was given up: a read tells (D-17). */
  failed(sending: RegistrationSending): Promise<Answer> {
    return Promise.resolve(this.uncertain(sending));
  }

  /**
   * The key was used before: the first answer again, as it is now (D-36). While the vault is being asked
   * for the first one, its outcome is waited for (R-IDEM-04), as that of a payment is.
   */
  async #answerDuplicate(
    { fingerprint, answer, outcome }: RegistrationReply & { kind: 'keyTaken' },
    sending: RegistrationSending,
  ): Promise<Answer> {
    const { command } = sending;
    if (fingerprint !== command.data.idempotency?.fingerprint) throw new Refused(KEY_CONFLICT);
    const { queries, clock, duplicates } = this.parts;
    const final =
      outcome !== undefined && outcome.status !== 'requested'
        ? outcome
        : await outcomeOfFirst<RegistrationOutcome>({
            look: () => findRegistrationTransaction(queries, sending.admitted, answer.id),
            ...duplicates,
            clock,
          });
    const first = final ?? { ...provisionalOutcome(command), id: answer.id };
    return registrationAnswer(await this.#shownNow(sending, first), answer, this.parts.bins);
  }

  #answer(shown: ShownRegistration, { admitted }: RegistrationSending): Answer {
    return registrationAnswer(shown, admitted.stamp, this.parts.bins);
  }

  /** Where the account had a registration before, its answer shows what that has, and not what was sent. */
  async #shownNow(
    sending: RegistrationSending,
    outcome: RegistrationOutcome,
  ): Promise<ShownRegistration> {
    const shown = shownOf(sending, outcome);
    const { existingId } = outcome;
    const isAnswer = existingId !== undefined && registrationIdOf(outcome) === existingId;
    if (!isAnswer || shown.instrument === undefined) return shown;
    const existing = await this.#existing(sending.admitted, existingId);
    return withAccountOf(existing, { ...shown, instrument: shown.instrument });
  }

  /**
   * Undefined, too, where nobody says what that has: what was asked for is recorded, and "unavailable"
   * would be false. The account is the same, and its holder is not told then.
   */
  async #existing(
    admitted: AdmittedRequest,
    id: TransactionId,
  ): Promise<RegistrationView | undefined> {
    try {
      return await this.parts.registered.find(admitted, id);
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }
}

type WithInstrument = { readonly instrument: ShownInstrument };

/** Nothing is told of one that has ended meanwhile. */
function withAccountOf(
  existing: RegistrationView | undefined,
  { instrument: sent, personal: sentPersonal, ...shown }: ShownRegistration & WithInstrument,
): ShownRegistration {
  const { instrument, personal } = existing?.state === 'ended' ? NOTHING : (existing ?? NOTHING);
  const isOfAccount = ([name]: readonly [string, string]): boolean =>
    name.startsWith(`${sent.kind}.`);
  const ofRequest = Object.entries(sentPersonal).filter((each) => !isOfAccount(each));
  const stored = Object.entries(personal).filter(isOfAccount);
  return {
    ...shown,
    instrument: instrument === undefined ? sent : shownInstrument(instrument),
    personal: Object.fromEntries([...ofRequest, ...stored]),
  };
}

/** What is shown of a registration that cannot be used. */
const NOTHING: StoredInstrument = { personal: {} };

/** The expiry that is asked for; throws Refused with everything that cannot be changed. */
function checkedExpiry(
  stored: ShownInstrument,
  { form, receivedAtMs }: AdmittedRequest,
): Expiry | undefined {
  refuseViolations(updateFaults(stored, form));
  const expiry = changedExpiryOf(stored, form);
  const rejection = expiry && expiryRejection(expiry, receivedAtMs);
  if (rejection !== undefined) throw new Refused(rejection);
  return expiry;
}

/** As the answer shows it. */
function withExpiry(shown: ShownInstrument, expiry: Expiry | undefined): ShownInstrument {
  if (expiry === undefined || !('expiryYear' in shown)) return shown;
  return { ...shown, expiryMonth: expiry.month, expiryYear: expiry.year };
}

/** What is known before registrations has replied; shown as pending or uncertain. */
function provisionalOutcome({ data }: RegistrationCommandMessage): RegistrationOutcome {
  const { transactionId: id } = data;
  const of = !('registrationId' in data)
    ? ({ operation: 'registration' } as const)
    : ({
        operation: 'operation' in data ? data.operation : 'update',
        referencedId: data.registrationId,
      } as const);
  return { id, ...of, status: 'requested', resultCode: codes.pending };
}

/** Replies carry outcome fields alone; the rest is this request's own (D-15). */
function shownOf(
  { admitted, command, personal: sent, instrument: asked, unchanged }: RegistrationSending,
  outcome: RegistrationOutcome,
): ShownRegistration {
  const isRefused = outcome.status === 'rejected' || outcome.status === 'notPerformed';
  const stored = isRefused ? unchanged : undefined;
  const { personal, instrument } = stored ?? { personal: sent, instrument: asked };
  return {
    outcome,
    ...(instrument && { instrument: shownInstrument(instrument) }),
    ...{ asked: askedOf(admitted, command), parameters: command.data.parameters, personal },
  };
}

/** The payment is named where its instrument is stored afterwards; before, the payment's answer names both. */
function askedOf({ form }: AdmittedRequest, { data }: RegistrationCommandMessage): StoringRequest {
  const referencedId = 'isPaymentMade' in data ? data.paymentId : undefined;
  return {
    ...(referencedId !== undefined && { referencedId }),
    ...(asksToStore(form) && { paymentType: registrationTypeOf('registration') }),
  };
}
