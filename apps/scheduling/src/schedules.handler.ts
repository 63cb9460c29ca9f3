import {
  CommandIntake,
  isInfrastructure,
  type PersonalParameters,
  type Proposal,
  sealParameters,
  type SealedParameters,
} from '@sluice/aggregates';
import type {
  CreateSchedule,
  EndSchedule,
  Mode,
  Reschedule,
  ScheduleEventMetadata,
  ScheduleReply,
} from '@sluice/contracts';
import {
  type EndSchedule as EndCommand,
  readJob,
  refusalOf,
  type Reschedule as RescheduleCommand,
  type Schedule,
  type ScheduleCommand,
  type ScheduleEvent,
  type ScheduleStreamState,
} from '@sluice/domain-scheduling';
import { type Opened, QueryUnavailable, Unrecorded } from '@sluice/messaging';
import { fromMessage } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import { type Clock, currentSpan, type EntityClock, type KeyProvider } from '@sluice/service';
import type { ChannelSettings } from './channel-settings.js';
import type { Charges } from './charges.js';
import type {
  ScheduleStore,
  ScheduleStream,
  ScheduleStreams,
  ScheduleWriter,
} from './schedule-aggregate.js';
import { personalIn } from './schedule-personal.js';
import { textOfRegistration } from './schedule-queries.js';
import { type HandlerReply, NOT_FOUND, scheduleWords } from './schedule-replies.js';
import type { SchedulingMetrics } from './scheduling-metrics.js';

/** The parts the handler is made of. */
export interface HandlerParts {
  readonly store: ScheduleStore;
  readonly streams: ScheduleStreams;
  readonly writer: ScheduleWriter;
  readonly channels: Pick<ChannelSettings, 'of'>;
  readonly charges: Pick<Charges, 'refusalOf'>;
  readonly keys: KeyProvider;
  /** Of the machine: by it commands end. */
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly metrics: SchedulingMetrics;
}

type OpenedCommand = Opened<CreateSchedule> | Opened<Reschedule> | Opened<EndSchedule>;
type Proposed = Proposal<ScheduleCommand, ScheduleReply>;
type Parameters = Readonly<Record<string, string>>;

/** A change as it was sent, and what it says beside. */
interface ToChange<Message extends OpenedCommand> {
  readonly message: Message;
  readonly lifeEndsMs: number;
  /** Of a schedule that is the caller's. */
  readonly propose: (schedule: Schedule, stream: ScheduleStream) => Promise<Proposed>;
}

const OF_JOB = 'job.';

/** Takes commands: decides each and records it (D-12). */
export class SchedulesHandler {
  readonly #intake: CommandIntake<
    ScheduleCommand,
    ScheduleStreamState,
    ScheduleEvent,
    ScheduleReply
  >;

  readonly #words: ReturnType<typeof scheduleWords>;

