import {
  CommandIntake,
  type Decided,
  isInfrastructure,
  type Proposal,
  type Propose,
  referenceText,
  sealParameters,
  type SealedParameters,
} from '@sluice/aggregates';
import {
  type InitiatePayment,
  isElsewhere,
  isStandalone,
  type PaymentReply,
  type ReferToPayment,
} from '@sluice/contracts';
import {
  findTransaction,
  initialTransaction,
  isFull,
  type PaymentCommand,
  type PaymentEvent,
  type PaymentState,
} from '@sluice/domain-payments';
import { ShardElsewhere } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { Execution, type Opened, QueryUnavailable, Unrecorded } from '@sluice/messaging';
import {
  type Clock,
  currentSpan,
  type EntityClock,
  type KeyProvider,
  notePayment,
} from '@sluice/service';
import { adviseNewPayment, adviseRebill } from './advised-ways.js';
import type { Connectors } from './connectors.js';
import {
  type EarlierPayments,
  type EarlierPaymentsReader,
  NOTHING_EARLIER,
} from './earlier-payments.js';
import type { PaymentRouting } from './payment-routing.js';
import { firstOfKey } from './first-of-key.js';
import { Bulkhead } from './bulkhead.js';
import {
  type CommandCircumstances,
  initiateCommand,
  type OpenedCommand,
  referenceCommand,
} from './payment-commands.js';
import {
  type PaymentStore,
  type PaymentStream,
  type PaymentStreams,
  type PaymentWriter,
} from './payment-aggregate.js';
import type { PaymentMetrics } from './payment-metrics.js';
import type { FoundOut, RiskDecisions } from './risk-decisions.js';
import { FULL, type HandlerReply, NOT_FOUND, paymentWords } from './payment-replies.js';
import type { CallDetails, PaymentWorkflow } from './payment.workflow.js';

/** The parts the handler is made of. */
export interface HandlerParts {
  readonly store: PaymentStore;
  readonly streams: PaymentStreams;
  readonly writer: PaymentWriter;
  readonly workflow: PaymentWorkflow;
  readonly connectors: Connectors;
  readonly routing: PaymentRouting;
  readonly risk: Pick<RiskDecisions, 'of'>;
  readonly earlier: EarlierPaymentsReader;
  readonly keys: KeyProvider;
  /** By it commands end. */
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly metrics: PaymentMetrics;
  readonly sendWindowMs: number;
}

/**
 * How many new payments may be between their command and their call. With a healthy store and vault
 * this takes some ten milliseconds, so it allows thousands a second; even a starved machine manages
 * this many within the send window.
 */
const UNSENT_MAX = 64;

/** Where a payment goes is the merchant's to say, so none goes anywhere before accounts has said it. */
const ROUTES_UNKNOWN = new Error('Accounts has not said yet which routes there are.');

/** A command before it is decided. */
interface ToAccept {
  readonly message: OpenedCommand;
  readonly lifeEndsMs: number;
  readonly propose: Propose<PaymentCommand, PaymentReply>;
  /** Called when its call is about to be sent. */
  readonly beforeCall?: () => void;
}

/** What a new payment is begun with. */
interface Initiating {
  readonly lifeEndsMs: number;
  readonly foundOut: FoundOut;
  /** Gives its place back. */
  readonly leave: () => void;
}

/** When a proposal is made. */
interface Proposing {
  readonly lifeEndsMs: number;
  /** See `Propose`. */
  readonly isMarked: boolean;
}

/** The accept phase of payment commands: load, decide, append (D-12). */
export class PaymentsHandler {
  readonly #bulkhead = new Bulkhead(UNSENT_MAX);
  readonly #intake: CommandIntake<PaymentCommand, PaymentState, PaymentEvent, PaymentReply>;

