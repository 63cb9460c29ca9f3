import {
  CommandIntake,
  type Proposal,
  referenceText,
  sealParameters,
  type SealedParameters,
} from '@sluice/aggregates';
import type {
  Mode,
  ReferToRegistration,
  RegisterInstrument,
  RegistrationEventMetadata,
  RegistrationOutcome,
  RegistrationReply,
  UpdateRegistration,
} from '@sluice/contracts';
import {
  isBehind,
  type Registration,
  type RegistrationCommand,
  type RegistrationEvent,
  type RegistrationStreamState,
  unrecordedOutcome,
  type UpdateRegistration as UpdateCommand,
} from '@sluice/domain-registrations';
import type { TransactionId } from '@sluice/identifiers';
import { Execution, type Opened, Unrecorded } from '@sluice/messaging';
import { codes } from '@sluice/result-codes';
import { type Clock, currentSpan, type EntityClock, type KeyProvider } from '@sluice/service';
import type {
  RegistrationStore,
  RegistrationStream,
  RegistrationStreams,
  RegistrationWriter,
} from './registration-aggregate.js';
import { isOfOtherMandate, personalIn, withoutMandate } from './registration-personal.js';
import type { RegistrationMetrics } from './registration-metrics.js';
import {
  type HandlerReply,
  NOT_FOUND,
  registrationWords,
  replyOf,
  UNAVAILABLE,
} from './registration-replies.js';
import type { RegistrationWorkflow } from './registration.workflow.js';

/** The parts the handler is made of. */
export interface HandlerParts {
  readonly store: RegistrationStore;
  readonly streams: RegistrationStreams;
  readonly writer: RegistrationWriter;
  readonly workflow: RegistrationWorkflow;
  readonly keys: KeyProvider;
  /** By it commands end. */
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly metrics: RegistrationMetrics;
}

type OpenedCommand =
  Opened<RegisterInstrument> | Opened<ReferToRegistration> | Opened<UpdateRegistration>;
type Proposed = Proposal<RegistrationCommand, RegistrationReply>;
type UsedKeyReply = Extract<RegistrationReply, { readonly kind: 'keyTaken' }>;

/** A payment that comes again under its key, with what it is to store. */
interface Repetition {
  readonly message: Opened<RegisterInstrument>;
  readonly paymentId: TransactionId;
  readonly lifeEndsMs: number;
}

/** A registration that was brought up to date. */
export interface BroughtUpToDate {
  /** Its id, or that of the one whose account it turned out to have. */
  readonly registrationId: string;
  /** Payments did not say what it knows: nobody knows whether it can be used. */
  readonly isBehind: boolean;
}

/** What cannot be done to a registration, as far as it was brought up to date. */
interface Refusal extends Pick<BroughtUpToDate, 'isBehind'> {
  readonly outcome: RegistrationOutcome;
}

/** Takes commands: decides each, records it, and has the vault do what follows (D-12). */
export class RegistrationsHandler {
  readonly #intake: CommandIntake<
    RegistrationCommand,
    RegistrationStreamState,
    RegistrationEvent,
    RegistrationReply
  >;

  readonly #words: ReturnType<typeof registrationWords>;

