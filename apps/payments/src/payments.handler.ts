import {
  type DecisionResult,
  DuplicateCommands,
  isInfrastructure,
  type Proposal,
  sealParameters,
  type SealedParameters,
  StreamBusy,
} from '@sluice/aggregates';
import type { InitiatePayment, PaymentReply, ReferToPayment } from '@sluice/contracts';
import {
  findTransaction,
  initialTransaction,
  isFull,
  type PaymentCommand,
} from '@sluice/domain-payments';
import { StoreBusy, StoreUnavailable } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { Execution, InfrastructureAway, Unrecorded } from '@sluice/messaging';
import { type Clock, currentSpan, inSpan, type KeyProvider, notePayment } from '@sluice/service';
import type { Connectors } from './connectors.js';
import { Bulkhead } from './bulkhead.js';
import type { Opened, OpenedCommand } from './opened-commands.js';
import {
  type CommandCircumstances,
  initiateCommand,
  referenceCommand,
} from './payment-commands.js';
import {
  type PaymentStore,
  type PaymentStream,
  type PaymentStreams,
  type PaymentWriter,
} from './payment-aggregate.js';
import type { PaymentMetrics } from './payment-metrics.js';
import {
  BUSY,
  FULL,
  type HandlerReply,
  keyTaken,
  NOT_FOUND,
  recordedReplies,
  replyOf,
  UNAVAILABLE,
} from './payment-replies.js';
import { referenceText } from './payment-queries.js';
import type { CallDetails, PaymentWorkflow } from './payment.workflow.js';

/** The parts the handler is made of. */
export interface HandlerParts {
  readonly store: PaymentStore;
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly workflow: PaymentWorkflow;
  readonly connectors: Connectors;
  readonly keys: KeyProvider;
  readonly clock: Clock;
  readonly metrics: PaymentMetrics;
  readonly sendWindowMs: number;
}

/**
 * New payments between their command and their call. With a healthy store and vault that takes some ten
 * milliseconds, so this is thousands a second; a starved machine does as many within the send window.
 */
const UNSENT_MAX = 64;

/**
 * So long before the end of a command's life its sender may have stopped waiting: it began to wait before the
 * broker had the command, and a reply takes its time too.
 */
const UNHEARD_BEFORE_END_MS = 5_000;

/** What the accept phase came to. */
interface AcceptPhase {
  readonly reply: HandlerReply;
  /** The execution goes on holding the stream. */
  readonly executes: boolean;
  /** The same command was decided before, and shares what the vault holds with this one. */
  readonly repeated: boolean;
}

/** A command before its accept phase. */
interface ToAccept {
  readonly message: OpenedCommand;
  readonly lifeEndsMs: number;
  readonly propose: () => Promise<Proposal<PaymentCommand, PaymentReply>>;
  readonly beforeCall?: () => void;
}

/** When a call's request was recorded, and who is to know that it is about to be sent. */
interface CallToCome {
  readonly committedAtMs: number;
  readonly startMs: number;
  readonly beforeCall: (() => void) | undefined;
}

/** The accept phase of payment commands: load, decide, append (D-12). */
export class PaymentsHandler {
  /** Executions under way here, by transaction: a duplicate joins instead of running again. */
  readonly #running = new Map<string, Promise<PaymentReply>>();
  readonly #bulkhead = new Bulkhead(UNSENT_MAX);

  readonly #duplicates: DuplicateCommands<PaymentReply>;

  constructor(private readonly parts: HandlerParts) {
    this.#duplicates = new DuplicateCommands(recordedReplies(parts.store));
  }

  /**
   * A new payment: no read, because its stream cannot exist unless the command came twice. As many as
   * an outage has left are not recorded all at once: each must have its card and be sent within the
   * send window (D-25), and a thousand that ask for their cards together have none of them in time.
   */
  async initiate(message: Opened<InitiatePayment>, lifeEndsMs: number): Promise<HandlerReply> {
    const leave = await this.#bulkhead.enter();
    let isExecuted = false;
    try {
      const reply = await this.#initiate(message, lifeEndsMs, leave);
      isExecuted = reply instanceof Execution;
      return reply;
    } finally {
      if (!isExecuted) leave();
    }
  }

