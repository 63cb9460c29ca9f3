import {
  CommandIntake,
  type Proposal,
  sealParameters,
  type SealedParameters,
} from '@sluice/aggregates';
import type {
  CheckoutEventMetadata,
  CheckoutReply,
  CreateCheckout,
  SaveForm,
  SubmitAttempt,
  UpdateCheckout,
} from '@sluice/contracts';
import type {
  CheckoutCommand,
  CheckoutEvent,
  CheckoutState,
  CreateCheckout as CreateCommand,
  SaveForm as SaveCommand,
  SubmitAttempt as SubmitCommand,
  UpdateCheckout as UpdateCommand,
} from '@sluice/domain-checkouts';
import type { CheckoutId } from '@sluice/identifiers';
import type { Opened } from '@sluice/messaging';
import { type Clock, currentSpan, type EntityClock, type KeyProvider } from '@sluice/service';
import type { AttemptOutcomes } from './attempt-outcomes.js';
import type {
  CheckoutStore,
  CheckoutStream,
  CheckoutStreams,
  CheckoutWriter,
} from './checkout-aggregate.js';
import type { CheckoutMetrics } from './checkout-metrics.js';
import { personalOf } from './checkout-personal.js';
import { checkoutWords, type HandlerReply, refusedReply } from './checkout-replies.js';

/** The parts the handler is made of. */
export interface HandlerParts {
  readonly store: CheckoutStore;
  readonly streams: CheckoutStreams;
  readonly writer: CheckoutWriter;
  readonly outcomes: AttemptOutcomes;
  readonly keys: KeyProvider;
  /** By it commands end. */
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly metrics: CheckoutMetrics;
}

type Message = Opened<CreateCheckout | UpdateCheckout> | Opened<SubmitAttempt> | Opened<SaveForm>;
type Proposed = Proposal<CheckoutCommand, CheckoutReply>;

/** Takes commands: decides each, and records it (D-12). */
export class CheckoutsHandler {
  readonly #intake: CommandIntake<CheckoutCommand, CheckoutState, CheckoutEvent, CheckoutReply>;

