import type { AttemptOutcomes } from './attempt-outcomes.js';
import type {
  CheckoutStore,
  CheckoutStream,
  CheckoutStreams,
  CheckoutWriter,
} from './checkout-aggregate.js';
import type { ResultCalls } from './result-calls.js';

/** The parts recovery is made of. */
export interface RecoveryParts {
  readonly store: Pick<CheckoutStore, 'schedule'>;
  readonly streams: CheckoutStreams;
  readonly writer: CheckoutWriter;
  readonly outcomes: Pick<AttemptOutcomes, 'bringUpToDate' | 'askProviders' | 'reverseLate'>;
  readonly calls: Pick<ResultCalls, 'callIfDue'>;
}

/**
 * Does what is due for a checkout without a request: finds out what became of its attempts, and has
 * those reversed that were approved too late, and has merchants called whose checkouts are nearly over.
 */
export class RecoveryProcessor {
  constructor(private readonly parts: RecoveryParts) {}

  async recover(stream: CheckoutStream): Promise<void> {
    const { streams, writer, outcomes, store, calls } = this.parts;
    await streams.inTurn(stream, async () => {
      await writer.reload(stream);
      await outcomes.bringUpToDate(stream);
      outcomes.askProviders(stream);
      await outcomes.reverseLate(stream);
      // Only if nothing was appended meanwhile: an append sets its own date.
      await store.schedule(stream.id, writer.dueInMs(stream.state), stream.version);
    });
    // Outside of its turn: webhooks asks for the page, which may then read the result.
    calls.callIfDue(stream.state);
  }
}