  constructor(private readonly parts: HandlerParts) {
    const { streams, writer, machine, store, metrics } = parts;
    this.#words = registrationWords(store);
    this.#intake = new CommandIntake({
      ...{ streams, writer, clock: machine, words: this.#words },
      passed: (stage, startMs) => metrics.passed(stage, startMs),
    });
  }

  /** A new registration, once under its key: a payment that comes again has that of the first one. */
  async register(message: Opened<RegisterInstrument>, lifeEndsMs: number): Promise<HandlerReply> {
    const reply = await this.#register(message, lifeEndsMs);
    if (!isUsedKey(reply)) return reply;
    const { paymentId, isPaymentMade, idempotency } = message.data;
    const isSame = reply.fingerprint === idempotency?.fingerprint;
    if (!isSame || paymentId === undefined || isPaymentMade === true) return reply;
    return new Execution(() => this.#repeated(reply, { message, paymentId, lifeEndsMs }));
  }

  /** What the first request has stored, as it is now; where that is over, one of its own is stored. */
  async #repeated(
    taken: UsedKeyReply,
    { message, paymentId, lifeEndsMs }: Repetition,
  ): Promise<RegistrationReply> {
    const { id } = taken.answer;
    switch (await this.parts.workflow.repeat(id, paymentId, lifeEndsMs)) {
      case 'open':
        return UNAVAILABLE;
      case 'over': {
        const { idempotency: _, ...data } = message.data;
        return settled(await this.#register({ ...message, data }, lifeEndsMs));
      }
      case 'usable':
      case 'answered': {
        const now = await this.#words.recorded.replyFor(id);
        return now.kind === 'outcome' ? { ...taken, outcome: now.outcome } : now;
      }
    }
  }

  /** Its stream cannot exist unless the command came twice. */
  async #register(message: Opened<RegisterInstrument>, lifeEndsMs: number): Promise<HandlerReply> {
    return this.#decide(message.data.transactionId, message, lifeEndsMs, async (stream) => {
      const sealed = await this.#seal(stream, message);
      const { data } = message;
      const { transactionId, instrument, merchantId, parameters, paymentId, isPaymentMade } = data;
      const { mayBeExisting } = data;
      const { rejection, rejectionDescription: resultDescription } = data;
      const command: RegistrationCommand = {
        ...{ type: 'RequestRegistration', transactionId, instrument, merchantId, parameters },
        metadata: {
          ...this.#metadataOf(message, data.context.mode),
          ...(isToBeCalled(data) && { hasNotificationUrl: true }),
        },
        ...(sealed.personal !== undefined && { personal: sealed.personal }),
        ...(paymentId !== undefined && { paymentId }),
        ...(isPaymentMade !== undefined && { isPaymentMade }),
        ...(mayBeExisting !== undefined && { mayBeExisting }),
        ...(rejection !== undefined && { rejection }),
        ...(resultDescription !== undefined && { resultDescription }),
      };
      return this.#proposal(command, message, lifeEndsMs, sealed);
    });
  }

  /** An extension or a deletion of one that belongs to the caller. */
  async refer(message: Opened<ReferToRegistration>, lifeEndsMs: number): Promise<HandlerReply> {
    const { operation, transactionId, parameters, context } = message.data;
    const { registrationId, isBehind } = await this.bringUpToDate(message.data.registrationId);
    return this.#decide(registrationId, message, lifeEndsMs, async (stream) => {
      await this.parts.writer.ensureLoaded(stream);
      const { state } = stream;
      if (state?.metadata.entityId !== context.entityId) {
        return { kind: 'answered', answer: NOT_FOUND };
      }
      const metadata = this.#metadataOf(message, context.mode ?? state.metadata.mode);
      const request = { operation, transactionId, parameters, metadata };
      const command = { type: 'ChangeRegistration', ...request } as const;
      const outcome = unrecordedOutcome(command, state);
      if (outcome !== undefined) return this.#unrecorded({ outcome, isBehind }, message);
      return this.#proposal(command, message, lifeEndsMs, {});
    });
  }

  /** Another expiry, or what is personal, of one that belongs to the caller. */
  async update(message: Opened<UpdateRegistration>, lifeEndsMs: number): Promise<HandlerReply> {
    const { transactionId, parameters, expiry, context } = message.data;
    const { registrationId, isBehind } = await this.bringUpToDate(message.data.registrationId);
    return this.#decide(registrationId, message, lifeEndsMs, async (stream) => {
      await this.parts.writer.ensureLoaded(stream);
      const { state } = stream;
      if (state?.metadata.entityId !== context.entityId) {
        return { kind: 'answered', answer: NOT_FOUND };
      }
      const metadata = this.#metadataOf(message, context.mode ?? state.metadata.mode);
      const request = { transactionId, parameters, metadata };
      const asked: UpdateCommand = {
        ...({ type: 'UpdateRegistration', ...request } as const),
        ...(expiry !== undefined && { expiry }),
      };
      const outcome = unrecordedOutcome(asked, state);
      if (outcome !== undefined) return this.#unrecorded({ outcome, isBehind }, message);
      const sealed = await this.#sealWithBefore(stream, state, message);
      const { personal } = sealed;
      const command: UpdateCommand = { ...asked, ...(personal !== undefined && { personal }) };
      return this.#proposal(command, message, lifeEndsMs, sealed);
    });
  }

  /**
   * Nothing is recorded of a refusal, so no append finds out whether its key was used before. It may
   * have been, for what the registration allowed then (D-36). That it is not confirmed yet is said of
   * one only whose payment could be asked for.
   */
  async #unrecorded({ outcome, isBehind }: Refusal, { data }: OpenedCommand): Promise<Proposed> {
    const { store } = this.parts;
    const { idempotency } = data;
    const taken = idempotency && (await store.idempotency.findOrRelease(idempotency.key));
    if (taken === undefined) {
      const isUnknown = isBehind && outcome.resultCode === codes.registrationUnconfirmed;
      return { kind: 'answered', answer: isUnknown ? UNAVAILABLE : { kind: 'outcome', outcome } };
    }
    const { ofUsedKey, recorded } = this.#words;
    const reply = await recorded.replyFor(taken.transactionId);
    return { kind: 'answered', answer: ofUsedKey({ ...taken, reply }) };
  }

  /**
   * Together with what was personal before: what an update does not name stays as it is, but for the day
   * on which another mandate was signed.
   */
  async #sealWithBefore(
    stream: RegistrationStream,
    registration: Registration,
    { data }: OpenedCommand,
  ): Promise<SealedParameters> {
    const { keys, store } = this.parts;
    const { personal: sent, transactionId } = data;
    if (sent === undefined) return {};
    const parts = { keys, personalKeys: store.personalKeys };
    const before = await personalIn(stream, registration, parts);
    const kept = isOfOtherMandate(sent, before) ? withoutMandate(before) : before;
    const personal = { ...kept, ...sent };
    return sealParameters(stream, { transactionId, personal }, parts);
  }

  /**
   * Brings a registration up to date that waits for a payment, or for the vault to change something:
   * whoever uses one need not wait until the sweeper has looked. It costs a read only where something
   * is recorded as open.
   */
  async bringUpToDate(registrationId: string): Promise<BroughtUpToDate> {
    const { streams, writer, workflow } = this.parts;
    const stream = streams.hold(registrationId);
    try {
      await streams.inTurn(stream, () => writer.ensureLoaded(stream));
      const isWaiting = stream.state !== undefined && isBehind(stream.state);
      const hindrance = isWaiting ? await workflow.proceed(stream) : undefined;
      const existingId = stream.state?.existing?.registrationId;
      if (existingId !== undefined) return await this.bringUpToDate(existingId);
      return { registrationId, isBehind: hindrance === 'payments' };
    } finally {
      streams.release(stream);
    }
  }

  async #decide(
    streamId: string,
    message: OpenedCommand,
    lifeEndsMs: number,
    propose: (stream: RegistrationStream) => Promise<Proposed>,
  ): Promise<HandlerReply> {
    const { transactionId } = message.data;
    const underWay = this.#intake.underWay(transactionId);
    if (underWay !== undefined) return underWay;
    const stream = this.parts.streams.hold(streamId);
    const { reply } = await this.#intake.decide(stream, {
      ...{ transactionId, lifeEndsMs },
      propose: () => propose(stream),
      execute: () => this.#execute(stream, transactionId, lifeEndsMs),
    });
    return reply;
  }

  /** What the vault does not do now, the sweeper has it do later: until then it is pending. */
  async #execute(
    stream: RegistrationStream,
    transactionId: string,
    lifeEndsMs: number,
  ): Promise<RegistrationReply> {
    await this.parts.workflow.proceedInCrowd(stream, lifeEndsMs);
    return replyOf(stream.state, transactionId);
  }

  #proposal(
    command: RegistrationCommand,
    { id, data }: OpenedCommand,
    lifeEndsMs: number,
    { personalKey }: SealedParameters,
  ): Proposed {
    const { machine } = this.parts;
    const { transactionId, idempotency } = data;
    const lookupText = lookupTextOf(data);
    return {
      kind: 'command',
      command,
      claims: {
        commandId: id,
        transactionIds: [transactionId],
        ...(lookupText !== undefined && { lookupText }),
        notAfterMs: machine.now() + (lifeEndsMs - machine.monotonicMs()),
        ...(personalKey !== undefined && { personalKey }),
        ...(idempotency !== undefined && {
          idempotency: {
            ...{ key: idempotency.key, fingerprint: idempotency.fingerprint, transactionId },
            answer: JSON.stringify(idempotency.answer),
          },
        }),
      },
    };
  }

  /** @param mode of the registration, where the request that refers to one names none (D-64) */
  #metadataOf({ id, correlationId, data }: OpenedCommand, mode: Mode): RegistrationEventMetadata {
    const { entityId, channelName, ndc, actor } = data.context;
    const { isRecording, traceparent } = currentSpan();
    return {
      recordedAtMs: this.parts.clock.now(entityId),
      ...{ entityId, channelName, ndc, mode, actor, correlationId, causationId: id },
      ...(isRecording && traceparent !== undefined && { traceparent }),
    };
  }

  #seal(stream: RegistrationStream, { data }: OpenedCommand): Promise<SealedParameters> {
    const { keys, store } = this.parts;
    return sealParameters(stream, data, { keys, personalKeys: store.personalKeys });
  }
}

/** With a payment, that is what its address is told of. */
function isToBeCalled({ personal, paymentId }: Opened<RegisterInstrument>['data']): boolean {
  return personal?.['notificationUrl'] !== undefined && paymentId === undefined;
}

function isUsedKey(reply: HandlerReply): reply is UsedKeyReply {
  return 'kind' in reply && reply.kind === 'keyTaken';
}

/** The reply to a command that cannot be delivered again. */
async function settled(reply: HandlerReply): Promise<RegistrationReply> {
  if (reply instanceof Execution) return reply.run();
  return reply instanceof Unrecorded ? reply.reply : reply;
}

/** By what queries find it; one that was asked for with a payment leaves its reference to that. */
function lookupTextOf(data: OpenedCommand['data']): string | undefined {
  const { merchantTransactionId } = data.parameters;
  const isOfPayment = 'paymentId' in data;
  if (merchantTransactionId === undefined || isOfPayment) return undefined;
  return referenceText(data.context.entityId, merchantTransactionId);
}