  async #initiate(
    message: Opened<InitiatePayment>,
    lifeEndsMs: number,
    leave: () => void,
  ): Promise<HandlerReply> {
    const { transactionId, instrument } = message.data;
    const running = this.#running.get(transactionId);
    if (running !== undefined) {
      leave();
      return new Execution(() => running);
    }
    const stream = this.parts.streams.hold(transactionId);
    if (stream.version === 0) stream.loaded = true;
    const propose = (): Promise<Proposal<PaymentCommand>> =>
      this.#proposeInitiation(stream, message, lifeEndsMs);
    const toAccept = { message, lifeEndsMs, propose, beforeCall: leave };
    const { reply, executes, repeated } = await this.#accept(stream, toAccept);
    // What another one has begun takes no room here, however long its outcome is waited for.
    if (!executes) leave();
    if (!executes && !repeated) void this.parts.workflow.forget(instrument);
    return reply;
  }

  /** A command on a transaction that exists, if it does and belongs to who asks (D-29). */
  async refer(message: Opened<ReferToPayment>, lifeEndsMs: number): Promise<HandlerReply> {
    const reply = await this.#refer(message, lifeEndsMs);
    const isLate = this.parts.clock.monotonicMs() >= lifeEndsMs;
    // The transaction may come yet, and then this one must not be done any more.
    return reply === NOT_FOUND && !isLate ? new Unrecorded(NOT_FOUND) : reply;
  }

  async #refer(message: Opened<ReferToPayment>, lifeEndsMs: number): Promise<HandlerReply> {
    const { transactionId, referencedId } = message.data;
    const running = this.#running.get(transactionId);
    if (running !== undefined) return new Execution(() => running);
    const stream = await this.#holdStreamOf(referencedId, lifeEndsMs);
    if (!('id' in stream)) return stream;
    const propose = async (): Promise<Proposal<PaymentCommand, PaymentReply>> => {
      await this.parts.writer.ensureLoaded(stream);
      return this.#proposeReference(stream, message, lifeEndsMs);
    };
    const { reply } = await this.#accept(stream, { message, lifeEndsMs, propose });
    return reply;
  }

  /** The stream of a referenced transaction, held; or the reply when there is none to hold. */
  async #holdStreamOf(
    referencedId: TransactionId,
    lifeEndsMs: number,
  ): Promise<PaymentStream | HandlerReply> {
    const { streams, writer, store } = this.parts;
    if (streams.has(referencedId)) return streams.hold(referencedId);
    try {
      const found = await store.readByTransaction(referencedId);
      if (found === undefined) return NOT_FOUND;
      const stream = streams.hold(found.streamId);
      if (!stream.loaded && stream.waiting === 0) {
        writer.adopt(stream, found.events);
        stream.wrappedPersonalKey = found.personalKey;
      }
      return stream;
    } catch (error) {
      if (isInfrastructure(error)) return this.#nothingRecorded(error, lifeEndsMs);
      throw error;
    }
  }

  async #accept(
    stream: PaymentStream,
    { message, lifeEndsMs, propose, beforeCall }: ToAccept,
  ): Promise<AcceptPhase> {
    const { streams, writer, clock } = this.parts;
    notePayment(stream.id);
    let executes = false;
    try {
      // Before the commit, so that the send window is never too long (D-25).
      const committedAtMs = clock.monotonicMs();
      const startMs = performance.now();
      const result = await inSpan('accept', {}, () =>
        streams.exclusively(stream, () => writer.accept(stream, propose)),
      );
      this.parts.metrics.passed('accept', startMs);
      const call = { committedAtMs, startMs, beforeCall };
      const phase = await this.#answer(stream, message, result, call);
      executes = phase.executes;
      return phase;
    } catch (error) {
      // Only what is certain may be called clean: perhaps the append was recorded (D-35).
      const uncertain = error instanceof StoreUnavailable && error.recorded === 'unknown';
      const isClean = error instanceof StreamBusy || isInfrastructure(error);
      if (!isClean || uncertain) throw error;
      return answered(this.#nothingRecorded(error, lifeEndsMs));
    } finally {
      if (!executes) streams.release(stream);
    }
  }

  /**
   * The answer to a command that could not be decided, while somebody waits for it. Afterwards the
   * sender has said that it is pending, so it has to be recorded: the transport tries again until its
   * end is recorded, or keeps it as a dead letter (D-03, D-17).
   */
  #nothingRecorded(error: unknown, lifeEndsMs: number): HandlerReply {
    if (this.parts.clock.monotonicMs() + UNHEARD_BEFORE_END_MS > lifeEndsMs) {
      const message = 'A command whose sender waits no longer cannot be recorded.';
      throw new InfrastructureAway(message, { cause: error });
    }
    const isBusy = error instanceof StreamBusy || error instanceof StoreBusy;
    return new Unrecorded(isBusy ? BUSY : UNAVAILABLE);
  }

  async #answer(
    stream: PaymentStream,
    message: OpenedCommand,
    result: DecisionResult<PaymentReply>,
    { committedAtMs, startMs, beforeCall }: CallToCome,
  ): Promise<AcceptPhase> {
    const { transactionId } = message.data;
    switch (result.kind) {
      case 'answered':
        return answered(result.answer);
      case 'contention':
        throw new StoreBusy('contention');
      case 'claimTaken': {
        const reply = await this.#duplicates.claimTaken(result, transactionId, keyTaken);
        return { reply, executes: false, repeated: result.claim === 'transaction' };
      }
      case 'nothingNew': {
        const known = replyOf(findTransaction(stream.state, transactionId));
        const reply = this.#duplicates.outcomeFor(transactionId, known);
        return { reply, executes: false, repeated: true };
      }
      case 'recorded': {
        const transaction = findTransaction(stream.state, transactionId);
        if (transaction?.status !== 'requested') return answered(replyOf(transaction));
        const details = {
          ...callDetails(message, committedAtMs),
          ...(beforeCall && { beforeCall }),
        };
        const reply = new Execution(() => this.#run(stream, details, startMs));
        return { reply, executes: true, repeated: false };
      }
    }
  }

  async #run(stream: PaymentStream, details: CallDetails, startMs: number): Promise<PaymentReply> {
    const { transactionId } = details;
    const execution = this.parts.workflow.execute(stream, details);
    this.#running.set(transactionId, execution);
    try {
      return await execution;
    } finally {
      details.beforeCall?.();
      this.parts.metrics.passed('total', startMs);
      this.#running.delete(transactionId);
      this.parts.streams.release(stream);
    }
  }

  async #proposeInitiation(
    stream: PaymentStream,
    message: Opened<InitiatePayment>,
    lifeEndsMs: number,
  ): Promise<Proposal<PaymentCommand>> {
    const sealed = await this.#seal(stream, message);
    const connector = this.parts.connectors.forNewPayment(message.data.instrument.kind);
    const command = initiateCommand(message, this.#circumstances(connector, sealed));
    return {
      kind: 'command',
      command,
      claims: claimsOf(message, this.#notAfterMs(lifeEndsMs), sealed),
    };
  }

  async #proposeReference(
    stream: PaymentStream,
    message: Opened<ReferToPayment>,
    lifeEndsMs: number,
  ): Promise<Proposal<PaymentCommand, PaymentReply>> {
    const { referencedId, transactionId, context } = message.data;
    const { state } = stream;
    const referenced = findTransaction(state, referencedId);
    if (referenced === undefined) return { kind: 'answered', answer: NOT_FOUND };
    const { entityId } = referenced.metadata;
    if (entityId !== context.entityId) {
      return { kind: 'answered', answer: { kind: 'foreignEntity', entityId } };
    }
    if (isFull(state) && findTransaction(state, transactionId) === undefined) {
      return { kind: 'answered', answer: FULL };
    }
    const { connectors } = this.parts;
    const sealed = await this.#seal(stream, message);
    const connector = connectors.ofPayment(state);
    const rules = connectors.capabilitiesFor(state);
    const { mode } = initialTransaction(state).metadata;
    const command = referenceCommand(
      message,
      { rules, mode },
      this.#circumstances(connector, sealed),
    );
    const notAfterMs = this.#notAfterMs(lifeEndsMs);
    return { kind: 'command', command, claims: claimsOf(message, notAfterMs, sealed) };
  }

  #circumstances(
    connector: CommandCircumstances['connector'],
    { personal }: SealedParameters,
  ): CommandCircumstances {
    const { clock, sendWindowMs } = this.parts;
    const { isRecording, traceparent } = currentSpan();
    return {
      ...{ nowMs: clock.now(), connector, sendWindowMs, personal },
      // Others would be bytes in every event that nobody can look up.
      traceparent: isRecording ? traceparent : undefined,
    };
  }

  /** The end of a command's life by the database's clock, which its append is measured with (D-03). */
  #notAfterMs(lifeEndsMs: number): number {
    const { clock } = this.parts;
    return clock.now() + (lifeEndsMs - clock.monotonicMs());
  }

  #seal(stream: PaymentStream, { data }: OpenedCommand): Promise<SealedParameters> {
    const { keys, store } = this.parts;
    return sealParameters(stream, data, { keys, personalKeys: store.personalKeys });
  }
}

