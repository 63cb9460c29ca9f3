import { CommandIntake, sealParameters, type SealedParameters } from '@sluice/aggregates';
import type { CheckoutEventMetadata, CheckoutReply, CreateCheckout } from '@sluice/contracts';
import type {
  CheckoutCommand,
  CheckoutEvent,
  CheckoutState,
  CreateCheckout as CreateCommand,
} from '@sluice/domain-checkouts';
import type { Opened } from '@sluice/messaging';
import { type Clock, currentSpan, type KeyProvider } from '@sluice/service';
import type {
  CheckoutStore,
  CheckoutStream,
  CheckoutStreams,
  CheckoutWriter,
} from './checkout-aggregate.js';
import type { CheckoutMetrics } from './checkout-metrics.js';
import { checkoutWords, type HandlerReply } from './checkout-replies.js';

/** The parts the handler is made of. */
export interface HandlerParts {
  readonly store: CheckoutStore;
  readonly streams: CheckoutStreams;
  readonly writer: CheckoutWriter;
  readonly keys: KeyProvider;
  readonly clock: Clock;
  readonly metrics: CheckoutMetrics;
}

/** Takes commands: decides each, and records it (D-12). */
export class CheckoutsHandler {
  readonly #intake: CommandIntake<CheckoutCommand, CheckoutState, CheckoutEvent, CheckoutReply>;

  constructor(private readonly parts: HandlerParts) {
    const { streams, writer, clock, store, metrics } = parts;
    this.#intake = new CommandIntake({
      ...{ streams, writer, clock, words: checkoutWords(store) },
      passed: (_stage, startMs) => metrics.accepted(startMs),
    });
  }

  /** A new checkout: its stream cannot exist unless the command came twice. */
  async create(message: Opened<CreateCheckout>, lifeEndsMs: number): Promise<HandlerReply> {
    const { streams, clock } = this.parts;
    const { transactionId, checkoutId, idempotency } = message.data;
    const stream = streams.hold(checkoutId);
    const { reply } = await this.#intake.decide(stream, {
      ...{ transactionId, lifeEndsMs },
      propose: async () => {
        const { personal, personalKey } = await this.#seal(stream, message);
        return {
          kind: 'command',
          command: this.#commandOf(message, personal),
          claims: {
            commandId: message.id,
            transactionIds: [transactionId],
            notAfterMs: clock.now() + (lifeEndsMs - clock.monotonicMs()),
            ...(personalKey !== undefined && { personalKey }),
            ...(idempotency !== undefined && {
              idempotency: {
                ...{ key: idempotency.key, fingerprint: idempotency.fingerprint, transactionId },
                answer: JSON.stringify(idempotency.answer),
              },
            }),
          },
        };
      },
      execute: nothingToExecute,
    });
    return reply;
  }

  #commandOf(
    { id, correlationId, data }: Opened<CreateCheckout>,
    personal?: string,
  ): CreateCommand {
    const { checkoutId, purpose, parameters, context } = data;
    const { entityId, channelName, ndc, mode, actor } = context;
    const { isRecording, traceparent } = currentSpan();
    const metadata: CheckoutEventMetadata = {
      recordedAtMs: this.parts.clock.now(),
      ...{ entityId, channelName, ndc, mode, actor, correlationId, causationId: id },
      ...(isRecording && traceparent !== undefined && { traceparent }),
    };
    return {
      ...{ type: 'CreateCheckout', checkoutId, purpose, parameters, metadata },
      ...(personal !== undefined && { personal }),
    };
  }

  /** Sealed for the checkout: it was sealed for the request on its way here. */
  #seal(
    stream: CheckoutStream,
    { data: { checkoutId, personal } }: Opened<CreateCheckout>,
  ): Promise<SealedParameters> {
    const { keys, store } = this.parts;
    const of = { transactionId: checkoutId, ...(personal !== undefined && { personal }) };
    return sealParameters(stream, of, { keys, personalKeys: store.personalKeys });
  }
}

/** The intake asks for it only where something is requested of others (`isRequested`). */
function nothingToExecute(): never {
  throw new Error('A checkout asks for nothing that could be executed.');
}