  constructor(private readonly parts: HandlerParts) {
    const { streams, writer, machine, store, metrics } = parts;
    this.#intake = new CommandIntake({
      ...{ streams, writer, clock: machine, words: checkoutWords(store) },
      passed: (_stage, startMs) => metrics.accepted(startMs),
    });
  }

  /** A new checkout: its stream cannot exist unless the command came twice. */
  create(message: Opened<CreateCheckout>, lifeEndsMs: number): Promise<HandlerReply> {
    return this.#decide(message, lifeEndsMs, async (stream) => {
      const { personal, ...key } = await this.#seal(stream, message.data);
      const { checkoutId, purpose, parameters, registrations, script } = message.data;
      const command: CreateCommand = {
        ...{ type: 'CreateCheckout', checkoutId, purpose, parameters },
        metadata: this.#metadataOf(message),
        ...(personal !== undefined && { personal }),
        ...(registrations !== undefined && { registrations }),
        ...(script !== undefined && { script }),
      };
      return this.#proposal(message, lifeEndsMs, { command, ...key });
    });
  }

  /** What the merchant changes; whatever is known of the last attempt by then counts. */
  update(message: Opened<UpdateCheckout>, lifeEndsMs: number): Promise<HandlerReply> {
    return this.#decide(message, lifeEndsMs, async (stream) => {
      await this.#bringUpToDate(stream);
      const { parameters, registrations, context } = message.data;
      const asked = { type: 'UpdateCheckout', metadata: this.#metadataOf(message) } as const;
      const refused = refusedReply(asked, stream.state, { entityId: context.entityId });
      if (refused !== undefined) return { kind: 'answered', answer: refused };
      const { personal, ...key } = await this.#sealChanged(stream, message.data);
      const command: UpdateCommand = {
        ...asked,
        parameters,
        ...(personal !== undefined && { personal }),
        ...(registrations !== undefined && { registrations }),
      };
      return this.#proposal(message, lifeEndsMs, { command, ...key });
    });
  }

  /**
   * The shopper has sent the form. The payment or registration is asked for only once this is
   * recorded, so whatever is made of it is found by the checkout.
   */
  submit(message: Opened<SubmitAttempt>, lifeEndsMs: number): Promise<HandlerReply> {
    return this.#decide(message, lifeEndsMs, async (stream) => {
      await this.#bringUpToDate(stream);
      const { transactionId, purpose, context, saved, isOfSaved, revision } = message.data;
      const metadata = this.#metadataOf(message);
      const about = {
        ...{ transactionId, metadata },
        ...(saved !== undefined && { saved }),
        ...(revision !== undefined && { revision }),
      };
      const asked = { type: 'SubmitAttempt', ...about } as const;
      const { entityId } = context;
      const refused = refusedReply(asked, stream.state, { entityId, purpose });
      if (refused !== undefined) return { kind: 'answered', answer: refused };
      const { personal, ...key } = await this.#seal(stream, message.data);
      const command: SubmitCommand = {
        ...asked,
        ...(personal !== undefined && { personal }),
        ...(isOfSaved === true && { isOfSaved }),
      };
      return this.#proposal(message, lifeEndsMs, { command, ...key });
    });
  }

  /** What the shopper has typed is saved, and nothing is asked for. */
  save(message: Opened<SaveForm>, lifeEndsMs: number): Promise<HandlerReply> {
    return this.#decide(message, lifeEndsMs, async (stream) => {
      await this.#bringUpToDate(stream);
      const { transactionId, context, saved, details, vaultReference } = message.data;
      const metadata = this.#metadataOf(message);
      const asked = { type: 'SaveForm', transactionId, saved, metadata } as const;
      const meant = { entityId: context.entityId, purpose: 'payment' } as const;
      const refused = refusedReply(asked, stream.state, meant);
      if (refused !== undefined) return { kind: 'answered', answer: refused };
      const { checkoutId, personal = {} } = message.data;
      const { personal: fields = '', ...key } = await this.#seal(stream, { checkoutId, personal });
      const held = vaultReference === undefined ? {} : { vaultReference };
      const command: SaveCommand = { ...asked, details, ...held, fields };
      return this.#proposal(message, lifeEndsMs, { command, ...key });
    });
  }

  async #decide(
    { data: { transactionId, checkoutId } }: Message,
    lifeEndsMs: number,
    propose: (stream: CheckoutStream) => Promise<Proposed>,
  ): Promise<HandlerReply> {
    const stream = this.parts.streams.hold(checkoutId);
    const { reply } = await this.#intake.decide(stream, {
      ...{ transactionId, lifeEndsMs, propose: () => propose(stream), execute: nothingToExecute },
    });
    return reply;
  }

  /** As far as others know of attempts; the caller has the stream's turn. */
  async #bringUpToDate(stream: CheckoutStream): Promise<void> {
    await this.parts.writer.ensureLoaded(stream);
    await this.parts.outcomes.bringUpToDate(stream);
  }

  #proposal(
    { id, data }: Message,
    lifeEndsMs: number,
    { command, personalKey }: { command: CheckoutCommand } & Pick<SealedParameters, 'personalKey'>,
  ): Proposed {
    const { machine } = this.parts;
    const { transactionId } = data;
    const idempotency = 'idempotency' in data ? data.idempotency : undefined;
    return {
      kind: 'command',
      command,
      claims: {
        ...{ commandId: id, transactionIds: [transactionId] },
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

  #metadataOf({ id, correlationId, data }: Message): CheckoutEventMetadata {
    const { entityId, channelName, ndc, mode, actor } = data.context;
    const { isRecording, traceparent } = currentSpan();
    return {
      recordedAtMs: this.parts.clock.now(entityId),
      ...{ entityId, channelName, ndc, mode, actor, correlationId, causationId: id },
      ...(isRecording && traceparent !== undefined && { traceparent }),
    };
  }

  /** All that is personal from now on. */
  async #sealChanged(
    stream: CheckoutStream,
    { checkoutId, personal: changes }: Sealable,
  ): Promise<SealedParameters> {
    if (changes === undefined) return {};
    const { keys, store } = this.parts;
    const before = await personalOf(stream.state, { keys, personalKeys: store.personalKeys });
    return this.#seal(stream, { checkoutId, personal: { ...before, ...changes } });
  }

  /** Sealed for the checkout: it was sealed for the request on its way here. */
  #seal(stream: CheckoutStream, { checkoutId, personal }: Sealable): Promise<SealedParameters> {
    const { keys, store } = this.parts;
    const of = { transactionId: checkoutId, ...(personal !== undefined && { personal }) };
    return sealParameters(stream, of, { keys, personalKeys: store.personalKeys });
  }
}

interface Sealable {
  readonly checkoutId: CheckoutId;
  readonly personal?: Readonly<Record<string, string>>;
}

/** The intake asks for it only where something is requested of others (`isRequested`). */
function nothingToExecute(): never {
  throw new Error('A checkout asks for nothing that could be executed.');
}