  constructor(private readonly parts: HandlerParts) {
    const { streams, writer, machine, store, metrics } = parts;
    this.#words = scheduleWords(store);
    this.#intake = new CommandIntake({
      ...{ streams, writer, clock: machine, words: this.#words },
      passed: (_, startMs) => metrics.accepted(startMs),
    });
  }

  /** A new schedule of a registration that can be charged, once under its key. */
  create(message: Opened<CreateSchedule>, lifeEndsMs: number): Promise<HandlerReply> {
    const { data } = message;
    const { transactionId, context, registrationId, operation, parameters, personal } = data;
    const amount = fromMessage(data.amount);
    return this.#decide(transactionId, message, lifeEndsMs, async (stream) => {
      const { timeZone } = await this.parts.channels.of(context.entityId);
      const read = readJob(parameters, timeZone);
      if (read.kind === 'refused') return this.#refused(message, read);
      const refusal = await this.parts.charges.refusalOf({
        ...{ ...context, registrationId, operation, amount, parameters },
        ...{ personal: personal ?? {}, ...brandOf(message) },
      });
      if (refusal !== undefined) return this.#refused(message, refusal);
      const sealed = await this.#seal(stream, message, personal);
      const command: ScheduleCommand = {
        ...{ type: 'CreateSchedule', transactionId, registrationId, operation, amount },
        ...{ job: read.job, parameters, metadata: this.#metadataOf(message, context.mode) },
        ...(sealed.personal !== undefined && { personal: sealed.personal }),
      };
      const lookupText = textOfRegistration(context.entityId, registrationId);
      const found = { lookupText, tenant: context.entityId };
      return this.#proposal(command, message, { lifeEndsMs, sealed, found });
    });
  }

  /** Another amount or job of one that belongs to the caller. */
  reschedule(message: Opened<Reschedule>, lifeEndsMs: number): Promise<HandlerReply> {
    return this.#change({
      ...{ message, lifeEndsMs },
      propose: (schedule, stream) => this.#proposeReschedule(schedule, stream, message, lifeEndsMs),
    });
  }

  /** The end of one that belongs to the caller: after its notice, or at once. */
  end(message: Opened<EndSchedule>, lifeEndsMs: number): Promise<HandlerReply> {
    const { transactionId, operation, context } = message.data;
    const type = operation === 'deschedule' ? 'Deschedule' : 'DeleteSchedule';
    return this.#change({
      ...{ message, lifeEndsMs },
      propose: async (schedule) => {
        const mode = context.mode ?? schedule.metadata.mode;
        const command: EndCommand = {
          ...{ type, transactionId, metadata: this.#metadataOf(message, mode) },
        };
        const resultCode = refusalOf(command, schedule);
        if (resultCode !== undefined) return this.#refused(message, { resultCode });
        return this.#proposal(command, message, { lifeEndsMs, sealed: {} });
      },
    });
  }

  async #proposeReschedule(
    schedule: Schedule,
    stream: ScheduleStream,
    message: Opened<Reschedule>,
    lifeEndsMs: number,
  ): Promise<Proposed> {
    const { data } = message;
    const { plan, metadata, registrationId } = schedule;
    const { entityId } = metadata;
    if (plan === undefined) return this.#refused(message, CANNOT_RESCHEDULE);
    const { timeZone, missedRuns: catchUp } = await this.parts.channels.of(entityId);
    const hasTimes = namesTimes(data.parameters);
    const read = hasTimes ? readJob(data.parameters, timeZone) : undefined;
    if (read?.kind === 'refused') return this.#refused(message, read);
    const kept = hasTimes ? withoutTimes(plan.parameters) : plan.parameters;
    const parameters = { ...kept, ...data.parameters };
    const personal = { ...(await this.#personalOf(stream, schedule)), ...data.personal };
    const operation = data.operation ?? plan.operation;
    const amount = data.amount === undefined ? plan.amount : fromMessage(data.amount);
    const mode = data.context.mode ?? metadata.mode;
    const command: RescheduleCommand = {
      ...{ type: 'Reschedule', transactionId: data.transactionId, operation, amount, parameters },
      ...{ catchUp, metadata: this.#metadataOf(message, mode) },
      ...(read !== undefined && { job: read.job }),
    };
    const resultCode = refusalOf(command, schedule);
    if (resultCode !== undefined) return this.#refused(message, { resultCode });
    const refusal = await this.parts.charges.refusalOf({
      ...{ ...metadata, registrationId, operation, amount, parameters, personal },
      ...brandOf(message),
    });
    if (refusal !== undefined) return this.#refused(message, refusal);
    const sealed = await this.#seal(stream, message, personal);
    const sealedPersonal = sealed.personal === undefined ? {} : { personal: sealed.personal };
    return this.#proposal({ ...command, ...sealedPersonal }, message, { lifeEndsMs, sealed });
  }

  async #change<Message extends Opened<Reschedule> | Opened<EndSchedule>>({
    message,
    lifeEndsMs,
    propose,
  }: ToChange<Message>): Promise<HandlerReply> {
    const { scheduleId, context } = message.data;
    let streamId: string | undefined;
    try {
      streamId = await this.parts.store.streamOf(scheduleId);
    } catch (error) {
      if (isInfrastructure(error)) return this.#intake.nothingRecorded(error, lifeEndsMs);
      throw error;
    }
    // It may still be on its way, and by then this must not be done any more.
    if (streamId === undefined) return new Unrecorded(NOT_FOUND);
    return this.#decide(streamId, message, lifeEndsMs, async (stream) => {
      await this.parts.writer.ensureLoaded(stream);
      const { state } = stream;
      if (state?.metadata.entityId !== context.entityId) {
        return { kind: 'answered', answer: NOT_FOUND };
      }
      return propose(state, stream);
    });
  }

  async #decide(
    streamId: string,
    { data: { transactionId } }: OpenedCommand,
    lifeEndsMs: number,
    propose: (stream: ScheduleStream) => Promise<Proposed>,
  ): Promise<HandlerReply> {
    const stream = this.parts.streams.hold(streamId);
    try {
      const { reply } = await this.#intake.decide(stream, {
        ...{ transactionId, lifeEndsMs },
        propose: () => propose(stream),
        execute: () => Promise.reject(new Error('Nothing is executed for a request.')),
      });
      // By a second delivery what is refused now might be possible.
      return isRefusal(reply) ? new Unrecorded(reply) : reply;
    } catch (error) {
      // Accounts, or registrations: without them nobody knows whether it can be done.
      if (!(error instanceof QueryUnavailable)) throw error;
      return this.#intake.nothingRecorded(error, lifeEndsMs);
    }
  }

  /**
   * Nothing is recorded of a refusal, so no append finds out whether its key was used before. It may have
   * been, for what was possible then (D-36).
   */
  async #refused(
    { data: { idempotency } }: OpenedCommand,
    refusal: { readonly resultCode: string; readonly problem?: string },
  ): Promise<Proposed> {
    const { resultCode, problem } = refusal;
    const refused = {
      kind: 'refused',
      resultCode,
      ...(problem !== undefined && { problem }),
    } as const;
    const taken =
      idempotency && (await this.parts.store.idempotency.findOrRelease(idempotency.key));
    if (taken === undefined) return { kind: 'answered', answer: refused };
    const { ofUsedKey, recorded } = this.#words;
    const reply = await recorded.replyFor(taken.transactionId);
    return { kind: 'answered', answer: ofUsedKey({ ...taken, reply }) };
  }

  #proposal(
    command: ScheduleCommand,
    { id, data }: OpenedCommand,
    { lifeEndsMs, sealed: { personalKey }, found }: Proposing,
  ): Proposed {
    const { machine } = this.parts;
    const { transactionId, idempotency } = data;
    return {
      kind: 'command',
      command,
      claims: {
        commandId: id,
        transactionIds: [transactionId],
        ...found,
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

  /** @param mode of the schedule, where the request that refers to one names none (D-64) */
  #metadataOf({ id, correlationId, data }: OpenedCommand, mode: Mode): ScheduleEventMetadata {
    const { entityId, channelName, ndc, actor } = data.context;
    const { isRecording, traceparent } = currentSpan();
    return {
      recordedAtMs: this.parts.clock.now(entityId),
      ...{ entityId, channelName, ndc, mode, actor, correlationId, causationId: id },
      ...(isRecording && traceparent !== undefined && { traceparent }),
    };
  }

  #seal(
    stream: ScheduleStream,
    { data: { transactionId } }: OpenedCommand,
    personal: PersonalParameters | undefined,
  ): Promise<SealedParameters> {
    const { keys, store } = this.parts;
    const ofTransaction = { transactionId, ...(personal !== undefined && { personal }) };
    return sealParameters(stream, ofTransaction, { keys, personalKeys: store.personalKeys });
  }

  #personalOf(stream: ScheduleStream, schedule: Schedule): Promise<PersonalParameters> {
    const { keys, store } = this.parts;
    return personalIn(stream, schedule, { keys, personalKeys: store.personalKeys });
  }
}

interface Proposing {
  readonly lifeEndsMs: number;
  readonly sealed: SealedParameters;
  /** Of a new one: by which queries find it, and whose it is, in turn with others. */
  readonly found?: { readonly lookupText: string; readonly tenant: string };
}

function isRefusal(reply: HandlerReply): reply is ScheduleReply {
  return 'kind' in reply && reply.kind === 'refused';
}

const CANNOT_RESCHEDULE = { resultCode: codes.cannotReschedule };

function brandOf({ data: { paymentBrand } }: OpenedCommand): { readonly paymentBrand?: string } {
  return paymentBrand === undefined ? {} : { paymentBrand };
}

/** Whether times are said; the job's name is none of them, and is personal. */
function namesTimes(parameters: Parameters): boolean {
  return Object.keys(parameters).some((name) => name.startsWith(OF_JOB));
}

/** Whoever says any of the times says all of them: the rest has the interface's defaults. */
function withoutTimes(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !name.startsWith(OF_JOB)),
  );
}
