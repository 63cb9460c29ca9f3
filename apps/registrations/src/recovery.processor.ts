import type { EntityClock } from '@sluice/service';
import type { RegistrationWorkflow } from './registration.workflow.js';
import type {
  RegistrationStore,
  RegistrationStream,
  RegistrationStreams,
  RegistrationWriter,
} from './registration-aggregate.js';

/** The parts recovery is made of. */
export interface RecoveryParts {
  readonly store: Pick<RegistrationStore, 'schedule'>;
  readonly streams: RegistrationStreams;
  readonly writer: RegistrationWriter;
  readonly workflow: RegistrationWorkflow;
  readonly clock: Pick<EntityClock, 'nowOf'>;
}

/**
 * Does what is due for a registration without a request: what the vault has not done yet, and the
 * end of one whose time is over.
 */
export class RecoveryProcessor {
  constructor(private readonly parts: RecoveryParts) {}

  async recover(stream: RegistrationStream): Promise<void> {
    const { streams, writer, workflow, clock, store } = this.parts;
    await streams.inTurn(stream, () => writer.ensureLoaded(stream));
    await streams.inTurn(stream, () =>
      writer.record(stream, { type: 'ExpireRegistration', nowMs: clock.nowOf(stream.state) }),
    );
    await workflow.proceed(stream);
    // In turn, and only if nothing was appended meanwhile: an append sets its own date.
    await streams.inTurn(stream, () =>
      store.schedule(stream.id, writer.dueInMs(stream.state), stream.version),
    );
  }
}