type Claims = Extract<Proposal<PaymentCommand>, { kind: 'command' }>['claims'];

function claimsOf(
  { id, data }: OpenedCommand,
  notAfterMs: number,
  { personalKey }: SealedParameters,
): Claims {
  const { transactionId, idempotency, context } = data;
  const { merchantTransactionId } = data.parameters;
  return {
    commandId: id,
    transactionIds: [transactionId],
    ...(merchantTransactionId !== undefined && {
      lookupText: referenceText(context.entityId, merchantTransactionId),
    }),
    notAfterMs,
    ...(personalKey !== undefined && { personalKey }),
    ...(idempotency !== undefined && {
      idempotency: {
        key: idempotency.key,
        fingerprint: idempotency.fingerprint,
        answer: JSON.stringify(idempotency.answer),
        transactionId,
      },
    }),
  };
}

function callDetails({ data }: OpenedCommand, committedAtMs: number): CallDetails {
  const { transactionId, testDirectives } = data;
  return {
    transactionId,
    committedAtMs,
    sent: data,
    ...('instrument' in data && { instrument: data.instrument }),
    ...(testDirectives !== undefined && { testDirectives }),
  };
}

function answered(reply: HandlerReply): AcceptPhase {
  return { reply, executes: false, repeated: false };
}