  constructor(private readonly parts: HandlerParts) {
    const { streams, writer, machine, metrics } = parts;
    this.#intake = new CommandIntake({
      ...{ streams, writer, clock: machine, words: paymentWords(parts.store) },
      passed: (stage, startMs) => metrics.passed(stage, startMs),
    });
  }

  /**
   * Accepts a new payment without a read, because its stream cannot exist unless the command came
   * twice. Commands that piled up during an outage are not all recorded at once: each must get its
   * card and be sent within the send window (D-25), and if a thousand ask for their cards together,
   * none gets it in time.
   */
  async initiate(message: Opened<InitiatePayment>, lifeEndsMs: number): Promise<HandlerReply> {
    // Asked before a place is taken, because a directory server may take its time.
    const foundOut = await this.#findOut(message, lifeEndsMs);
    if (foundOut instanceof Unrecorded || foundOut instanceof Execution) return foundOut;
    const leave = await this.#bulkhead.enter();
    let isExecuted = false;
    try {
      const reply = await this.#initiate(message, { lifeEndsMs, foundOut, leave });
      isExecuted = reply instanceof Execution;
      return reply;
    } finally {
      if (!isExecuted) leave();
    }
  }

  /** What risk says of it, or the reply that needs no decision. */
  async #findOut(
    { data }: Opened<InitiatePayment>,
    lifeEndsMs: number,
  ): Promise<FoundOut | Unrecorded<PaymentReply> | Execution<PaymentReply>> {
    const underWay = this.#intake.underWay(data.transactionId);
    if (underWay !== undefined) return underWay;
    const { routing, risk, workflow } = this.parts;
    try {
      if (!routing.isKnown) throw ROUTES_UNKNOWN;
      return await risk.of(data);
    } catch (error) {
      const isAway = error === ROUTES_UNKNOWN || error instanceof QueryUnavailable;
      if (!isAway && !isInfrastructure(error)) throw error;
      const reply = this.#intake.nothingRecorded(error, lifeEndsMs);
      if (await this.#isUnrecorded(data.transactionId)) void workflow.forget(data.instrument);
      return reply;
    }
  }

  /** A payment that waits for its shopper still needs its card when its command comes again. */
  async #isUnrecorded(transactionId: TransactionId): Promise<boolean> {
    try {
      return (await this.parts.store.read(transactionId)).length === 0;
    } catch (error) {
      // Then the card expires by itself.
      if (isInfrastructure(error)) return false;
      throw error;
    }
  }

  async #initiate(
    message: Opened<InitiatePayment>,
    { lifeEndsMs, foundOut, leave }: Initiating,
  ): Promise<HandlerReply> {
    const { transactionId, instrument } = message.data;
    // It may have come again meanwhile.
    const underWay = this.#intake.underWay(transactionId);
    if (underWay !== undefined) {
      leave();
      return underWay;
    }
    const stream = this.parts.streams.hold(transactionId);
    const propose: Propose<PaymentCommand, PaymentReply> = (isMarked) =>
      this.#proposeInitiation(stream, message, { lifeEndsMs, isMarked, foundOut });
    const toAccept = { message, lifeEndsMs, propose, beforeCall: leave };
    const { reply, executes, repeated } = await this.#accept(stream, toAccept);
    // A payment that another instance began takes no place here, however long this waits for its
    // outcome.
    if (!executes) leave();
    // The cell that has the shard still needs it.
    const waits = foundOut.authentication?.kind === 'pending';
    const isDoneWith = !executes && !repeated && !waits && !isForElsewhere(reply);
    if (isDoneWith) void this.parts.workflow.forget(instrument);
    return reply;
  }

  /**
   * Accepts a command on an earlier transaction, if that exists and belongs to the caller (D-29).
   */
  async refer(message: Opened<ReferToPayment>, lifeEndsMs: number): Promise<HandlerReply> {
    const reply = await this.#refer(message, lifeEndsMs);
    const isLate = this.parts.machine.monotonicMs() >= lifeEndsMs;
    // The transaction may still arrive, and by then this command must not be performed any more.
    return reply === NOT_FOUND && !isLate ? new Unrecorded(NOT_FOUND) : reply;
  }

  async #refer(message: Opened<ReferToPayment>, lifeEndsMs: number): Promise<HandlerReply> {
    const { transactionId, referencedId } = message.data;
    const underWay = this.#intake.underWay(transactionId);
    if (underWay !== undefined) return underWay;
    const stream = await this.#holdStreamOf(referencedId, lifeEndsMs);
    if (stream === NOT_FOUND) return this.#referToFirst(message, lifeEndsMs);
    if (!('id' in stream)) return stream;
    const propose: Propose<PaymentCommand, PaymentReply> = async (isMarked) => {
      await this.parts.writer.ensureLoaded(stream);
      return this.#proposeReference(stream, message, { lifeEndsMs, isMarked });
    };
    const { reply } = await this.#accept(stream, { message, lifeEndsMs, propose });
    return reply;
  }

  /** The id may be one that stands for what its key has made. */
  async #referToFirst(message: Opened<ReferToPayment>, lifeEndsMs: number): Promise<HandlerReply> {
    try {
      const referencedId = await firstOfKey(this.parts.store, message.data.referencedId);
      if (referencedId === undefined) return NOT_FOUND;
      return await this.#refer({ ...message, data: { ...message.data, referencedId } }, lifeEndsMs);
    } catch (error) {
      return this.#notRead(error, lifeEndsMs);
    }
  }

  /** The reply where what a command refers to cannot be read here. */
  #notRead(error: unknown, lifeEndsMs: number): HandlerReply {
    if (error instanceof ShardElsewhere) return this.#intake.elsewhere(lifeEndsMs);
    if (isInfrastructure(error)) return this.#intake.nothingRecorded(error, lifeEndsMs);
    throw error;
  }

  /** Holds and returns the stream of a referenced transaction, or the reply if there is none. */
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
      return this.#notRead(error, lifeEndsMs);
    }
  }

  #accept(
    stream: PaymentStream,
    { message, lifeEndsMs, propose, beforeCall }: ToAccept,
  ): Promise<Decided<PaymentReply>> {
    notePayment(stream.id);
    const { transactionId } = message.data;
    const execute = async (committedAtMs: number): Promise<PaymentReply> => {
      const details = {
        ...callDetails(message, committedAtMs, lifeEndsMs),
        ...(beforeCall && { beforeCall }),
      };
      try {
        return await this.parts.workflow.execute(stream, details);
      } finally {
        beforeCall?.();
      }
    };
    return this.#intake.decide(stream, { transactionId, lifeEndsMs, propose, execute });
  }

  async #proposeInitiation(
    stream: PaymentStream,
    message: Opened<InitiatePayment>,
    { lifeEndsMs, isMarked, foundOut }: Proposing & Pick<Initiating, 'foundOut'>,
  ): Promise<Proposal<PaymentCommand>> {
    const { routing, earlier: reader, clock } = this.parts;
    const { data } = message;
    const sealed = await this.#seal(stream, message);
    const isAlone = isStandalone(data.operation);
    const hasNone = data.rejection !== undefined || isAlone;
    const earlier = hasNone ? NOTHING_EARLIER : await reader.ofNewPayment(data, isMarked);
    const { refusal, ...found } = foundOut;
    const nowMs = clock.now(data.context.entityId);
    const ofRoutes = () => (isAlone ? undefined : adviseNewPayment(routing, data, earlier, nowMs));
    const way = refusal ?? ofRoutes();
    const initiated = initiateCommand(
      message,
      this.#circumstances(nowMs, { way, sealed, earlier }),
    );
    const command = { ...initiated, ...found };
    const claims = claimsOf(message, this.#notAfterMs(lifeEndsMs), sealed);
    return { kind: 'command', command, claims: { ...claims, ...earlier.claims } };
  }

  async #proposeReference(
    stream: PaymentStream,
    message: Opened<ReferToPayment>,
    { lifeEndsMs, isMarked }: Proposing,
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
    const { connectors, clock } = this.parts;
    const sealed = await this.#seal(stream, message);
    const earlier = await this.#earlierOf(state, message, isMarked);
    const { parameters } = message.data;
    const nowMs = clock.now(entityId);
    const block = adviseRebill(state, parameters, earlier.attempts, nowMs);
    const connector = connectors.ofPayment(state);
    const rules = connectors.capabilitiesFor(state);
    const { mode } = initialTransaction(state).metadata;
    const command = referenceCommand(
      message,
      { rules, mode },
      this.#circumstances(nowMs, {
        ...{ way: block ?? (connector && { connector }), sealed, earlier },
      }),
    );
    const claims = claimsOf(message, this.#notAfterMs(lifeEndsMs), sealed);
    return { kind: 'command', command, claims: { ...claims, ...earlier.claims } };
  }

  /** Only a rebill is a charge of its own; whatever else refers to a payment goes on with that one. */
  async #earlierOf(
    state: PaymentState,
    { data }: Opened<ReferToPayment>,
    isMarked: boolean,
  ): Promise<EarlierPayments> {
    if (data.operation !== 'rebill' || data.rejection !== undefined) return NOTHING_EARLIER;
    return this.parts.earlier.ofRebill(state, isMarked);
  }

  #circumstances(
    nowMs: number,
    { way, sealed: { personal }, earlier: { agreement } }: Circumstances,
  ): CommandCircumstances {
    const { sendWindowMs } = this.parts;
    const { isRecording, traceparent } = currentSpan();
    return {
      ...{ nowMs, way, sendWindowMs, personal, agreement },
      // The id of a trace that is not recorded would only take space in every event.
      traceparent: isRecording ? traceparent : undefined,
    };
  }

  /** The end of a command's life by the database's clock, which its append is measured with (D-03). */
  #notAfterMs(lifeEndsMs: number): number {
    const { machine } = this.parts;
    return machine.now() + (lifeEndsMs - machine.monotonicMs());
  }

  #seal(stream: PaymentStream, { data }: OpenedCommand): Promise<SealedParameters> {
    const { keys, store } = this.parts;
    return sealParameters(stream, data, { keys, personalKeys: store.personalKeys });
  }
}

interface Circumstances {
  readonly way: CommandCircumstances['way'];
  readonly sealed: SealedParameters;
  readonly earlier: EarlierPayments;
}

function isForElsewhere(reply: HandlerReply): boolean {
  return reply instanceof Unrecorded && isElsewhere(reply.reply);
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

function callDetails(
  { data }: OpenedCommand,
  committedAtMs: number,
  lifeEndsMs: number,
): CallDetails {
  const { transactionId, testDirectives } = data;
  return {
    transactionId,
    ...{ committedAtMs, lifeEndsMs },
    sent: data,
    ...('instrument' in data && { instrument: data.instrument }),
    ...('returnUrl' in data && { returnUrl: data.returnUrl }),
    ...('authentication' in data && { redirectUrl: data.authentication.redirectUrl }),
    ...('storedByPaymentId' in data && { storedByPaymentId: data.storedByPaymentId }),
    ...(testDirectives !== undefined && { testDirectives }),
  };
}
